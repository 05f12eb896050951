package import Bytes
package import Crypto
import Platform

extension Journal {
  /// Packs a log's tail tightly into a sealed file.
  ///
  /// Of another device's log that is only done where a head proves the end; keys are for the logs
  /// of this device alone.
  package mutating func seal(_ log: UniqueID, keys: (any SigningSource)?) throws(JournalError) {
    guard let state = states[log], let tail = state.tail else { return }
    precondition(!state.isRecalled, "who writes has read the log")
    guard !isPoisoned else { throw .poisoned }
    guard state.ending.isSound else { throw .damaged(log) }
    guard keys != nil || tail.hasHead else { return }
    let folder = strandFolder(log, state)
    if tail.excess > 0 { try trim(tail, in: folder, of: log) }
    guard var drafts = try repack(tail, of: log, in: folder, signing: keys != nil) else { return }
    if let keys { try sign(&drafts, of: log, with: keys) }
    try writeSealed(drafts, of: log)
    removeTail(of: log)
  }

  /// Removes the tail of a log after all of it was sealed.
  mutating func removeTail(of log: UniqueID) {
    guard let state = states[log], let tail = state.tail else { return }
    states[log]?.tail = nil
    let (disk, path) = (disk, strandFolder(log, state).path(of: .tail(tail.first)))
    // A tail whose events are sealed is ignored, and removed by whoever recovers next.
    try? writing { () throws(DiskError) in try disk.remove(path) }
  }

  /// The tail's events in as few frames as there can be.
  ///
  /// - Returns: nil where damage forbids it: a hole stays as it is.
  private mutating func repack(
    _ tail: Tail, of log: UniqueID, in folder: LogFolder, signing: Bool
  ) throws(JournalError) -> [FrameDraft]? {
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
    guard frames.last?.lastSequence == states[log]?.end.sequence else { throw .changed(log) }
    guard let start = frames.first?.start else { return nil }
    return join(frames, after: start, signing: signing)
  }

  /// Joins neighbouring frames up to the size wished for.
  ///
  /// `signing` tells whether any boundary can be signed; if not, frames end where a head is.
  ///
  /// - Returns: nil where frames do not follow each other or the last is not proved.
  mutating func join(
    _ frames: [Frame], after start: LogEnd, signing: Bool
  ) -> [FrameDraft]? {
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

  /// Writes frames as sealed files, each flushed before it gets its name.
  mutating func writeSealed(
    _ drafts: [FrameDraft], of log: UniqueID, level: Int = sealedLevel
  ) throws(JournalError) {
    guard let state = states[log] else { preconditionFailure("who writes has a log") }
    guard let begin = drafts.first?.firstStored else { return }
    let folder = strandFolder(log, state)
    let disk = disk
    try writing { () throws(DiskError) in try disk.makeDirectories(folder.path) }
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
      try writing { () throws(DiskError) in
        try disk.replace(folder.path(of: name), with: bytes)
      }
      try settleNames(of: [log])
      advance(log, to: draft)
      bytes = []
      first = isLast ? nil : drafts[index + 1]
    }
  }

  /// The frames of drafts, packed tightly and read once more, on other threads as well.
  private func sealedFrames(
    _ drafts: [FrameDraft], of log: UniqueID, level: Int
  ) -> PartsAhead<Result<[UInt8], JournalError>> {
    PartsAhead(drafts.count, lead: 4, beside: beside) { place in
      let draft = drafts[place]
      if let original = draft.original { return .success(original.bytes) }
      do throws(JournalError) {
        var chain = Chain()
        return .success(
          try Self.encode(draft, of: log, level: level, withTable: true, &chain))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Remembers that a log reaches as far as a draft, unless it reaches further.
  private mutating func advance(_ log: UniqueID, to draft: FrameDraft) {
    guard let end = states[log]?.end.sequence, draft.end.sequence > end else { return }
    states[log]?.advance(to: draft)
  }

  /// The frame of a draft, after reading it once more as any reader will.
  mutating func encode(
    _ draft: FrameDraft, of log: UniqueID, level: Int, withTable: Bool
  ) throws(JournalError) -> [UInt8] {
    try Self.encode(draft, of: log, level: level, withTable: withTable, &chain)
  }

  private static func encode(
    _ draft: FrameDraft, of log: UniqueID, level: Int, withTable: Bool, _ chain: inout Chain
  ) throws(JournalError) -> [UInt8] {
    let frame = try pack(draft, level: level, withTable: withTable)
    try check(frame, of: draft, log, &chain)
    return frame
  }

  /// The frame of a draft, which nobody has read yet.
  static func pack(
    _ draft: FrameDraft, level: Int, withTable: Bool
  ) throws(JournalError) -> [UInt8] {
    guard let frame = draft.encoded(level: level, withTable: withTable) else {
      throw .commandTooLarge(eventCount: draft.count, byteCount: draft.bytes.count)
    }
    return frame
  }

  /// Makes sure that a frame reads as it was drafted.
  static func check(
    _ bytes: [UInt8], of draft: FrameDraft, _ log: UniqueID, _ chain: inout Chain
  ) throws(JournalError) {
    do throws(FrameError) {
      let frame = try Frame.decode(bytes.span, at: 0, &chain)
      precondition(
        frame.events.last?.hash == draft.end.hash && frame.length == bytes.count,
        "a frame reads as it was written")
    } catch {
      throw .unwritable(log, error)
    }
  }

  /// Makes sure that no file holds events from a sequence on, but the tail this journal knows.
  ///
  /// The new file would take the place of what another process has written.
  func checkUnchanged(
    _ folder: LogFolder, of log: UniqueID, from first: UInt64
  ) throws(JournalError) {
    let known = states[log]?.tail?.first
    let segments: [SegmentName]
    do throws(DiskError) {
      segments = try folder.segments()
    } catch {
      // Without a folder nobody has written.
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
