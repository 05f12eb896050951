package import Bytes

/// A question as a document shows it.
package struct Question: Sendable {
  package let key: EventKey
  package let id: UniqueID
  package let content: String

  /// Reads a question from a document; nil if the document is of a different kind.
  package init?(_ document: Document) {
    guard document.kind == .question else { return nil }
    key = document.key
    id = document.id
    content = document.text(Field.Question.content) ?? ""
  }
}
