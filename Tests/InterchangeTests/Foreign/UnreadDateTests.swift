import Domain
import Interchange
import Testing

/// Dates and rules in a book's own lists of text that a user has mistyped.
struct UnreadDateTests {
  private static func book() throws -> ForeignBook {
    var book = ForeignBook(number: 1)
    try book.run(
      """
      {"op":"add","kind":"todo","id":"m","title":"Mop due:soon","due":"2026-12-01","dueTime":600,"zone":"Europe/Berlin","start":"2026-11-28"}
      {"op":"add","kind":"todo","id":"p","title":"Pills","due":"2026-12-01","repeat":"FREQ=DAILY","until":"2026-12-31"}
      """)
    try book.occur("Pills", "2026-12-01", #""done":true,"closedOn":"2026-12-01""#)
    return book
  }

  struct Row: Sendable {
    var format: FileFormat
    var old: String
    var new: String
    var notes: [ForeignNote]
  }

  static let rows = [
    Row(
      format: .todoTxt, old: "due:2026-12-01T10:00", new: "due:01.12.2026",
      notes: [.unread(field: "due", "01.12.2026")]),
    Row(
      format: .todoTxt, old: "due:2026-12-01T10:00", new: "due:soon",
      notes: [.unread(field: "due", "soon")]),
    Row(
      format: .todoTxt, old: "t:2026-11-28", new: "t:28.11.2026",
      notes: [.unread(field: "t", "28.11.2026")]),
    Row(
      format: .todoTxt, old: "rec:+1d", new: "rec:foo", notes: [.unread(field: "repeat", "foo")]),
    Row(
      format: .todoTxt, old: "until:2026-12-31", new: "until:31.12.2026",
      notes: [.unread(field: "until", "31.12.2026")]),
    Row(
      format: .todoTxt, old: "slot:2026-12-02", new: "slot:next",
      notes: [.unread(field: "slot", "next")]),
    Row(
      format: .markdown, old: "📅 2026-12-01", new: "📅 2026-12-99",
      notes: [.unread(field: "📅", "2026-12-99")]),
    Row(
      format: .markdown, old: "🛫 2026-11-28", new: "🛫 soon",
      notes: [.unread(field: "🛫", "soon")]),
    Row(
      format: .markdown, old: "🔁 every day", new: "🔁 every blue moon",
      notes: [.unread(field: "repeat", "every blue moon")]),
    Row(
      format: .markdown, old: "🔁 every day", new: "🔁 daily",
      notes: [.unread(field: "🔁", "daily")]),
  ]

  @Test(arguments: rows.indices)
  func `Unread date: it is reported, and the book keeps its values`(number: Int) throws {
    let row = Self.rows[number]
    var book = try Self.book()
    let before = (book.shown, book.repeating("Pills"))
    let text = try book.written(row.format)
    try #require(text.contains(row.old), "\(text)")
    let file = try row.format.read(Array(text.replacing(row.old, with: row.new).utf8))
    #expect(file.remarks.map(\.note) == row.notes)
    let outcome = book.take(file)
    #expect(outcome.faults == [])
    #expect(outcome.disputed == 0)
    #expect((book.shown, book.repeating("Pills")) == before)
    // The corrected file means what it says.
    #expect(book.take(try row.format.read(Array(text.utf8))).edited == 0)
    #expect((book.shown, book.repeating("Pills")) == before)
  }

  @Test(arguments: [FileFormat.todoTxt, .markdown])
  func `Unread date: other fields of its to-do are changed`(format: FileFormat) throws {
    var book = try Self.book()
    let text = try book.written(format).replacing("Mop", with: "Sweep")
      .replacing("due:2026-12-01T10:00", with: "due:32.12.2026")
      .replacing("🛫 2026-11-28 📅 2026-12-01", with: "🛫 2026-11-29 📅 2026-12-99")
    let file = try format.read(Array(text.utf8))
    #expect(file.remarks.count == 1)
    #expect(book.take(file).edited == 1)
    let todo = try #require(book.document("Sweep due:soon").flatMap { Todo($0) })
    #expect(todo.due?.iso == "2026-12-01")
    #expect(todo.dueTime == 600)
    #expect(todo.start?.iso == (format == .markdown ? "2026-11-29" : "2026-11-28"))
  }

  @Test func `Unread date: a word in a title that daybook wrote stays there`() throws {
    var book = try Self.book()
    let text = try book.written(.todoTxt).replacing(" due:2026-12-01T10:00", with: "")
      .replacing(" zone:Europe/Berlin", with: "")
    let file = try FileFormat.todoTxt.read(Array(text.utf8))
    #expect(file.remarks == [])
    #expect(book.take(file).edited == 1)
    #expect(book.document("Mop due:soon")?.value(Field.Todo.due) == .null)
  }
}
