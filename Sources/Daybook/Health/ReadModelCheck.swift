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
    var attempt = 1
    while true {
      let state = stateNow()
      // If another process is posting to the read model, the file may be ahead of the logs that this process has read.
      guard state == .damaged || state == .ahead, attempt < LogStore.attempts,
        try store.lookAgain()
      else { return state }
      attempt += 1
    }
  }

  private func stateNow() -> Finding.ViewState {
    do throws(DaybookError) {
      guard let path, let model = try projector.files.existing(at: path.string) else {
        return .none
      }
      let positions = try wrap(DaybookError.view) { () throws(ReadModelError) in
        try model.check()
        return Set(try model.logs.positions().lazy.filter { $0.sequence > 0 }.map(Mark.init))
      }
      guard positions == Set(store.journal.logs.map(Mark.init)) else {
        return try isBeyondLogs() ? .ahead : .behind
      }
      return try comparison(of: model)
    } catch {
      if case .view(let fault) = error, !fault.isRefusalOfTheDisk { return .damaged }
      return .unchecked
    }
  }

  /// Whether the read model contains an event after the end of its log.
  private func isBeyondLogs() throws(DaybookError) -> Bool {
    let (held, tree) = (store.heldEnds(), store.logTree)
    for end in projector.postedEnds() where try !lossTracker.isHere(end, by: held, in: tree) {
      return true
    }
    return false
  }

  /// Compares the records of an up-to-date read model with a fold of the logs.
  ///
  /// - Returns: ``Finding/ViewState/current`` without a comparison if the logs cannot be folded in memory at once,
  ///   for example because they are too large or have forked.
  private func comparison(of model: ReadModel) throws(DaybookError) -> Finding.ViewState {
    guard
      let fold = try projector.replayer.foldAtOnce(upTo: .foldable(within: projector.memoryLimit))
    else { return .current }
    let causality = try projector.remembered(by: model).causality
    let agrees = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.stateDigest.freshDigest(causality: causality) == fold.records.digest()
    }
    if agrees { return .current }
    let posted = try projector.ledger(of: model) ?? Ledger()
    return fold.posting.ledger.lacksEvents(of: posted) ? .ahead : .damaged
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
