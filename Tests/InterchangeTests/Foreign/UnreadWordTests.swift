import Domain
import Interchange
import Testing

/// Time zones and lead times that daybook cannot read in a book's own files.
struct UnreadWordTests {
  private static func book() throws -> ForeignBook {
    var book = ForeignBook(number: 1)
    try book.run(
      """
      {"op":"add","kind":"todo","id":"m","title":"Mop","due":"2026-12-01","dueTime":600,"zone":"Europe/Berlin","remind":["1d"]}
      {"op":"add","kind":"birthday","id":"l","firstName":"Lea","birthdate":"2000-03-01","lead":["7","1"]}
      """)
    return book
  }

  private struct Row {
    var format: FileFormat
    var old: String
    var new: String
    var note: ForeignNote
  }

  private static let rows = [
    Row(
      format: .csv, old: "Europe/Berlin", new: "Mars/Base",
      note: .keptAsWritten(field: "Time zone", "Mars/Base")),
    Row(format: .csv, old: ",1d,", new: ",soon,", note: .keptAsWritten(field: "Remind", "soon")),
    Row(
      format: .csv, old: "\"7,1\"", new: "abc",
      note: .keptAsWritten(field: "Remind before", "abc")),
    Row(
      format: .todoTxt, old: "zone:Europe/Berlin", new: "zone:Mars/Base",
      note: .unread(field: "zone", "Mars/Base")),
    Row(
      format: .todoTxt, old: "remind:1d", new: "remind:1d,soon",
      note: .unread(field: "remind", "1d,soon")),
    Row(
      format: .markdown, old: "zone:Europe/Berlin", new: "zone:Mars/Base",
      note: .unread(field: "zone", "Mars/Base")),
    Row(
      format: .markdown, old: "remind:1d", new: "remind:soon",
      note: .unread(field: "remind", "soon")),
    Row(
      format: .vCard, old: "X-DAYBOOK-LEAD:7,1", new: "X-DAYBOOK-LEAD:abc",
      note: .unread(field: "lead", "abc")),
    Row(
      format: .iCalendar, old: "X-DAYBOOK-LEAD:7,1", new: "X-DAYBOOK-LEAD:abc",
      note: .unread(field: "lead", "abc")),
  ]

  @Test(arguments: rows.indices)
  func `Unread word: it is reported, and the book keeps its value`(number: Int) throws {
    let row = Self.rows[number]
    var book = try Self.book()
    let before = book.shown
    let text = try book.written(row.format)
    try #require(text.contains(row.old), "\(text)")
    let file = try row.format.read(Array(text.replacing(row.old, with: row.new).utf8))
    #expect(file.remarks.map(\.note) == [row.note])
    #expect(book.take(file).faults == [])
    #expect(book.shown == before)
  }

  @Test func `Unread word: a word that the book itself has stays in its files`() throws {
    for format in [FileFormat.csv, .todoTxt, .markdown] {
      var book = ForeignBook(number: 1)
      try book.run(
        #"{"op":"add","kind":"todo","id":"m","title":"Mop","due":"2026-12-01","dueTime":600,"zone":"Mars/Base","remind":["soon"]}"#
      )
      let file = try format.read(Array(try book.written(format).utf8))
      #expect(file.remarks.isEmpty)
      var other = ForeignBook(number: 2)
      #expect(other.take(file) == .init(added: 1))
      #expect(other.document("Mop")?.texts(Field.Todo.remind) == ["soon"])
      #expect(other.document("Mop")?.text(Field.Todo.zone) == "Mars/Base")
    }
  }

  @Test func `Unread word: a zone that only the system knows is read`() throws {
    var book = try Self.book()
    let text = try book.written(.csv).replacing("Europe/Berlin", with: "CET")
    var settings = ForeignSettings()
    settings.zoneOffset = { zone in
      guard zone == "CET" else { return nil }
      return { _ in 3600 }
    }
    #expect(try book.take(text, .csv, settings).edited == 1)
    #expect(book.document("Mop")?.text(Field.Todo.zone) == "CET")
  }
}
