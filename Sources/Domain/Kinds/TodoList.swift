package import Bytes

/// A list of to-dos as a document shows it.
package struct TodoList: Sendable {
  package let key: EventKey
  package let id: UniqueID
  package let name: String
  /// The colour as 0xRRGGBB.
  package let colour: Int64?

  /// Reads a list from a document; nil if the document is of a different kind.
  package init?(_ document: Document) {
    guard document.kind == .list else { return nil }
    key = document.key
    id = document.id
    name = document.text(Field.List.name) ?? ""
    colour = document.integer(Field.List.colour)
  }
}
