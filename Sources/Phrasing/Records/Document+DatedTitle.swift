import Daybook
package import Domain
import Wording

extension Document {
  /// The title, and for an occurrence of a series also its date: `Bins of Mon 2026-11-23`.
  package var datedTitle: String {
    guard isOccurrence, let slot = value(Field.Todo.slot).date else { return title }
    return "\(title) of \(slot.dated)"
  }
}

extension Snapshot {
  /// The title that lists show for a record, and for an occurrence of a series also its date.
  package func datedTitle(of document: Document) throws -> String {
    document.isOccurrence ? document.datedTitle : try listedTitle(of: document)
  }
}
