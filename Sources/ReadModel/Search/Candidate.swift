package import Bytes
package import Domain
internal import SQLite

/// A document that a search by text or id found.
package struct Candidate: Equatable, Sendable {
  package let kind: Kind
  /// The document's shown member.
  package let key: EventKey
  package let id: UniqueID
  /// The title; nil for a pick, a deleted document or a record without a title, empty for a birthday without names.
  package let title: String?
  package let isAlive: Bool
  /// The state of a to-do, if a ranked search found it.
  package var state = TodoState.open
  /// The shown member of the list of a to-do, if a ranked search found it; nil if no list is shown.
  package var list: EventKey?
  /// Whether the document is an open repeating to-do, if a ranked search found it.
  package var repeats = false

  /// The same candidate with a different title.
  package func titled(_ title: String) -> Candidate {
    Candidate(kind: kind, key: key, id: id, title: title, isAlive: isAlive)
  }
}

extension Kind {
  var number: Int64 { Int64(bitPattern: rawValue) }
}
