import Domain
import Interchange
import Testing

/// States of to-dos that cannot be read in a file.
struct UnreadStateTests {
  private static func book(_ fields: String) throws -> ForeignBook {
    var book = ForeignBook(number: 1)
    try book.run(#"{"op":"add","kind":"todo","id":"m","title":"Mop",\#(fields)}"#)
    return book
  }

  /// Imports a file and returns the number of its unreadable values.
  private static func faults(
    _ book: inout ForeignBook, _ text: String, _ format: FileFormat
  ) throws -> Int {
    let file = try format.read(Array(text.utf8))
    book.take(file)
    return file.remarks.count { $0.note.fault != nil }
  }

  private static let closed: [(fields: String, csv: String, ics: String)] = [
    (#""done":true,"completedAt":1795132800000"#, "Mop,yes", "STATUS:COMPLETED"),
    (#""cancelled":true"#, "Mop,cancelled", "STATUS:CANCELLED"),
  ]

  @Test(arguments: [0, 1])
  func `Unread state: a closed to-do stays closed, and the next readable state counts`(
    number: Int
  ) throws {
    let row = Self.closed[number]
    for format in [FileFormat.csv, .iCalendar] {
      var book = try Self.book(row.fields)
      let before = book.shown
      let text = try book.written(format)
      let state = format == .csv ? "Mop,yes" : row.ics
      // A cancelled to-do of a table has its state in a column of its own.
      if format == .csv, number == 1 { continue }
      try #require(text.contains(state))
      let odd = text.replacing(state, with: format == .csv ? "Mop,perhaps" : "STATUS:FOO")
      #expect(try Self.faults(&book, odd, format) == 1)
      #expect(book.shown == before)
      let open = text.replacing(state, with: format == .csv ? "Mop,no" : "STATUS:NEEDS-ACTION")
      #expect(try Self.faults(&book, open, format) == 0)
      #expect(book.document("Mop")?.value(Field.Todo.done).boolean != true)
      #expect(book.document("Mop")?.value(Field.Todo.cancelled).boolean != true)
    }
  }

  @Test(arguments: ["Done", "Status", "% complete"])
  func `Unread state: a table of another program leaves the state`(header: String) throws {
    var book = ForeignBook()
    let word = header == "% complete" ? "100" : "done"
    try book.take("Id,Title,\(header)\nm,Mop,\(word)\n", .csv)
    let before = book.shown
    #expect(try Self.faults(&book, "Id,Title,\(header)\nm,Mop,perhaps\n", .csv) == 1)
    #expect(book.shown == before)
    #expect(try Self.faults(&book, "Id,Title,\(header)\nm,Mop,0\n", .csv) == 0)
    #expect(book.shown == [#"{"kind":"todo","title":"Mop"}"#])
    var other = ForeignBook()
    #expect(try Self.faults(&other, "Id,Title,\(header)\nm,Mop,perhaps\n", .csv) == 1)
    #expect(other.shown == [#"{"kind":"todo","title":"Mop"}"#])
  }

  @Test func `Unread state: a TickTick status without a meaning leaves the state`() throws {
    let head = "\"List Name\",\"Title\",\"Kind\",\"Status\",\"taskId\"\n"
    var book = ForeignBook()
    try book.take(head + "Inbox,Mop,TEXT,2,1\n", .csv)
    #expect(try Self.faults(&book, head + "Inbox,Mop,TEXT,9,1\n", .csv) == 1)
    #expect(book.document("Mop")?.value(Field.Todo.done).boolean == true)
  }

  @Test func `Unread state: an unreadable flag leaves the tags`() throws {
    let head = "Title,Completed,Completion Date,List,Flagged,Notes\n"
    var book = ForeignBook()
    try book.take(head + "Mop,no,,Home,Yes,a\n", .csv)
    let before = book.shown
    try book.take(head + "Mop,no,,Home,perhaps,a\n", .csv)
    #expect(book.shown == before)
  }

  private static func task(_ lines: String...) -> String {
    let lines = ["UID:m", "SUMMARY:Mop"] + lines
    return "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\n" + lines.map { $0 + "\r\n" }.joined()
      + "END:VTODO\r\nEND:VCALENDAR\r\n"
  }

  @Test func `Unread state: unreadable properties of a task leave its fields`() throws {
    var book = ForeignBook()
    try book.take(
      Self.task("STATUS:COMPLETED", "COMPLETED:20261124T113000Z", "DTSTART:20261120"), .iCalendar)
    let before = book.shown
    let odd = [
      Self.task("STATUS:COMPLETED", "COMPLETED:yesterday", "DTSTART:20261120"),
      Self.task("STATUS:COMPLETED", "COMPLETED:20261124T113000Z", "DTSTART:soon"),
      Self.task("PERCENT-COMPLETE:much", "DTSTART:20261120"),
      Self.task("STATUS:WAITING", "DTSTART:20261120"),
    ]
    for text in odd {
      #expect(try Self.faults(&book, text, .iCalendar) == 1, "\(text)")
      #expect(book.shown == before, "\(text)")
    }
  }
}
