import Domain
import Interchange
import Testing

/// Imports of a book's own files and of files with values that need a note.
struct OwnFileTests {
  @Test(arguments: [
    "+Only", "(A) x", "x y", "x", "2026-01-01 z", "due:tomorrow", "due:2026-01-01 due:2026-01-02",
    "@at", "\\x", "\\+a \\\\+b", "rec:1w", "uuid:1 base:2", "due:2026-01-01T17:00",
    "t:2026-01-01 t:2026-01-02", "t:x",
    "zone:Europe/Berlin", "remind:1d", "remind:soon", "parent:7", "status:cancelled",
    "x status:cancelled", "status:open", "one\n\ntwo", "- \u{301}e",
  ])
  func `todo.txt: another book reads any exported title unchanged`(title: String) throws {
    var book = ForeignBook(number: 1)
    let quoted = title.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    try book.run(#"{"op":"add","kind":"todo","id":"t","title":"\#(quoted)"}"#)
    var other = ForeignBook(number: 2)
    try other.take(try book.written(.todoTxt), .todoTxt)
    #expect(other.shown == [#"{"kind":"todo","title":"\#(quoted)"}"#])
  }

  @Test func `Markdown: a title of two lines is one item and reads back`() throws {
    var book = ForeignBook(number: 1)
    try book.run(#"{"op":"add","kind":"todo","id":"t","title":"one\ntwo"}"#)
    let text = try book.written(.markdown)
    #expect(text.hasPrefix("- [ ] one<br>two <!-- daybook "))
    var other = ForeignBook(number: 2)
    try other.take(text, .markdown)
    #expect(other.shown == [#"{"kind":"todo","title":"one\ntwo"}"#])
  }

  @Test func `Taskwarrior: a to-do completed before its creation keeps both times`() throws {
    var book = ForeignBook(number: 1)
    try book.run(
      #"{"t":1795176000123,"op":"add","kind":"todo","id":"a","title":"Mop","done":true,"completedAt":1795089600000}"#
    )
    let before = book.shown
    #expect(try book.take(try book.written(.taskwarrior), .taskwarrior) == .init(same: 1))
    #expect(book.shown == before)
  }

  @Test(arguments: [FileFormat.iCalendar, .taskwarrior])
  func `Times: milliseconds survive formats with whole seconds unless the second changes`(
    format: FileFormat
  ) throws {
    var book = ForeignBook(number: 1)
    try book.run(
      #"{"t":1795089600123,"op":"add","kind":"todo","id":"a","title":"Mop","done":true,"completedAt":1795176000456}"#
    )
    let text = try book.written(format)
    let other = text.replacing("20261120T120000Z", with: "20261120T120007Z")
    for (file, end) in [(text, 1_795_176_000_456), (other, 1_795_176_007_000)] {
      var reader = ForeignBook(number: 2)
      try reader.take(file, format)
      let todo = try #require(reader.document("Mop").flatMap { Todo($0) })
      #expect([todo.createdAt, todo.completedAt] == [1_795_089_600_123, Int64(end)])
    }
    #expect(try book.take(text, format) == .init(same: 1))
  }

  @Test(arguments: [true, false])
  func `UTF-16: text without a byte order mark is detected by its zero bytes`(isBig: Bool) throws {
    let units = Array("Title\nÜben 日本\n".utf16)
    let bytes = units.flatMap { unit in
      isBig ? [UInt8(unit >> 8), UInt8(unit & 255)] : [UInt8(unit & 255), UInt8(unit >> 8)]
    }
    let file = try FileFormat.csv.read(bytes)
    #expect(file.records.map { $0.fields[Field.Todo.title] } == [.value(.text("Üben 日本"))])
    #expect(file.remarks == [])
  }

  @Test func `Calendars: an alarm at a fixed time and a possible birthday are reported`() throws {
    let text = """
      BEGIN:VCALENDAR\r
      BEGIN:VTODO\r
      UID:t\r
      SUMMARY:Mop\r
      DUE:20261120T233000Z\r
      BEGIN:VALARM\r
      ACTION:AUDIO\r
      TRIGGER;VALUE=DATE-TIME:20261120T220000Z\r
      END:VALARM\r
      END:VTODO\r
      BEGIN:VEVENT\r
      UID:e\r
      SUMMARY:Ada's birthday\r
      DTSTART;VALUE=DATE:20200304\r
      RRULE:FREQ=YEARLY\r
      END:VEVENT\r
      END:VCALENDAR\r

      """
    let file = try FileFormat.iCalendar.read(Array(text.utf8))
    #expect(
      file.remarks.map(\.note) == [
        .notActedOn("VALARM"), .perhapsBirthday("Ada's birthday"),
      ])
    #expect(file.passedOver == [.eventThatIsNoBirthday: 1])
  }
}
