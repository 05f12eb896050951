import Bytes
import Domain
import Journaling
import Platform
package import ReadModel

extension Projector {
  /// The result of a rebuild.
  package struct Rebuilt: Sendable {
    package var events: UInt64
    package var milliseconds: Int64
  }

  /// Discards the read model and builds a new one from the logs.
  @discardableResult
  package func rebuild() throws(DaybookError) -> Rebuilt {
    for _ in 1..<LogStore.attempts {
      do throws(DaybookError) {
        return try rebuildOnce()
      } catch {
        // Another process that erased something has removed the draft, which may have contained the erased content.
        guard error.isOfMissingDraft else { throw error }
        try store.lookAgain()
      }
    }
    return try rebuildOnce()
  }

  private func rebuildOnce() throws(DaybookError) -> Rebuilt {
    let start = store.machine.timekeeper.monotonicMilliseconds()
    let former = try formerView()
    try keepLost(of: former)
    let atOnce = try rebuildAtOnce(from: former)
    let events = if let atOnce { atOnce } else { try rebuildWithinMemory(from: former) }
    isViewForgotten = false
    try noteUnseen()
    return Rebuilt(
      events: events, milliseconds: store.machine.timekeeper.monotonicMilliseconds() - start)
  }

  /// Builds the read model in a single reading of the logs.
  ///
  /// - Returns: The number of folded events; nil if there are too many to fold at once, or if the logs must be read
  ///   twice.
  private func rebuildAtOnce(from former: FormerView) throws(DaybookError) -> UInt64? {
    guard var fold = try replayer.foldAtOnce(upTo: .foldable(within: memoryLimit)) else {
      return nil
    }
    try keepHoles(of: former, unlessIn: fold.posting.ledger)
    return try install(&fold)
  }

  /// Builds the read model in a second reading of the logs, in portions if the events do not fit into memory at once.
  private func rebuildWithinMemory(from former: FormerView) throws(DaybookError) -> UInt64 {
    try store.folder.progress.tellingProgress(of: .fold, total: 2 * store.heldEventCount) {
      advance throws(DaybookError) in
      var posting = try replayer.firstPosting(advance)
      try keepHoles(of: former, unlessIn: posting.ledger)
      let charged = posting.ledger.chargedBytes.values.reduce(0, +)
      if Quota(events: store.heldEventCount, bytes: charged).fits(.foldable(within: memoryLimit)) {
        var fold = try replayer.fold(by: posting, advance)
        return try install(&fold)
      }
      try installPortions(by: &posting, advance)
      return posting.ledger.factCount
    }
  }

  /// Records losses that are known only because the log that this machine writes has seen the lost events.
  private func noteUnseen() throws(DaybookError) {
    guard let model, let own = try store.folder.writtenLog() else { return }
    let seen = lossTracker.seenEnds(by: own, try remembered(by: model).causality)
    do throws(DaybookError) {
      try lossTracker.noteLosses(seen)
    } catch {
      guard error.isRefusalOfTheDisk else { throw error }
      try lossTracker.note(seen, in: &store.folder.file.losses)
    }
  }

  /// The state of a read model before it is replaced.
  private struct FormerView {
    /// The last events that were added to the read model.
    var ends: [Landmark]
    /// The ledger of the read model; empty if it cannot be read.
    var ledger: Ledger
  }

  private func formerView() throws(DaybookError) -> FormerView {
    // A read model that cannot be read provides no information.
    let ledger = try? presentModel().flatMap(ledger(of:))
    return FormerView(ends: postedEnds(), ledger: ledger ?? Ledger())
  }

  /// If a former read model contains events after the ends of the logs, keeps a copy of its tables and records where
  /// the logs ended.
  ///
  /// The copy is made before anything is folded.
  private func keepLost(of former: FormerView) throws(DaybookError) {
    guard try isNewLoss(former.ends) else { return }
    // Another process may have written and folded these events after this process read the logs.
    try store.lookAgain(always: true)
    guard try isNewLoss(former.ends) else { return }
    try keepCopy()
    do throws(DaybookError) {
      try lossTracker.noteLosses(former.ends)
    } catch {
      // A read model in a file must be kept, so the error is thrown. A read model in memory ends with this process
      // anyway.
      guard place == .memory, error.isRefusalOfTheDisk else { throw error }
      try lossTracker.note(former.ends, in: &store.folder.file.losses)
    }
  }

  private func isNewLoss(_ ends: [Landmark]) throws(DaybookError) -> Bool {
    let (held, tree) = (store.heldEnds(), store.logTree)
    for end in ends where try !lossTracker.isHere(end, by: held, in: tree) {
      if store.file.losses.ends[end.log].map({ $0.sequence < end.sequence }) ?? true {
        return true
      }
    }
    return false
  }

  /// Keeps a copy of a former read model that contains events that can no longer be read.
  private func keepHoles(of former: FormerView, unlessIn ledger: Ledger) throws(DaybookError) {
    if ledger.lacksEvents(of: former.ledger), !former.ends.isEmpty { try keepCopy() }
  }

  private func keepCopy() throws(DaybookError) {
    guard place != .memory, let model = try presentModel() else { return }
    try ViewsBeforeLoss(of: store.layout, on: store.machine).keep(model)
  }

  /// The book as it was at a given time, in memory.
  ///
  /// The result supports the same queries as the current read model.
  package func view(at moment: Int64) throws(DaybookError) -> ReadModel {
    let fold = try replayer.foldAll { fact, _ in fact.effectiveTime <= moment }
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      try ReadModel.inMemory(from: fold.records, change: change(for: fold.posting))
    }
  }

  func rebuilt() throws(DaybookError) -> ReadModel {
    try rebuild()
    guard let model else { preconditionFailure("a rebuild leaves a read model") }
    return model
  }

  /// Durably removes the read model, before lost events are restored in the middle of logs.
  ///
  /// Afterwards, the ends of the logs would not reveal that the read model lacks these events.
  func forgetView() throws(DaybookError) {
    try lossTracker.noteLosses(postedEnds())
    isViewForgotten = true
    (model, memory) = (nil, nil)
    try removeLeftView()
    if case .file(let path) = place { try files.remove(durablyAt: path) }
  }

  /// Removes the file of a read model that is now in memory.
  ///
  /// The file may contain content that has been erased since.
  func removeLeftView() throws(DaybookError) {
    guard let path = leftView else { return }
    try files.remove(durablyAt: path)
    leftView = nil
  }

  /// Creates the read model of a fold.
  ///
  /// Afterwards, the fold no longer contains any records.
  ///
  /// - Returns: The number of folded events.
  private func install(_ fold: inout Fold) throws(DaybookError) -> UInt64 {
    let (records, change) = (fold.records, change(for: fold.posting))
    fold.records = Records()
    (model, memory) = (nil, nil)
    if let draft = files.draft(of: place) {
      try files.build(draft, of: records, change)
      model = try files.replace(place, by: draft)
    } else {
      model = try files.tables(of: records, change)
    }
    // Freeing many small allocations takes a while, and no caller waits for it.
    store.machine.beside? { withExtendedLifetime(records) {} }
    return fold.posting.ledger.factCount
  }

  private func installPortions(
    by posting: inout Posting, _ advance: (UInt64) -> Void
  ) throws(DaybookError) {
    (model, memory) = (nil, nil)
    let portions = PortionBuilder(replayer: replayer, memoryLimit: memoryLimit, change: change)
    guard let draft = files.draft(of: place) else {
      model = try portions.build(by: &posting, advance, make: files.tables)
      return
    }
    do throws(DaybookError) {
      let built = try portions.build(by: &posting, advance) {
        records, change throws(DaybookError) in
        try files.build(draft, of: records, change)
        return try wrap(DaybookError.view) { () throws(ReadModelError) in
          try ReadModel.draft(at: draft.string)
        }
      }
      // Only the file itself is renamed.
      try wrap(DaybookError.view) { () throws(ReadModelError) in try built.writeBackLog() }
    } catch {
      // A partial file takes up space that may be scarce. A failure to remove it is harmless.
      try? files.remove(draft)
      throw error
    }
    model = try files.replace(place, by: draft)
  }
}

extension DaybookError {
  /// Whether a new read model could not replace the old one because the file of the new one had been removed.
  fileprivate var isOfMissingDraft: Bool {
    guard case .disk(let error) = self else { return false }
    return error.operation == .rename && error.reason == .notFound
  }
}
