import Bytes
import Platform

/// Reads the ends of logs from their files.
struct LogLoader {
  let store: SegmentStore
  let index: LogIndex
  let surveyor: BranchSurveyor
  let recaller: LogRecaller

  /// The caches that are searched before a file of a strand is read.
  private struct Sources {
    /// Files of the replica that have just been read.
    var cache: SegmentCache?
    /// The ends of logs as they were last read.
    var logEndCache: LogEndCache?
  }

  /// Reads the ends of all strands of the given replica, or takes them from a cache.
  func load(
    _ replica: UniqueID, from shelf: LogShelf, recalling logEndCache: LogEndCache?
  ) throws(JournalError) {
    let root = store.folder(replica, of: replica, shelf).path
    let branches = try onDisk { () throws(DiskError) in try store.ids(in: root) }
    // The end of one strand may be in the same file as the event after which another strand forks from it.
    let cache = branches.isEmpty ? nil : SegmentCache()
    let sources = Sources(cache: cache, logEndCache: cache == nil ? logEndCache : nil)
    try load(replica, of: replica, from: shelf, sources)
    for branch in branches { try load(branch, of: replica, from: shelf, sources) }
    if !branches.isEmpty { try surveyor.findTrunks(of: replica, reading: cache) }
  }

  /// Reads the end of the given strand.
  func load(
    _ strand: UniqueID, of replica: UniqueID, from shelf: LogShelf
  ) throws(JournalError) {
    try load(strand, of: replica, from: shelf, Sources())
  }

  private func load(
    _ strand: UniqueID, of replica: UniqueID, from shelf: LogShelf, _ sources: Sources
  ) throws(JournalError) {
    let folder = store.folder(strand, of: replica, shelf)
    // After the folder was listed, another process may have sealed a tail and so removed a file.
    for _ in 0..<8 {
      do throws(DiskError) {
        var state = try read(folder, on: shelf, sources)
        // A crash during the first write of a log leaves a folder without a complete frame.
        if state.end.sequence == 0, state.ending.isSound { return }
        if strand != replica { try readStart(folder, &state, sources.cache) }
        state.publicKey = index.states[strand]?.publicKey
        index.states[strand] = state
        return
      } catch {
        guard error.reason == .notFound else { throw .disk(error) }
        // If another process has admitted the log, it is found on the other shelf, which is listed later.
        if shelf == .aside, try !exists(folder) { return }
      }
    }
    throw .disk(DiskError(.list, folder.path, .notFound))
  }

  private func exists(_ folder: LogFolder) throws(JournalError) -> Bool {
    do throws(DiskError) {
      return try store.disk.status(folder.path) != nil
    } catch {
      throw .disk(error)
    }
  }

  private func read(
    _ folder: LogFolder, on shelf: LogShelf, _ sources: Sources
  ) throws(DiskError) -> LogState {
    let replica = folder.replica
    var state = LogState(shelf: shelf, replica: replica, end: .zero(of: replica))
    let segments = try folder.segments()
    if let logEndCache = sources.logEndCache,
      let known = try recaller.recalled(segments, in: folder, on: shelf, by: logEndCache)
    {
      return known
    }
    state.first = folder.path.name == replica.hex ? 1 : segments.first?.first ?? 1
    let tails = try readTails(among: segments, in: folder, &state, sources.cache)
    // The last event of the unread files, according to their names.
    var named = segments.sealedEnd
    // Try the files in descending order of their last events until one can be read.
    for segment in Self.ascending(segments, tails).reversed() {
      switch segment {
      case .tail(let first):
        guard let tail = tails[first], tail.counts else { continue }
        if state.take(tail) { return state.ending(named: named) }
        named = max(named, first)
      case .sealed(let events):
        if try isOutlived(events, by: tails, folder, sources.cache) { continue }
        if try readSealed(events, folder, &state, sources.cache) {
          if state.ending == .unclear {
            let read = segments.prefix { $0 != segment } + [segment]
            state.end.table = try table(after: read, tails, folder, sources.cache)
          }
          return state.ending(named: named)
        }
      }
      // The unreadable events may have added logs to the table.
      state.ending = .unclear
    }
    return named > 0 ? state.ending(named: max(state.first, named)) : state
  }

  /// The given files in the order of their last events.
  ///
  /// A tail can reach beyond a sealed file that begins after it.
  private static func ascending(
    _ segments: [SegmentName], _ tails: [UInt64: TailReading]
  ) -> [SegmentName] {
    let ends = segments.map { segment in
      switch segment {
      case .sealed(let events): events.upperBound
      case .tail(let first): max(first, (tails[first]?.next ?? first) - 1)
      }
    }
    return zip(ends, segments).enumerated().sorted {
      ($0.element.0, $0.offset) < ($1.element.0, $1.offset)
    }.map(\.element.1)
  }

  /// Reads the tails, and finds the events that are lost in the tails and between files.
  ///
  /// The name of a sealed file states its range, but a tail has to be read. There is more than one tail if damage
  /// prevented the first from being sealed.
  private func readTails(
    among segments: [SegmentName], in folder: LogFolder, _ state: inout LogState,
    _ cache: SegmentCache?
  ) throws(DiskError) -> [UInt64: TailReading] {
    var tails: [UInt64: TailReading] = [:]
    var next = state.first
    for (place, segment) in segments.enumerated() {
      switch segment {
      case .sealed(let events):
        if events.lowerBound > next { state.losses.add(events: [next...events.lowerBound - 1]) }
        next = max(next, events.upperBound + 1)
      case .tail(let first):
        var tail = try readTail(first, folder, behind: next, cache)
        if !tail.ending.isSound, place > 0 {
          let table = try table(after: segments[..<place], tails, folder, cache)
          let isSealed = segments.contains { $0.isSealed(endingAt: next - 1) }
          tail = try readTail(
            first, folder, behind: next, cache, before: (table: table, isSealed: isSealed))
        }
        state.newerVersion = tail.newerVersion ?? state.newerVersion
        state.losses.add(events: tail.holes)
        next = tail.next
        tails[first] = tail
      }
    }
    return tails
  }

  /// Reads a tail, given the first event that the files before it do not hold.
  ///
  /// If the tail does not contain its own table, the table at the end of the files before the tail is needed. If these
  /// files end in a sealed file, events can follow the tail even then.
  private func readTail(
    _ first: UInt64, _ folder: LogFolder, behind next: UInt64, _ cache: SegmentCache?,
    before: (table: [UniqueID], isSealed: Bool)? = nil
  ) throws(DiskError) -> TailReading {
    var chain = Chain()
    let bytes = try folder.contents(of: .tail(first), keptIn: cache)
    let known =
      before == nil
      ? store.tailCache.tail(in: bytes, first: first, behind: next, of: folder) : nil
    var reading =
      known?.reading
      ?? TailReading(
        first: first, next: next, behind: before?.table ?? [],
        isTableSealed: before?.isSealed ?? false)
    var scan = folder.scan(bytes, of: .tail(first), behind: known)
    while let step = scan.next(from: 0, &chain) {
      switch step {
      case .frame(let frame, let offset): reading.take(frame, at: offset)
      case .gap(let range, _, _):
        if let frame = scan.kept { reading.keep(frame, at: range.lowerBound) }
      case .passed: continue
      }
    }
    reading.newerVersion = scan.newerVersion
    // If no frame was added, the cache is up to date.
    if known?.length != reading.tail.length {
      store.tailCache.keep(reading, scan.order, of: bytes, in: folder)
    }
    reading.tail.excess = bytes.count - reading.tail.length
    return reading
  }

  /// The table after the given files, as far as their frames and events contain it.
  private func table(
    after segments: ArraySlice<SegmentName>, _ tails: [UInt64: TailReading], _ folder: LogFolder,
    _ cache: SegmentCache?
  ) throws(DiskError) -> [UniqueID] {
    guard let segment = segments.last else { return [] }
    switch segment {
    case .tail(let first):
      if let tail = tails[first], tail.counts, let end = tail.end { return end.table }
      return try table(after: segments.dropLast(), tails, folder, cache)
    case .sealed(let events):
      if let end = try lastFrame(ofSealed: events, folder, cache).frame?.end { return end.table }
      var table = try table(after: segments.dropLast(), tails, folder, cache)
      var chain = Chain()
      var scan = folder.scan(try folder.contents(of: segment, keptIn: cache), of: segment)
      while let step = scan.next(from: 0, &chain) {
        if case .frame(let frame, _) = step {
          table = frame.table(continuing: table) + frame.introduced
        }
      }
      return table
    }
  }

  private func readSealed(
    _ events: ClosedRange<UInt64>, _ folder: LogFolder, _ state: inout LogState,
    _ cache: SegmentCache?
  ) throws(DiskError) -> Bool {
    let last = try lastFrame(ofSealed: events, folder, cache)
    state.newerVersion = last.newerVersion ?? state.newerVersion
    guard let frame = last.frame else { return false }
    state.end = frame.end ?? frame.endWithoutTable
    state.lastBlock = frame.information.blocks.last
    if frame.end == nil || frame.lastSequence != events.upperBound { state.ending = .unclear }
    return true
  }

  /// Whether a sealed file lacks its last event, and a tail that begins before the file has that event.
  private func isOutlived(
    _ events: ClosedRange<UInt64>, by tails: [UInt64: TailReading], _ folder: LogFolder,
    _ cache: SegmentCache?
  ) throws(DiskError) -> Bool {
    let isHeld = tails.contains { first, tail in
      tail.counts && first < events.lowerBound && tail.next > events.upperBound
    }
    guard isHeld else { return false }
    let last = try lastFrame(ofSealed: events, folder, cache)
    return last.newerVersion == nil && last.frame?.lastSequence != events.upperBound
  }

  /// The last readable frame of a sealed file, and the version of a newer frame in the file.
  private func lastFrame(
    ofSealed events: ClosedRange<UInt64>, _ folder: LogFolder, _ cache: SegmentCache?
  ) throws(DiskError) -> (frame: Frame?, newerVersion: UInt8?) {
    let segment = SegmentName.sealed(events)
    if let last = try lastFrame(of: segment, in: folder, cache),
      last.lastSequence == events.upperBound
    {
      return (last, nil)
    }
    var chain = Chain()
    var last: Frame?
    var scan = folder.scan(try folder.contents(of: segment, keptIn: cache), of: segment)
    while let step = scan.next(from: 0, &chain) {
      if case .frame(let frame, _) = step { last = frame }
    }
    return (last, scan.newerVersion)
  }

  /// Reads the start of a branch from its first frame.
  private func readStart(
    _ folder: LogFolder, _ state: inout LogState, _ cache: SegmentCache?
  ) throws(DiskError) {
    var chain = Chain()
    guard let segment = try folder.segments().first else { return }
    var scan = folder.scan(try folder.contents(of: segment, keptIn: cache), of: segment)
    while let step = scan.next(from: 0, &chain) {
      guard case .frame(let frame, _) = step else { continue }
      guard frame.firstSequence == state.first else { return }
      state.isOrphaned = frame.branch(beginningAt: 0)?.hex != folder.path.name
      state.before = frame.information.hash
      return
    }
  }

  /// The last frame of a file, found by skipping the other frames according to their lengths.
  ///
  /// - Returns: The frame, or nil if the lengths do not lead to a valid last frame of the log.
  private func lastFrame(
    of segment: SegmentName, in folder: LogFolder, _ cache: SegmentCache?
  ) throws(DiskError) -> Frame? {
    var chain = Chain()
    if cache != nil {
      // Other strands may need the rest of the file, so all of it is read.
      return folder.scan(try folder.contents(of: segment, keptIn: cache), of: segment).lastFrame(
        &chain)
    }
    let order = FrameOrder(of: folder.replica, named: segment.events)
    guard let file = try folder.open(segment) else { return nil }
    let size = try file.size()
    var offset = 0
    while offset < size {
      let bytes = try file.read(at: offset, count: FrameEnvelope.byteCount)
      // If damage, a frame of another log, or zeros follow the last frame, the caller reads the whole file.
      guard let envelope = try? FrameEnvelope(bytes.span, at: 0), order.owns(envelope) else {
        return nil
      }
      guard offset + envelope.length >= size else {
        offset += envelope.length
        continue
      }
      let whole = try file.read(at: offset, count: envelope.length)
      if let frame = store.frameCache.frame(in: whole, at: 0) { return frame }
      return try? Frame.decode(whole.span, at: 0, &chain)
    }
    return nil
  }
}

extension LogState {
  /// Sets the log's end to the end of a tail.
  ///
  /// - Returns: false if the tail contains no frame. The tail was created with a frame, so that frame is lost.
  fileprivate mutating func take(_ reading: TailReading) -> Bool {
    guard let end = reading.end else { return false }
    self.end = end
    lastBlock = reading.lastBlock
    tail = reading.tail
    if !reading.ending.isSound { ending = reading.ending }
    return true
  }

  /// The state if the names of files show events up to `last`.
  fileprivate func ending(named last: UInt64) -> LogState {
    guard last > end.sequence else { return self }
    var state = self
    state.ending = .lost(max(first, end.sequence + 1)...last)
    // The ending contains the lost events after the end.
    state.losses.replace(events: losses.events.within(0...end.sequence))
    return state
  }
}

extension Frame {
  /// The end of the log after the frame; nil if the frame does not contain its table.
  fileprivate var end: LogEnd? { start?.advanced(by: self) }
}

extension SegmentName {
  /// Whether this is a sealed file with the given last event in its name.
  fileprivate func isSealed(endingAt sequence: UInt64) -> Bool {
    if case .sealed(let events) = self { events.upperBound == sequence } else { false }
  }
}

extension [SegmentName] {
  /// The last event in the names of the sealed files, or 0.
  var sealedEnd: UInt64 {
    reduce(0) { end, segment in
      if case .sealed(let events) = segment { Swift.max(end, events.upperBound) } else { end }
    }
  }
}
