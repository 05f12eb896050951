package import Bytes
import Crypto
package import Domain
package import Interchange
import Journaling

/// Prepares the contents of the book for export to files.
package struct Exporter {
  let store: LogStore
  let localDevice: LocalDevice
  let trustReader: TrustReader
  let projector: Projector
  let ownEvents: OwnEvents

  /// The contents of an export of operations.
  package enum ExportContent: Sendable {
    /// All records that are shown, as adds, and deletes of choices that were deleted after they were picked.
    case state
    /// Changes that this device wrote under revoked or replaced keys, that have no effect, and that are not shown in
    /// other ways.
    case uncounted
    /// A list and the to-dos on it, as adds.
    case list(UniqueID)
    /// The same as ``state`` or ``list(_:)``, but without done or cancelled to-dos.
    case open(list: UniqueID?)
    /// All events that operations can express.
    case events
  }

  /// An export as operations, with counts of the changes that operations cannot express.
  package struct OperationExport: Sendable {
    package var operations: [Operation]
    /// The number of events that no operation represents.
    package var leftOut = 0
    /// The number of separations of records, which no operation can express.
    package var parted = 0
    /// The number of erasures without effect; no operation can express these.
    package var erasures = 0
    /// The exported records, for an export of ``ExportContent/state`` or ``ExportContent/list(_:)``; otherwise nil.
    package var contents: ExportContents?

    /// Exports the records that a book shows, or one list of them.
    fileprivate init(_ records: Records, list: UniqueID? = nil, isOpenOnly: Bool = false) {
      operations = StateExport.operations(of: records, list: list, isOpenOnly: isOpenOnly)
      contents = ExportContents(records, list: list, isOpenOnly: isOpenOnly).gatheringDocuments()
    }

    fileprivate init(_ difference: StateDifference) {
      (operations, parted) = (difference.operations, difference.partedCount)
    }

    fileprivate init(_ events: EventExport) {
      (operations, leftOut) = (events.operations, events.skippedCount)
    }
  }

  /// Exports the book as operations, in an order in which they can be imported.
  package func exportOperations(
    _ content: ExportContent
  ) throws(DaybookError) -> [Operation] {
    try operationExport(content).operations
  }

  /// Exports the book as operations, and counts the changes that operations cannot express.
  package func operationExport(
    _ content: ExportContent
  ) throws(DaybookError) -> OperationExport {
    switch content {
    case .state: return OperationExport(try projector.replayer.foldAll().records)
    case .uncounted:
      var export = OperationExport(try uncountedDifference())
      export.erasures = try countOfUncountedErasures()
      return export
    case .list(let id): return OperationExport(try projector.replayer.foldAll().records, list: id)
    case .open(let id):
      return OperationExport(
        try projector.replayer.foldAll().records, list: id, isOpenOnly: true)
    case .events:
      var facts: [Fact] = []
      let fold = try projector.replayer.foldAll { fact, _ in
        facts.append(fact)
        return true
      }
      return OperationExport(EventExport(of: facts, causality: fold.records.causality))
    }
  }

  /// The difference that the uncounted events of this device would make if they counted.
  private func uncountedDifference() throws(DaybookError) -> StateDifference {
    let trust = try projector.trust()
    // Events of a key awaiting admission will take effect later, so they are not part of the difference.
    let counting = try localDevice.shownLogs(trust).merging(trust.admitted) { shown, admitted in
      min(shown, admitted)
    }.filter { log, _ in
      guard store.journal.end(of: log, on: .logs) != nil else { return false }
      return trust.admitted[log] != nil
        || !(trust.keys[log].map(trust.revokedKeys.contains) ?? false)
    }
    let former = try projector.replayer.foldAll(of: counting).records
    return StateDifference(
      from: former, to: try projector.replayer.foldAll(of: ownEvents.shownWithAllOwn()).records)
  }

  /// The number of erasures that this device has written under revoked keys and that have no effect.
  private func countOfUncountedErasures() throws(DaybookError) -> Int {
    let ledger = try projector.posting().ledger
    let trust = try trustReader.trust(by: ledger)
    let own = try localDevice.ownLogs().ends
    return ledger.erasing.erases.count { erase in
      let log = erase.place.log
      return own[log] != nil && erase.place.sequence > trust.admitted[log] ?? 0
        && trust.keys[log].map(trust.revokedKeys.contains) ?? false
    }
  }

  /// Whether the uncounted events of this device would change any record if they counted.
  ///
  /// Erasures are not considered.
  func hasUncounted() throws(DaybookError) -> Bool {
    let difference = try uncountedDifference()
    return !difference.operations.isEmpty || difference.partedCount > 0
  }

  /// The shown records of the given kinds, or of one list, for the writers of foreign formats.
  package func exportContents(
    of kinds: Set<Kind>, list: UniqueID? = nil, isOpenOnly: Bool = false
  ) throws(DaybookError) -> ExportContents {
    ExportContents(
      try projector.replayer.foldAll().records, kinds: kinds, list: list, isOpenOnly: isOpenOnly,
      book: fileTag
    ).gatheringDocuments()
  }

  /// The name of this book in exported files: eight hexadecimal digits that do not reveal its id.
  var fileTag: String {
    String(
      SHA256.digest(of: Array("daybook file \(store.file.book.uuid)".utf8)).hex.prefix(8))
  }
}
