import Bytes
import Daybook
import Domain
import Phrasing
import Platform

// What deeds read of the book and say of records.

extension Book {
  /// The record of an id, as it is now.
  ///
  /// - Throws: ``DaybookError/unknown(_:kind:)`` where there is none.
  func present(_ id: UniqueID) throws -> Document {
    guard let document = try finder.document(withID: id) else {
      throw DaybookError.unknown(id.uuid, kind: nil)
    }
    return document
  }
}

/// Reads what a page sends for a field.
struct PageField {
  private let field: FieldSchema

  init(_ field: FieldSchema) { self.field = field }

  func content(_ words: String, in book: Book) throws -> Request.Assignment.Content {
    // A list is chosen by its id, which no title can be mistaken for.
    if case .reference = field.type, let id = UniqueID(uuid: words) { return .record(id) }
    do {
      return try FieldReader(book.machine.timekeeper).content([words], for: field, in: book)
    } catch WordsFault.badValue(_, let words, let advice) {
      // What the page calls a field is not what an option is called.
      throw WordsFault.badValue("the \(field.phrase)", words, advice)
    }
  }
}

extension String {
  /// A title as a sentence names it.
  var asTitle: String { isEmpty ? "it" : "“\(visible)”" }
}
