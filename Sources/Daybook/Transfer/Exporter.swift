package import Bytes
import Crypto
package import Domain
package import Interchange
import Journaling

/// Gives what the book holds to be written to files of other kinds.
package struct Exporter {
  let store: LogStore
  let localDevice: LocalDevice
  let trustReader: TrustReader
  let projector: Projector
  let ownEvents: OwnEvents

  /// What an export of operations holds.
  package enum ExportContent: Sendable {
    /// Everything that is shown, as adds.
    case state
    /// Changes of this device under revoked or replaced keys that do not count and are not shown otherwise.
    case uncounted
    /// A list and the to-dos on it, as adds.
    case list(UniqueID)
    /// Everything that happened.
    case events
  }

  /// What is exported as operations.
  package struct OperationExport: Sendable {
    package var operations: [Operation]
    /// Events that no operation stands for.
    package var leftOut = 0
    /// Records that were separated from others, which no operation can express.
    package var parted = 0
    /// Erasures that do not count, which no operation can express.
    package var erasures = 0
    /// What is shown, where it is that which is exported.
    package var contents: ExportContents?

    /// What a book shows, or one list of it.
    fileprivate init(_ records: Records, list: UniqueID? = nil) {
      operations = StateExport.operations(of: records, list: list)
      contents = ExportContents(records, list: list)
    }

    fileprivate init(_ difference: StateDifference) {
      (operations, parted) = (difference.operations, difference.partedCount)
    }

    fileprivate init(_ events: EventExport) {
      (operations, leftOut) = (events.operations, events.skippedCount)
    }
  }

  /// The book as operations, in an order in which they can be taken in again.
  package func exportOperations(
    _ content: ExportContent
  ) throws(DaybookError) -> [Operation] {
    try operationExport(content).operations
  }

  /// The book as operations, with what these do not tell.
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
    case .events:
      var facts: [Fact] = []
      let fold = try projector.replayer.foldAll { fact, _ in
        facts.append(fact)
        return true
      }
      return OperationExport(EventExport(of: facts, causality: fold.records.causality))
    }
  }

  /// The difference that the own events that do not count would make.
  private func uncountedDifference() throws(DaybookError) -> StateDifference {
    let trust = try projector.trust()
    // Events of a key that waits for admission will count later, so they are not part of the difference.
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

  /// How many erasures this device has written under revoked or replaced keys, which do not count.
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

  /// Whether an export of uncounted changes would hold anything.
  func hasUncounted() throws(DaybookError) -> Bool {
    let difference = try uncountedDifference()
    return !difference.operations.isEmpty || difference.partedCount > 0
  }

  /// What the book shows of some kinds, or of one list, for the writers of foreign formats.
  package func exportContents(
    of kinds: Set<Kind>, list: UniqueID? = nil
  ) throws(DaybookError) -> ExportContents {
    ExportContents(
      try projector.replayer.foldAll().records, kinds: kinds, list: list, book: fileTag)
  }

  /// The name of this book in exported files: eight hexadecimal digits that do not reveal its id.
  var fileTag: String {
    String(
      SHA256.digest(of: Array("daybook file \(store.file.book.uuid)".utf8)).hex.prefix(8))
  }
}
