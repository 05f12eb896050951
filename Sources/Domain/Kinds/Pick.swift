package import Bytes

/// A pick, the recorded draw of one choice of a question, as a document shows it.
package struct Pick: Sendable {
  package let key: EventKey
  package let id: UniqueID
  package let question: EventKey?
  package let choice: EventKey?
  /// The encoded draw, which ``Draw/init(_:)`` reads.
  package let draw: [UInt8]?

  /// Reads a pick from a document; nil if the document is of a different kind.
  package init?(_ document: Document) {
    guard document.kind == .pick else { return nil }
    key = document.key
    id = document.id
    question = document.value(.owner).reference
    choice = document.value(Field.Pick.choice).reference
    draw = if case .bytes(let bytes) = document.value(Field.Pick.draw) { bytes } else { nil }
  }
}
