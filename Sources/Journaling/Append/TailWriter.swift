import Bytes
import Platform

/// Writes frames behind the end of a log.
struct TailWriter {
  let store: SegmentStore
  let index: LogIndex
  let sealer: SegmentSealer
  let flusher: Flusher
  let quarantine: Quarantine

  /// Appends frames to the tail, or makes one of them.
  func writeToTail(_ drafts: [FrameDraft], of log: UniqueID) throws(JournalError) {
    guard let state = index.states[log] else { return }
    guard let tail = state.tail else {
      guard let first = drafts.first else { return }
      // A file begins with one frame, so the name of one with more has been flushed.
      try beginTail(with: first, state, of: log)
      return try writeToTail(Array(drafts.dropFirst()), of: log)
    }
    if !drafts.isEmpty { try extend(tail, by: drafts, state, of: log) }
  }

  private func beginTail(
    with draft: FrameDraft, _ state: LogState, of log: UniqueID
  ) throws(JournalError) {
    let bytes = try draft.packed(for: log, level: .quick, withTable: true)
    let folder = store.folder(log, state)
    let name = SegmentName.tail(draft.start.sequence + 1)
    try sealer.checkUnchanged(folder, of: log, from: name.first)
    try store.writing { () throws(DiskError) in
      try store.disk.makeDirectories(folder.path)
      try store.disk.replace(folder.path(of: name), with: bytes)
    }
    try flusher.settleNames(of: [log])
    index.states[log]?.tail = Tail(
      first: name.first, length: bytes.count, isSettled: true, hasHead: draft.head != nil,
      hashes: [draft.end.sequence: draft.end.hash])
  }

  private func extend(
    _ tail: Tail, by drafts: [FrameDraft], _ state: LogState, of log: UniqueID
  ) throws(JournalError) {
    var frames: [[UInt8]] = []
    for draft in drafts {
      frames.append(try draft.packedUnread(level: .quick, withTable: false))
    }
    // What an earlier process left behind its last frame is set aside first.
    if tail.excess > 0 { try quarantine.trim(tail, in: store.folder(log, state), of: log) }
    let open = try opened(tail, state, of: log)
    let isUnchanged = try onDisk { () throws(DiskError) in
      try open.file.size() == tail.length
    }
    guard isUnchanged else { throw .changed(log) }
    try write(frames, of: drafts, to: open.file, behind: tail, of: log)
    store.openTail = consume open
    // Its bytes are flushed, also those that an earlier process wrote.
    if !tail.isSettled { index.states[log]?.tail?.isSettled = true }
    if !state.isNamed { try flusher.settleNames(of: [log]) }
    var longer = tail
    longer.length += frames.reduce(0) { $0 + $1.count }
    longer.excess = 0
    longer.hasHead = drafts.last?.head != nil
    longer.frameCount += drafts.count
    for draft in drafts { longer.hashes[draft.end.sequence] = draft.end.hash }
    longer.isSettled = true
    index.states[log]?.tail = longer
  }

  /// Writes frames behind the end of a tail, and reads them once more while the system writes.
  private func write(
    _ frames: [[UInt8]], of drafts: [FrameDraft], to file: borrowing OpenFile, behind tail: Tail,
    of log: UniqueID
  ) throws(JournalError) {
    do throws(DiskError) {
      // After a failed flush the system may take bytes for flushed that are not. So the bytes of an
      // earlier process are written once more, and this flush is for them, too. What was durable
      // cannot be torn by it: every byte that stood there keeps its value, whatever part of the
      // write arrives.
      let before = tail.isSettled ? [] : try file.read(at: 0, count: tail.length)
      let (bytes, offset) = (frames.reduce(into: before, +=), tail.length - before.count)
      do throws(DiskError) {
        try file.write(bytes, at: offset)
      } catch {
        cutOff(file, behind: tail)
        throw error
      }
      try file.beginWriting(at: offset, count: bytes.count)
    } catch {
      throw store.noted(error)
    }
    do throws(JournalError) {
      for (frame, draft) in zip(frames, drafts) { try draft.check(frame, in: log) }
    } catch {
      cutOff(file, behind: tail)
      throw error
    }
    do throws(DiskError) { try file.flush() } catch { throw store.noted(error) }
  }

  /// Takes back what was written and is not to stay.
  private func cutOff(_ file: borrowing OpenFile, behind tail: Tail) {
    // What cannot be cut off now is set aside by the next process.
    do throws(DiskError) { try file.truncate(to: tail.length) } catch { store.poison() }
  }

  /// The tail's file, held open since the last append or opened now.
  private func opened(
    _ tail: Tail, _ state: LogState, of log: UniqueID
  ) throws(JournalError) -> OpenTail {
    if let open = store.openTail.take(), open.log == log, open.first == tail.first { return open }
    let folder = store.folder(log, state)
    guard !store.isPoisoned else { throw .poisoned }
    do throws(DiskError) {
      let file = try OpenFile(folder.path(of: .tail(tail.first)), .write, on: store.disk)
      // An earlier process may have died before it flushed the name.
      if !tail.isSettled, tail.frameCount == 1, try file.size() == tail.length {
        try store.disk.flushDirectory(folder.path)
      }
      return OpenTail(log: log, first: tail.first, file: file)
    } catch {
      throw store.noted(error)
    }
  }

  /// Writes commands whose flush has failed into a new file, once.
  ///
  /// The tail goes along, and the file takes its place: so nothing of it is in doubt any more, and no
  /// event lies twice. The mark has to be there first: a crash before the name is flushed leaves the
  /// doubt to the next process.
  func rescue(
    _ drafts: [FrameDraft], of log: UniqueID, after failure: JournalError
  ) throws(JournalError) {
    guard store.isPoisoned, store.isMarked, let state = index.states[log],
      let first = drafts.first
    else { throw failure }
    let name = SegmentName.tail(state.tail?.first ?? first.start.sequence + 1)
    let folder = store.folder(log, state)
    let path = folder.path(of: name)
    // A new file helps where the file or its name is in doubt, and not where the folder's own name is.
    if case .disk(let error) = failure, error.operation == .flushDirectory,
      error.path != folder.path
    {
      throw failure
    }
    var tail =
      state.tail
      ?? Tail(first: name.first, length: 0, isSettled: true, hasHead: false, frameCount: 0)
    do throws(JournalError) {
      let bytes = try joined(tail, drafts, of: log, in: folder)
      try onDisk { () throws(DiskError) in try store.disk.replace(path, with: bytes) }
      tail.length = bytes.count
    } catch {
      // The first failure is the one to tell.
      throw failure
    }
    tail.isSettled = true
    tail.excess = 0
    tail.hasHead = drafts.last?.head != nil
    tail.frameCount += drafts.count
    index.states[log]?.tail = tail
  }

  /// A tail as it was, with more frames behind.
  private func joined(
    _ tail: Tail, _ drafts: [FrameDraft], of log: UniqueID, in folder: LogFolder
  ) throws(JournalError) -> [UInt8] {
    var chain = Chain()
    let name = SegmentName.tail(tail.first)
    var bytes = try onDisk { () throws(DiskError) -> [UInt8] in
      guard tail.length > 0 else { return [] }
      let file = try OpenFile(folder.path(of: name), .read, on: store.disk)
      return try file.read(at: 0, count: tail.length)
    }
    for draft in drafts {
      bytes += try draft.packed(for: log, level: .quick, withTable: bytes.isEmpty)
    }
    var scan = folder.scan(bytes, of: name)
    var count = 0
    while let step = scan.next(from: 0, &chain) {
      if case .frame = step { count += 1 }
    }
    // What memory shows of the file is believed as far as its checksums go.
    guard count == tail.frameCount + drafts.count else { throw .damaged(log) }
    return bytes
  }
}
