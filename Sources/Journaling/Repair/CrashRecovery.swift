import Bytes
import Platform

/// Repairs the files of a journal after a crash.
struct CrashRecovery {
  let store: SegmentStore
  let index: LogIndex
  let lossKeeper: LossKeeper
  let quarantine: Quarantine
  let renewer: DoubtRenewer
  let remover: CoveredFileRemover
  let extender: StrandExtender
  let joiner: StrandJoiner

  /// Repairs the files of all logs.
  func recover(for own: UniqueID? = nil) throws(JournalError) -> [Repair] {
    guard !store.isPoisoned else { throw .poisoned }
    try index.refuseNewer()
    var repairs = try renewer.renewDoubtful()
    for log in index.states.keys.sorted() {
      repairs += try remover.removeNeedless(of: log)
      guard let state = index.states[log], let tail = state.tail else { continue }
      let folder = store.folder(log, state)
      if tail.excess > 0, tail.length > 0 {
        repairs += try quarantine.trim(tail, in: folder, of: log)
      }
    }
    try extender.extendStrands(besides: own)
    try joiner.joinStrands(besides: own)
    try lossKeeper.recordNewHoles()
    return repairs
  }

  /// Whether events that were acknowledged, and that peers may hold, can be missing at the end of the given log.
  func endsInDamage(_ log: UniqueID) throws(JournalError) -> Bool {
    guard let state = index.states[log], let tail = state.tail else { return false }
    let rest = try rest(of: log, state)
    return TailCase(hasSkippedBytes: tail.hasSkippedBytes, TailCase.Rest(rest, behind: state.end))
      .isDamage
  }

  /// The last events in damaged frames after the ends of the book's logs.
  ///
  /// The header of a frame has its own checksum, so a readable header shows which events the frame contained.
  func damagedEnds() throws(JournalError) -> [Landmark] {
    var ends: [Landmark] = []
    for (strand, state) in index.states where state.shelf == .logs {
      do throws(JournalError) {
        let last = Self.lastEvent(in: try rest(of: strand, state), behind: state.end)
        if let last {
          ends.append(
            Landmark(log: index.log(endingIn: strand, state), sequence: last, hash: .none))
        }
      } catch .disk(let error) where error.reason == .notFound {
        // Another process has cut off these bytes and sealed the tail.
      }
    }
    return ends
  }

  /// The sequence of the last event, according to the headers of the frames that continue a log; nil if there is no
  /// such header.
  private static func lastEvent(in bytes: [UInt8], behind end: LogEnd) -> UInt64? {
    let span = bytes.span
    var (offset, last) = (0, end.sequence)
    while offset < span.count {
      guard let frame = try? FrameEnvelope(span, at: offset), frame.replica == end.replica,
        frame.firstSequence == last + 1, frame.length <= span.count - offset
      else { break }
      offset += frame.length
      last = frame.lastSequence
    }
    return offset > 0 ? last : nil
  }

  /// The bytes after the last frame of the given strand's tail.
  private func rest(of strand: UniqueID, _ state: LogState) throws(JournalError) -> [UInt8] {
    guard let tail = state.tail, tail.excess > 0 else { return [] }
    let path = store.folder(strand, state).path(of: .tail(tail.first))
    return try onDisk { () throws(DiskError) in
      try OpenFile(path, .read, on: store.disk).read(at: tail.length, count: Limit.fileBytes)
    }
  }
}
