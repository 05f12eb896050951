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

  /// The book as operations, in an order in which they can be taken in again.
  package func exportOperations(
    _ content: ExportContent
  ) throws(DaybookError) -> [Operation] {
    switch content {
    case .state:
      return StateExport.operations(of: try foldAll().records)
    case .stateWithHidden:
      return StateExport.operations(of: try foldAll(of: shownWithAllOwn()).records)
    case .list(let id): return StateExport.operations(of: try foldAll().records, list: id)
    case .events:
      var facts: [Fact] = []
      let fold = try foldAll { fact, _ in
        facts.append(fact)
        return true
      }
      return EventExport(of: facts, causality: fold.records.causality).operations
    }
  }
}
