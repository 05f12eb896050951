import Bytes
import Domain
import Journaling
import Platform
import ReadModel

/// Compares the file of the read model with the logs.
struct ReadModelCheck {
  let store: LogStore
  let projector: Projector
  let lossTracker: LossTracker

  /// The path of the read model; nil if it is in memory.
  var path: Path? {
    if case .file(let path) = projector.place { Path(path) } else { nil }
  }

  /// Returns the state of the file, without updating it first.
  func state() throws(DaybookError) -> Finding.ViewState {
    for _ in 1...LogStore.attempts {
      if let state = try stateNow() { return state }
      try store.lookAgain(always: true)
    }
    return .unchecked
  }

  /// The state of the file; nil if another process has changed it in the meantime.
  private func stateNow() throws(DaybookError) -> Finding.ViewState? {
    do throws(DaybookError) {
      guard let path, let model = try projector.files.existing(at: path.string) else {
        return Finding.ViewState.none
      }
      try wrap(DaybookError.view) { () throws(ReadModelError) in try model.check() }
      let logs = Set(store.journal.logs.map(Mark.init))
      guard try marks(in: model) == logs else { return try stateBesideLogs() }
      return try comparison(of: model, at: logs)
    } catch {
      if case .view(let fault) = error, !fault.isRefusalOfTheDisk { return .damaged }
      return .unchecked
    }
  }

  /// The last event of each log in the read model.
  private func marks(in model: ReadModel) throws(DaybookError) -> Set<Mark> {
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      Set(try model.logs.positions().lazy.filter { $0.sequence > 0 }.map(Mark.init))
    }
  }

  /// The state of a file that ends at other events than the logs; nil if this process has not read the newest logs.
  private func stateBesideLogs() throws(DaybookError) -> Finding.ViewState? {
    let ends = projector.postedEnds()
    guard try areBeyondLogs(ends) else { return .behind }
    // Events are in the logs before they are posted.
    try store.lookAgain(always: true)
    return try areBeyondLogs(ends) ? .ahead : nil
  }

  /// Whether any of the given events of the read model is after the end of its log.
  private func areBeyondLogs(_ ends: [Landmark]) throws(DaybookError) -> Bool {
    let (held, tree) = (store.heldEnds(), store.logTree)
    for end in ends where try !lossTracker.isHere(end, by: held, in: tree) { return true }
    return false
  }

  /// Compares the records of an up-to-date read model with a fold of the logs.
  ///
  /// - Returns: ``Finding/ViewState/current`` without a comparison if the logs cannot be folded in memory at once,
  ///   for example because they are too large or have forked; nil if other events were posted during the fold.
  private func comparison(
    of model: ReadModel, at logs: Set<Mark>
  ) throws(DaybookError) -> Finding.ViewState? {
    guard
      let fold = try projector.replayer.foldAtOnce(upTo: .foldable(within: projector.memoryLimit))
    else { return .current }
    return try model.snapshot(failingAs: DaybookError.view) {
      () throws(DaybookError) -> Finding.ViewState? in
      guard try marks(in: model) == logs else { return nil }
      let causality = try projector.remembered(by: model).causality
      let agrees = try wrap(DaybookError.view) { () throws(ReadModelError) in
        try model.stateDigest.freshDigest(causality: causality) == fold.records.digest()
      }
      if agrees { return .current }
      let posted = try projector.ledger(of: model) ?? Ledger()
      return fold.posting.ledger.lacksEvents(of: posted) ? .ahead : .damaged
    }
  }

  /// The last event of a log, according to either the journal or the read model.
  private struct Mark: Hashable {
    var log: UniqueID
    var sequence: UInt64
    var hash: UniqueID

    init(_ position: LogPosition) {
      (log, sequence, hash) = (position.id, position.sequence, position.hash)
    }

    init(_ log: UniqueID, _ end: LogEnd) {
      (self.log, sequence, hash) = (log, end.sequence, end.hash.prefix16)
    }
  }
}
