import Bytes
import Daybook
import Domain
import Phrasing
import Platform

// Helpers for deeds: finding records, reading fields, quoting titles.

extension Book {
  /// Returns the current state of the record with the given id.
  ///
  /// - Throws: ``DaybookError/unknown(_:kind:)`` if there is no such record.
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

  /// Returns the writes.
  ///
  /// There can be several writes, because a due date can be followed by a time.
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
      // The fault names an option of the command line, but the page has its own names for fields.
      throw WordsFault.badValue("the \(field.phrase)", words, advice)
    }
  }
}

extension Refusal {
  /// The refusal in words that do not name options of the command line; nil if the usual words do not name any.
  var pageWords: String? {
    switch self {
    case .noSeries: "This to-do does not repeat."
    case .ofSeries(let field):
      "The \(Schema.field(field, of: .todo)?.phrase ?? "field") is the same for all dates of a repeating to-do. "
        + "Choose “All dates” to change it."
    case .repeatsWithoutDue:
      "A repeating to-do needs a due date. Clear the repeat field to end the series after the current date."
    case .deletesOccurrence:
      "This is one date of a repeating to-do. Open it again, or delete the to-do with its repeats."
    default: nil
    }
  }
}

extension String {
  /// The text as a title within a sentence.
  var asTitle: String { isEmpty ? "it" : "“\(visible)”" }
}
