package import Bytes
import Crypto
import Domain
package import Journaling
import Platform
import ReadModel
import Syncing

/// Erases records permanently, and removes from the files here the bodies that other devices have erased.
package final class Eraser {
  let store: LogStore
  let trustReader: TrustReader
  let reviewer: ErasureReviewer
  let projector: Projector
  let access: WriteAccess
  let writer: EventWriter
  let finder: RecordFinder
  let deviceList: DeviceList
  /// The disk error that left erased bytes in the files; while it is set, no frames are sent.
  var erasureFailure: DiskError?
  /// Whether the disk has refused to remove erased bytes from the files here.
  package var hasFailed: Bool { erasureFailure != nil }
  /// The removals that have not been reported yet, kept so that an error cannot lose the report.
  private var unreported = StripReport()

  init(
    store: LogStore, trustReader: TrustReader, reviewer: ErasureReviewer, projector: Projector,
    access: WriteAccess, writer: EventWriter, finder: RecordFinder, deviceList: DeviceList
  ) {
    self.store = store
    self.trustReader = trustReader
    self.reviewer = reviewer
    self.projector = projector
    self.access = access
    self.writer = writer
    self.finder = finder
    self.deviceList = deviceList
  }

  /// Permanently erases a record and everything written about it.
  package func erase(_ id: UniqueID) throws(DaybookError) -> EraseReport { try erase([id]) }

  /// Permanently erases records and everything written about them.
  ///
  /// One command erases all the records, so a crash leaves all or none of them erased, and the files are stripped only
  /// once.
  ///
  /// The to-dos that were deleted with an erased list are also deleted individually, so that they do not reappear.
  ///
  /// If the disk fails during stripping, the `erase` events are already written, and the report contains the error.
  package func erase(_ ids: [UniqueID]) throws(DaybookError) -> EraseReport {
    try access.withLock { () throws(DaybookError) in
      let before = try hiddenCount()
      let members = try membersToErase(of: ids)
      var kept: [Document] = []
      if !members.isEmpty {
        let known = Set(members)
        kept = try finder.todosHidden(withLists: ids).filter { known.isDisjoint(with: $0.members) }
        let deletion = try deletion(of: kept)
        var posting = try projector.posting()
        _ = try writer.append(deletion, erasing: members, knowing: &posting)
      }
      let records = try hiddenCount() - before
      let failure = try stripErasedOrTell()
      let report = takeReport()
      return EraseReport(
        records: records, bodies: report.bodies.values.reduce(0, +), removed: report.removed,
        damagedBytes: report.damagedBytes, wasErased: members.isEmpty,
        isCommon: try deviceList.isAdmitted(), keptDeleted: kept.count, failure: failure)
    }
  }

  /// The commands that delete to-dos which are hidden only because their list is deleted.
  ///
  /// Once the list is erased, nothing else would hide these to-dos, so each of them must be deleted.
  private func deletion(of todos: [Document]) throws(DaybookError) -> [DecidedCommand] {
    guard !todos.isEmpty else { return [] }
    let model = try projector.view()
    let causality = try projector.remembered(by: model).causality
    let records = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.records.hydrate(Set(todos.map(\.key)), causality: causality)
    }
    let drafts = try wrap(DaybookError.refused) { () throws(Domain.Refusal) in
      try decide(.delete(todos.map(\.key)), on: records) { 0 }
    }
    return CommandDivision.ofRequests.commands(of: drafts)
  }

  /// The records' members that have not yet been erased, without duplicates.
  private func membersToErase(of ids: [UniqueID]) throws(DaybookError) -> [EventKey] {
    let erased = try finder.erasedIDs()
    var members: [EventKey] = []
    var known: Set<EventKey> = []
    for id in ids where !erased.contains(id) {
      guard let document = try finder.document(withID: id) else {
        throw .unknown(id.uuid, kind: nil)
      }
      members += document.members.filter { known.insert($0).inserted }
    }
    return members
  }

  func hiddenCount() throws(DaybookError) -> Int {
    try projector.posting().ledger.erasing.hidden.entities.count
  }

  /// The entities that are erased by `erase` events that count and are not held.
  ///
  /// Only the bodies of these entities are stripped. An erasure that does not count, for example one by an unadmitted
  /// device, only hides the record on devices that fold the erasure.
  func commonErasures() throws(DaybookError) -> Erasures {
    let ledger = try projector.posting().ledger
    return try ledger.erasing.erasures(
      by: try trustReader.trust(by: ledger).admitted, in: store.logTree)
  }

  /// Strips the logs if any of them has changed since the last stripping, or if the erasures have changed.
  func finishErasing() throws(DaybookError) {
    store.journal.erasures = try commonErasures()
    guard try !isStripped(of: store.journal.erasures) else { return }
    try access.withLock { () throws(DaybookError) in try stripErasedOrThrow() }
  }

  /// Returns the removals that have not been reported yet, and resets them.
  package func takeReport() -> StripReport {
    defer { unreported = StripReport() }
    return unreported
  }

  /// Removes the erased bodies from all files.
  ///
  /// The caller must hold the lock.
  func stripErased() throws(DaybookError) {
    try keepReview()
    while true {
      let erasures = try commonErasures()
      unreported.removed += try removeViewsBeforeLoss(unlessMadeAfter: erasures)
      let model = try projector.view()
      let changed = try logsToStrip(of: erasures)
      if changed.isEmpty { return }
      var report = StripReport()
      defer { unreported.add(report) }
      try wrap(DaybookError.journal) { () throws(JournalError) in
        try store.journal.strip(erasures, in: changed, into: &report)
      }
      try projector.removeLeftView()
      if report.isNothing { return try note(erasures, in: model) }
      // The read model was built before the stripping, and other processes may have built theirs at the same time.
      try projector.rebuild()
      try removeViewDrafts()
    }
  }

  /// Whether files here may still contain erased bytes.
  ///
  /// Events that arrived after the last stripping do not matter, because they are stripped on arrival.
  package func hasErasureLeft() throws(DaybookError) -> Bool {
    guard store.file.book != .none else { return false }
    guard try !projector.posting().ledger.erasing.erases.isEmpty else {
      return false
    }
    return try !wasLookedThrough(for: try commonErasures())
  }

  /// Whether the read model is in a file and does not record that all erased bytes were removed from the files here.
  ///
  /// The result is true after an interrupted erasure, and after the read model was rebuilt, because only the read model
  /// records the removal. A read model in memory never records what an earlier process has removed.
  package func isErasureUnconfirmed() throws(DaybookError) -> Bool {
    guard case .file = projector.place else { return false }
    return try hasErasureLeft()
  }

  /// Removes the bytes that an interrupted erasure has left in files.
  ///
  /// - Throws: ``DaybookError/erasureLeft(_:)`` if the disk fails during stripping. Other errors are passed on.
  package func finishErasureLeft() throws(DaybookError) {
    guard try hasErasureLeft() else {
      erasureFailure = nil
      return
    }
    if store.isLocked { return try stripErasedOrThrow() }
    try access.withLock { () throws(DaybookError) in try stripErasedOrThrow() }
  }

  private func stripErasedOrThrow() throws(DaybookError) {
    if let failure = try stripErasedOrTell() { throw failure }
  }

  /// Strips all files of erased bytes.
  ///
  /// - Returns: The error if the disk failed, otherwise nil.
  func stripErasedOrTell() throws(DaybookError) -> DaybookError? {
    do throws(DaybookError) {
      try stripErased()
      erasureFailure = nil
      return nil
    } catch {
      guard let fault = error.diskFault else { throw error }
      erasureFailure = fault
      return .erasureLeft(error)
    }
  }

  /// Saves which erasures are let through and which are held.
  ///
  /// Stripping begins with a call to this function.
  func keepReview() throws(DaybookError) {
    let ledger = try projector.posting().ledger
    if ledger.erasing.erases.isEmpty, store.file.erasures.held.isEmpty { return }
    let decided = try reviewer.review(
      ledger, by: try trustReader.trust(by: ledger), in: store.logTree)
    if decided.review != store.file.erasures {
      guard store.isLocked else {
        return try access.withLock { () throws(DaybookError) in try keepReview() }
      }
      store.folder.file.erasures = decided.review
      try store.folder.saveFile()
    }
    if decided.heldBack != ledger.erasing.heldBack { try projector.rebuild() }
  }
}
