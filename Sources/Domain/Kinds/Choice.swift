package import Bytes

/// A choice as a document shows it.
package struct Choice: Sendable {
  package let key: EventKey
  package let id: UniqueID
  package let question: EventKey?
  package let name: String
  /// 1 when none was ever given; 0 when it is none that a choice may have, so that it is never
  /// drawn.
  package let weight: Int64

  /// Nil when the document is of another kind.
  package init?(_ document: Document) {
    guard document.kind == .choice else { return nil }
    key = document.key
    id = document.id
    question = document.value(.owner).reference
    name = document.text(Field.Choice.name) ?? ""
    weight = document.integer(Field.Choice.weight) ?? 0
  }
}
