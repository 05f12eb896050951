import Bytes
import Platform

/// Appends frames to tails.
struct TailWriter {
  let store: SegmentStore
  let index: LogIndex
  let sealer: SegmentSealer
  let flusher: Flusher
  let quarantine: Quarantine

  /// Appends frames to the tail of a log, or begins a tail with them.
  func writeToTail(_ drafts: [FrameDraft], of log: UniqueID) throws(JournalError) {
    guard let state = index.states[log] else { return }
    guard let tail = state.tail else {
      guard let first = drafts.first else { return }
      // The file was created with one frame, so if it now contains more, its directory entry has already been flushed.
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
    // If an earlier process left bytes after the last frame, they are copied and cut off.
    if tail.excess > 0 { try quarantine.trim(tail, in: store.folder(log, state), of: log) }
    let open = try opened(tail, state, of: log)
    let isUnchanged = try onDisk { () throws(DiskError) in
      try open.file.size() == tail.length
    }
    guard isUnchanged else { throw .changed(log) }
    try write(frames, of: drafts, to: open.file, behind: tail, of: log)
    store.openTail = consume open
    // All bytes of the file have now been flushed, including those that an earlier process wrote.
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

  /// Writes frames at the end of a tail, and checks them while the system writes.
  private func write(
    _ frames: [[UInt8]], of drafts: [FrameDraft], to file: borrowing OpenFile, behind tail: Tail,
    of log: UniqueID
  ) throws(JournalError) {
    do throws(DiskError) {
      // After a failed flush, the system may mark pages as clean although they were never stored. Therefore, the bytes
      // that an earlier process wrote are written again and flushed together with the new bytes. Their values do not
      // change, so even an incomplete write cannot damage durable bytes.
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

  /// Cuts off bytes that were written at the end of a tail and must not remain there.
  private func cutOff(_ file: borrowing OpenFile, behind tail: Tail) {
    // If the truncation fails, the next process cuts the bytes off.
    do throws(DiskError) { try file.truncate(to: tail.length) } catch { store.poison() }
  }

  /// Returns the open file of a tail: the file that the latest append used, or a newly opened one.
  private func opened(
    _ tail: Tail, _ state: LogState, of log: UniqueID
  ) throws(JournalError) -> OpenTail {
    if let open = store.openTail.take(), open.log == log, open.first == tail.first { return open }
    let folder = store.folder(log, state)
    guard !store.isPoisoned else { throw .poisoned }
    do throws(DiskError) {
      let file = try OpenFile(folder.path(of: .tail(tail.first)), .write, on: store.disk)
      // An earlier process may have ended before it flushed the directory entry.
      if !tail.isSettled, tail.frameCount == 1, try file.size() == tail.length {
        try store.disk.flushDirectory(folder.path)
      }
      return OpenTail(log: log, first: tail.first, file: file)
    } catch {
      throw store.noted(error)
    }
  }

  /// Writes frames whose flush has failed, and the tail before them, into a new file that replaces the tail.
  ///
  /// Afterwards, no byte of the tail is in doubt, and no event is stored twice. The file ``SegmentStore/mark`` must
  /// already be on the disk, so that the next process can resolve the doubt if the machine crashes before the directory
  /// entry is flushed.
  func rescue(
    _ drafts: [FrameDraft], of log: UniqueID, after failure: JournalError
  ) throws(JournalError) {
    guard store.isPoisoned, store.isMarked, let state = index.states[log],
      let first = drafts.first
    else { throw failure }
    let name = SegmentName.tail(state.tail?.first ?? first.start.sequence + 1)
    let folder = store.folder(log, state)
    let path = folder.path(of: name)
    // A new file does not help if the directory entry of the folder itself is in doubt.
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
      // Report the original failure, not the failure of the rescue.
      throw failure
    }
    tail.isSettled = true
    tail.excess = 0
    tail.hasHead = drafts.last?.head != nil
    tail.frameCount += drafts.count
    index.states[log]?.tail = tail
  }

  /// The bytes of the tail, followed by the given frames.
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
    // The cached bytes of the file are used only if the checksums of its frames match.
    guard count == tail.frameCount + drafts.count else { throw .damaged(log) }
    return bytes
  }
}
