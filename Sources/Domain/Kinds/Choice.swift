package import Bytes

/// A choice as a document shows it.
package struct Choice: Sendable {
  package let key: EventKey
  package let id: UniqueID
  package let question: EventKey?
  package let name: String
  /// The weight; 1 if no weight was ever given, and 0 if the value is not a valid weight, so the choice is never drawn.
  package let weight: Int64

  /// Reads a choice from a document; nil if the document is of a different kind.
  package init?(_ document: Document) {
    guard document.kind == .choice else { return nil }
    key = document.key
    id = document.id
    question = document.value(.owner).reference
    name = document.text(Field.Choice.name) ?? ""
    weight = document.integer(Field.Choice.weight) ?? 0
  }
}
