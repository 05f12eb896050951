import Bytes
import Domain
import Phrasing
import Platform

/// The meaning of a line that adds a to-do or a birthday, such as `Call the plumber fri` or `Ada Lovelace 10 dec 1815`.
///
/// Words such as `+food`, `@home`, `!high` and `due:fri` set fields of a to-do, as do a date and a repeat phrase at the
/// end of the line. The rest is the title.
struct QuickLine {
  /// Words of the line that set a field.
  struct Part: Equatable {
    var field: String
    var value: String
    /// The text that the page shows for the part.
    var words: String
    /// The range of the words in UTF-16 units, as JavaScript counts them.
    var place: Range<Int>
  }

  /// How a to-do repeats.
  struct Rule {
    var phrase: RepeatPhrase
    /// The words that say how the to-do repeats, which a fault quotes.
    var words: String
  }

  /// A list that a line can name.
  struct NamedList: Equatable {
    var id: UniqueID
    var name: String
  }

  var kind: String
  /// The rest of the line, without the parts that were recognized.
  var rest: String
  var date: CivilDate?
  /// The minute of the day at which a to-do is due.
  var minute: Int?
  /// The day until which a to-do is hidden.
  var start: CivilDate?
  var rule: Rule?
  var tags: [String] = []
  var list: UniqueID?
  var priority: String?
  var parts: [Part] = []
  /// The names after an `@` that no list has; they stay in the title.
  var missingLists: [String] = []
  /// The reason why the line cannot be added as it is.
  var fault: String?

  /// Finds the parts of a line.
  ///
  /// - Parameters:
  ///   - text: The line as typed.
  ///   - kind: The kind of the new record. `any` means a to-do or a birthday. Lines for other kinds have no parts.
  ///   - today: The current date.
  ///   - now: The current minute of the day. A due time without a date means the next such time after it.
  ///   - lists: The lists of the book.
  ///   - kept: Words that the user has turned back into text.
  init(
    _ text: String, as kind: String, today: CivilDate?, now: Int? = nil, lists: [NamedList] = [],
    kept: Set<String> = []
  ) {
    self.init(plain: text, as: kind)
    guard ["todo", "birthday", "any"].contains(kind) else { return }
    var reader = QuickLineReader(text, today: today, now: now, lists: lists, kept: kept)
    reader.read(as: kind, into: &self)
  }

  /// Makes the whole text the title.
  init(plain text: String, as kind: String) {
    (self.kind, rest) = (kind == "any" ? "todo" : kind, text.trimmed)
  }
}

extension QuickLine {
  /// The line in the form that the page's script reads.
  var json: JSON {
    let parts = parts.sorted { $0.place.lowerBound < $1.place.lowerBound }
    return .object(
      ("kind", .string(kind)), ("rest", .string(rest)), ("parts", .array(parts.map(\.json))),
      ("fault", .words(fault)))
  }
}

extension QuickLine.Part {
  fileprivate var json: JSON {
    .object(
      ("from", .integer(Int64(place.lowerBound))), ("to", .integer(Int64(place.upperBound))),
      ("field", .string(field)), ("value", .string(value)), ("words", .string(words)))
  }
}
