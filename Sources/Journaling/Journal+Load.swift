import Bytes
import Platform

extension Journal {
  /// Reads where the strands of a replica end.
  mutating func load(_ replica: UniqueID, from shelf: Shelf) throws(JournalError) {
    try load(replica, of: replica, from: shelf)
    let root = strandFolder(replica, of: replica, shelf).path
    for branch in try onDisk({ () throws(DiskError) in try ids(in: root) }) {
      try load(branch, of: replica, from: shelf)
    }
  }

  mutating func load(
    _ strand: UniqueID, of replica: UniqueID, from shelf: Shelf
  ) throws(JournalError) {
    let folder = strandFolder(strand, of: replica, shelf)
    // A file listed may be gone a moment later, sealed by another process.
    for _ in 0..<8 {
      do throws(DiskError) {
        var state = try read(folder, of: replica, shelf: shelf)
        // A folder without a whole frame is what a crash left of a log's first write.
        if state.end.sequence == 0, state.isSound { return }
        if strand != replica { try readStart(folder, &state) }
        state.publicKey = states[strand]?.publicKey
        states[strand] = state
        return
      } catch {
        guard error.reason == .notFound else { throw .disk(error) }
        // Another process has admitted it: it is found among the book's, which are listed after these.
        if shelf == .aside, try !exists(folder) { return }
      }
    }
    throw .disk(DiskError(.list, folder.path, .notFound))
  }

  private func exists(_ folder: LogFolder) throws(JournalError) -> Bool {
    do throws(DiskError) {
      return try disk.status(folder.path) != nil
    } catch {
      throw .disk(error)
    }
  }

  private mutating func read(
    _ folder: LogFolder, of replica: UniqueID, shelf: Shelf
  ) throws(DiskError) -> LogState {
    var state = LogState(shelf: shelf, replica: replica, end: .zero(of: replica))
    let segments = try folder.segments()
    var sealedEnd: UInt64 = 0
    state.first = segments.first?.first ?? 1
    if folder.path.name == replica.hex { state.first = 1 }
    // How far a tail reaches its name does not tell: one before a sealed file may fill what is missing there.
    var isTold = true
    for segment in segments {
      guard case .sealed(let events) = segment else {
        isTold = false
        continue
      }
      let next = max(sealedEnd + 1, state.first)
      if events.lowerBound > next, isTold { state.holes.append(next...events.lowerBound - 1) }
      sealedEnd = max(sealedEnd, events.upperBound)
    }
    // How far files are named to reach, as far as that is not read.
    var named = sealedEnd
    // From the end on, until something is readable.
    for segment in segments.reversed() {
      switch segment {
      case .tail(let first):
        if try readTail(first, folder, sealedEnd, &state) { return state }
        if first > sealedEnd { named = max(named, first) }
      case .sealed(let events):
        guard try readSealed(segment, events, folder, &state) else { continue }
        if named > state.end.sequence { state.lostEnd = state.end.sequence + 1...named }
        return state
      }
    }
    if named > 0 { state.lostEnd = state.first...max(state.first, named) }
    return state
  }

  /// Takes the log's end from a tail.
  ///
  /// - Returns: false for a tail whose events are all sealed, too.
  private mutating func readTail(
    _ first: UInt64, _ folder: LogFolder, _ sealedEnd: UInt64, _ state: inout LogState
  ) throws(DiskError) -> Bool {
    var scan = FileScan(try folder.contents(of: .tail(first)))
    var tail = Tail(first: first, length: 0, isSettled: false, hasHead: false)
    var end: LogEnd?
    var last: Frame?
    // Frames that are lost show in the numbers of those behind them.
    var next = max(sealedEnd + 1, state.first)
    while let step = scan.next(from: 0, &chain) {
      switch step {
      case .passed, .gap: continue
      case .frame(let frame, let offset):
        if frame.firstSequence > next { state.holes.append(next...frame.firstSequence - 1) }
        next = max(next, frame.lastSequence + 1)
        if end?.joins(frame) != true, frame.start == nil {
          end = pastHole(frame, after: end, &state)
        }
        let before = end ?? frame.start
        end = before?.advanced(by: frame) ?? frame.start?.advanced(by: frame)
        tail.length = offset + frame.length
        tail.hasHead = frame.head != nil
        tail.frameCount = last == nil ? 1 : tail.frameCount + 1
        last = frame
        state.lastBlock = frame.information.blocks.last
      }
    }
    tail.excess = scan.bytes.count - tail.length
    state.newerVersion = scan.newerVersion ?? state.newerVersion
    if last?.lastSequence ?? first <= sealedEnd {
      // It says nothing that the sealed files do not.
      state.lastBlock = nil
      return false
    }
    // A tail appears with a frame in it, so one without has lost what it had.
    guard let last else {
      state.isSound = false
      return false
    }
    state.tail = tail
    if let end {
      state.end = end
    } else {
      state.isSound = false
      state.end = last.endWithoutTable
    }
    return true
  }

  /// The log before a frame that follows a hole and does not tell its table.
  ///
  /// It is the one before the hole, unless events that are lost have added to it: these stay unknown.
  private func pastHole(
    _ frame: Frame, after end: LogEnd?, _ state: inout LogState
  ) -> LogEnd {
    let known = end?.table.prefix(Int(frame.information.tableCount)) ?? []
    let lost = Int(frame.information.tableCount) - known.count
    if lost > 0 { state.isSound = false }
    let unknown = UniqueID(high: 0, low: 0)
    return frame.start(withTable: known + Array(repeating: unknown, count: lost))
  }

  private mutating func readSealed(
    _ segment: SegmentName, _ events: ClosedRange<UInt64>, _ folder: LogFolder,
    _ state: inout LogState
  ) throws(DiskError) -> Bool {
    var last = try lastFrame(of: folder.path(of: segment))
    if last == nil || last?.lastSequence != events.upperBound {
      last = nil
      var scan = FileScan(try folder.contents(of: segment))
      while let step = scan.next(from: 0, &chain) {
        if case .frame(let frame, _) = step { last = frame }
      }
      state.newerVersion = scan.newerVersion ?? state.newerVersion
    }
    guard let last else {
      state.isSound = false
      return false
    }
    let end = last.start?.advanced(by: last)
    state.end = end ?? last.endWithoutTable
    state.lastBlock = last.information.blocks.last
    if end == nil || last.lastSequence != events.upperBound { state.isSound = false }
    return true
  }

  /// Takes from the first frame of a branch where it leaves its trunk.
  private mutating func readStart(
    _ folder: LogFolder, _ state: inout LogState
  ) throws(DiskError) {
    guard let segment = try folder.segments().first else { return }
    var scan = FileScan(try folder.contents(of: segment))
    while let step = scan.next(from: 0, &chain) {
      guard case .frame(let frame, _) = step else { continue }
      if frame.firstSequence == state.first { state.base = frame.information.hash }
      return
    }
  }

  /// The last frame of a file, found by hopping over the others by their lengths.
  ///
  /// - Returns: nil where that leads nowhere.
  private mutating func lastFrame(of path: Path) throws(DiskError) -> Frame? {
    let file = try OpenFile(path, .read, on: disk)
    let size = try file.size()
    var offset = 0
    while offset < size {
      let bytes = try file.read(at: offset, count: FrameEnvelope.byteCount)
      // Damage, or zeros behind the last frame: the caller reads all of the file.
      guard let envelope = try? FrameEnvelope(bytes.span, at: 0) else { return nil }
      guard offset + envelope.length >= size else {
        offset += envelope.length
        continue
      }
      let whole = try file.read(at: offset, count: envelope.length)
      return try? Frame.decode(whole.span, at: 0, &chain)
    }
    return nil
  }
}
