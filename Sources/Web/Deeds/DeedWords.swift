import Bytes
import Daybook
import Domain
import Phrasing
import Platform

// Helpers for deeds: finding records, reading fields, quoting titles.

extension Book {
  /// Returns the current state of the record with an id.
  ///
  /// - Throws: ``DaybookError/unknown(_:kind:)`` if there is none.
  func present(_ id: UniqueID) throws -> Document {
    guard let document = try finder.document(withID: id) else {
      throw DaybookError.unknown(id.uuid, kind: nil)
    }
    return document
  }
}

/// Reads the text that a page sends for a field.
struct PageField {
  private let field: FieldSchema

  init(_ field: FieldSchema) { self.field = field }

  /// Returns what to write, which can be several fields: a due date can be followed by a time.
  func assignments(_ words: String, in book: Book) throws -> [Request.Assignment] {
    guard field.name == "due" else { return [.init(field.field, try content(words, in: book))] }
    return try FieldReader(book.machine.timekeeper).assignments([words], for: field, in: book)
  }

  func content(_ words: String, in book: Book) throws -> Request.Assignment.Content {
    // The page sends the id of a list, because several lists can have the same title.
    if case .reference = field.type, let id = UniqueID(uuid: words) { return .record(id) }
    do {
      return try FieldReader(book.machine.timekeeper).content([words], for: field, in: book)
    } catch DaybookError.unknown(_, .todo?) {
      throw WordsFault.said("no to-do is called “\(words.visible)”.")
    } catch WordsFault.badValue(_, let words, let advice) {
      // The fault names an option of the command line; the page has its own names for fields.
      throw WordsFault.badValue("the \(field.phrase)", words, advice)
    }
  }
}

extension String {
  /// The text as a title within a sentence.
  var asTitle: String { isEmpty ? "it" : "“\(visible)”" }
}
