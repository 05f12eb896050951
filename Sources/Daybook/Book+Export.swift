package import Bytes
import Domain
package import Interchange

extension Book {
  /// What an export of operations holds.
  package enum ExportContent: Sendable {
    /// Everything that is shown, as adds.
    case state
    /// What would be shown if all that this device has written counted, under whatever key; as adds.
    case stateWithHidden
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
    /// What is shown, where it is that which is exported.
    package var contents: ExportContents?

    /// What a book shows, or one list of it.
    fileprivate init(_ records: Records, list: UniqueID? = nil) {
      operations = StateExport.operations(of: records, list: list)
      contents = ExportContents(records, list: list)
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
    case .state: return OperationExport(try foldAll().records)
    case .stateWithHidden:
      return OperationExport(try foldAll(of: shownWithAllOwn()).records)
    case .list(let id): return OperationExport(try foldAll().records, list: id)
    case .events:
      var facts: [Fact] = []
      let fold = try foldAll { fact, _ in
        facts.append(fact)
        return true
      }
      return OperationExport(EventExport(of: facts, causality: fold.records.causality))
    }
  }
}
