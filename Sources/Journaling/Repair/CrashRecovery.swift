import Bytes
import Platform

/// Repairs the files of a journal after a crash.
struct CrashRecovery {
  let store: SegmentStore
  let index: LogIndex
  let quarantine: Quarantine
  let renewer: DoubtRenewer
  let remover: CoveredFileRemover
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
    try joiner.joinStrands(besides: own)
    return repairs
  }

  /// Whether events that were acknowledged, and that peers may hold, can be missing at the end of a log.
  func endsInDamage(_ log: UniqueID) throws(JournalError) -> Bool {
    guard let state = index.states[log], let tail = state.tail else { return false }
    var rest: [UInt8] = []
    if tail.excess > 0 {
      let path = store.folder(log, state).path(of: .tail(tail.first))
      rest = try onDisk { () throws(DiskError) in
        try OpenFile(path, .read, on: store.disk).read(at: tail.length, count: Limit.fileBytes)
      }
    }
    return TailCase(hasSkippedBytes: tail.hasSkippedBytes, TailCase.Rest(rest, behind: state.end))
      .isDamage
  }
}
