import Bytes
import Crypto
import Platform

/// Packs tails into sealed files.
struct SegmentSealer {
  let store: SegmentStore
  let index: LogIndex
  let flusher: Flusher
  let quarantine: Quarantine

  /// Packs the tail of the given log into a sealed file.
  func seal(_ log: UniqueID, keys: (any SigningSource)?) throws(JournalError) {
    guard let state = index.states[log], let tail = state.tail else { return }
    precondition(!state.isRecalled, "the log was read")
    guard !store.isPoisoned else { throw .poisoned }
    guard state.ending.isSound else { throw .damaged(log) }
    guard keys != nil || tail.hasHead else { return }
    let folder = store.folder(log, state)
    if tail.excess > 0 { try quarantine.trim(tail, in: folder, of: log) }
    guard var drafts = try repack(tail, of: log, in: folder, signing: keys != nil) else { return }
    if let keys { try sign(&drafts, of: log, with: keys) }
    try writeSealed(drafts, of: log)
    removeTail(of: log)
  }

  /// Removes the tail of the given log after it has been sealed.
  func removeTail(of log: UniqueID) {
    guard let state = index.states[log], let tail = state.tail else { return }
    index.states[log]?.tail = nil
    let path = store.folder(log, state).path(of: .tail(tail.first))
    // If the removal fails, readers ignore the tail, and the next recovery removes it.
    try? store.writing { () throws(DiskError) in try store.disk.remove(path) }
  }

  /// Packs the events of a tail into as few frames as possible.
  ///
  /// - Returns: The drafts, or nil if the tail is damaged, in which case it is not changed.
  private func repack(
    _ tail: Tail, of log: UniqueID, in folder: LogFolder, signing: Bool
  ) throws(JournalError) -> [FrameDraft]? {
    var chain = Chain()
    var frames: [Frame] = []
    do throws(DiskError) {
      var scan = try folder.scan(.tail(tail.first))
      while let step = scan.next(from: 0, &chain) {
        guard case .frame(let frame, _) = step else { return nil }
        frames.append(frame)
      }
    } catch {
      throw .disk(error)
    }
    guard frames.last?.lastSequence == index.states[log]?.end.sequence else { throw .changed(log) }
    guard let start = frames.first?.start else { return nil }
    return join(frames, after: start, signing: signing)
  }

  /// Joins consecutive frames up to the target size.
  ///
  /// - Parameters:
  ///   - frames: The frames.
  ///   - start: The end of the log before the first frame.
  ///   - signing: Whether every draft can be signed. If not, drafts end at the heads of the frames.
  /// - Returns: The drafts, or nil if the frames do not continue each other, or if the last draft has no head and
  ///   cannot be signed.
  func join(
    _ frames: [Frame], after start: LogEnd, signing: Bool
  ) -> [FrameDraft]? {
    var chain = Chain()
    var drafts: [FrameDraft] = []
    var draft = FrameDraft(after: start)
    for frame in frames {
      let next = draft.end.sequence + 1
      let index = Int(clamping: next - min(next, frame.firstSequence))
      let hasRoom = draft.hasRoom(
        forEvents: frame.events.count - index, bytes: frame.eventRange.count)
      if !draft.isEmpty, !hasRoom, signing || draft.head != nil {
        drafts.append(draft)
        draft = FrameDraft(after: draft.end)
      }
      guard draft.append(frame, from: index, &chain) else { return nil }
    }
    guard !draft.isEmpty, signing || draft.head != nil else { return nil }
    return drafts + [draft]
  }

  /// Signs the end of each draft.
  func sign(
    _ drafts: inout [FrameDraft], of log: UniqueID, with keys: any SigningSource
  ) throws(JournalError) {
    do throws(CryptoError) {
      let key = try keys.signingKey()
      for index in drafts.indices {
        drafts[index].head = try Head(of: log, at: drafts[index].end, by: key)
      }
    } catch {
      throw .signing(error)
    }
  }

  /// Writes drafts into sealed files.
  ///
  /// Each file is flushed before it gets its name.
  func writeSealed(
    _ drafts: [FrameDraft], of log: UniqueID, level: PackingLevel = .sealed
  ) throws(JournalError) {
    guard let state = index.states[log] else { preconditionFailure("the log is known") }
    guard let begin = drafts.first?.firstStored else { return }
    let folder = store.folder(log, state)
    try store.writing { () throws(DiskError) in try store.disk.makeDirectories(folder.path) }
    try checkUnchanged(folder, of: log, from: begin)
    var bytes: [UInt8] = []
    var first = drafts.first
    let frames = sealedFrames(drafts, of: log, level: level)
    for (index, draft) in drafts.enumerated() {
      bytes += try frames.part(index).get()
      let isLast = index == drafts.count - 1
      let isFull = !isLast && bytes.count + drafts[index + 1].byteLimit > Limit.segmentBytes
      guard isLast || isFull else { continue }
      guard let begin = first else { return }
      let name = SegmentName.sealed(begin.firstStored...draft.end.sequence)
      try store.writing { () throws(DiskError) in
        try store.disk.replace(folder.path(of: name), with: bytes)
      }
      try flusher.settleNames(of: [log])
      advance(log, to: draft)
      bytes = []
      first = isLast ? nil : drafts[index + 1]
    }
  }

  /// The packed frames of drafts, prepared on another thread if the machine has threads.
  ///
  /// A draft that is a received frame keeps its bytes. Other drafts are packed and checked.
  private func sealedFrames(
    _ drafts: [FrameDraft], of log: UniqueID, level: PackingLevel
  ) -> ParallelPrefetcher<Result<[UInt8], JournalError>> {
    ParallelPrefetcher(drafts.count, lead: 4, beside: store.beside) { place in
      let draft = drafts[place]
      if let original = draft.original { return .success(original.bytes) }
      do throws(JournalError) {
        return .success(try draft.packed(for: log, level: level, withTable: true))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Advances the end of the given log to the end of a draft, unless the log's end is already beyond that.
  private func advance(_ log: UniqueID, to draft: FrameDraft) {
    guard let end = index.states[log]?.end.sequence, draft.end.sequence > end else { return }
    index.states[log]?.advance(to: draft)
  }

  /// Checks that no file but the known tail holds the event with the given sequence or later events.
  ///
  /// Otherwise a new file could replace one that another process has written.
  ///
  /// - Throws: ``JournalError/changed(_:)`` if there is such a file.
  func checkUnchanged(
    _ folder: LogFolder, of log: UniqueID, from first: UInt64
  ) throws(JournalError) {
    let known = index.states[log]?.tail?.first
    let segments: [SegmentName]
    do throws(DiskError) {
      segments = try folder.segments()
    } catch {
      // Without a folder, no other process can have written this log.
      if error.reason == .notFound { return }
      throw .disk(error)
    }
    let isChanged = segments.contains { segment in
      switch segment {
      case .sealed(let events): events.upperBound >= first
      case .tail(let start): start >= first && start != known
      }
    }
    if isChanged { throw .changed(log) }
  }
}
