import Domain
import Interchange
import Testing

/// Times, starts, reminders, cancellations and sub-tasks, exchanged between to-dos and a calendar.
struct CalendarTaskFieldTests {
  private static func calendar(_ tasks: String...) -> String {
    let parts = tasks.map { "BEGIN:VTODO\r\n\($0)\r\nEND:VTODO\r\n" }
    return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(parts.joined())END:VCALENDAR\r\n"
  }

  private static func task(_ lines: String...) -> String {
    (["UID:u", "SUMMARY:Sweep"] + lines).joined(separator: "\r\n")
  }

  private static func alarm(_ trigger: String) -> String {
    "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER\(trigger)\r\nEND:VALARM"
  }

  private static func reminders(_ lines: String...) throws -> [String]? {
    var book = ForeignBook()
    let task = (["UID:u", "SUMMARY:Sweep"] + lines).joined(separator: "\r\n")
    try book.take(calendar(task), .iCalendar)
    return book.document("Sweep").flatMap { Todo($0) }?.remind
  }

  /// The lines of the exported task that other programs read.
  private static func written(_ book: ForeignBook) throws -> [String] {
    let lines = try book.written(.iCalendar).replacing("\r\n ", with: "").split(separator: "\r\n")
    let start = try #require(lines.firstIndex(of: "BEGIN:VTODO"))
    let end = try #require(lines.lastIndex(of: "END:VTODO"))
    let others = ["X-DAYBOOK", "UID", "DTSTAMP", "CREATED", "LAST-", "SUMMARY", "PRIORITY"]
    return lines[(start + 1)..<end].filter { line in !others.contains { line.hasPrefix($0) } }
      .map(String.init)
  }

  @Test func `Calendar to-dos: seconds of a due time and the time of a start are reported`() throws
  {
    let file = try FileFormat.iCalendar.read(
      Array(
        Self.calendar(Self.task("DUE:20261120T170030", "DTSTART:20261118T090000")).utf8))
    #expect(
      file.remarks.map(\.note) == [
        .changed(field: "DUE", "20261120T170030", to: "2026-11-20 17:00"),
        .changed(field: "DTSTART", "20261118T090000", to: "2026-11-18"),
      ])
    let zoned = try FileFormat.iCalendar.read(
      Array(Self.calendar(Self.task("DUE;TZID=Berlin Time:20261120T170000")).utf8))
    #expect(
      zoned.remarks.map(\.note) == [.changed(field: "TZID", "Berlin Time", to: "local time")])
  }

  @Test func `Calendar to-dos: a start on another day than the due date is the start`() throws {
    func start(_ lines: String...) throws -> String? {
      var book = ForeignBook()
      let task = (["UID:u", "SUMMARY:Sweep"] + lines).joined(separator: "\r\n")
      try book.take(Self.calendar(task), .iCalendar)
      return book.document("Sweep").flatMap { Todo($0) }?.start?.iso
    }
    let due = "DUE;VALUE=DATE:20261120"
    #expect(try start("DTSTART;VALUE=DATE:20261118", due) == "2026-11-18")
    #expect(try start("DTSTART;VALUE=DATE:20261118") == "2026-11-18")
    #expect(try start("DTSTART;VALUE=DATE:20261120", due) == nil)
    #expect(
      try start("DTSTART;VALUE=DATE:20261120", due, "X-DAYBOOK-START:20261120") == "2026-11-20")
  }

  @Test func `Calendar to-dos: alarms before the due time are reminders, and others are kept`()
    throws
  {
    let (due, day) = ("DUE:20261120T170000", "DUE;VALUE=DATE:20261120")
    #expect(try Self.reminders(due, Self.alarm(":-PT15M"), Self.alarm(":PT0S")) == ["15m", "0"])
    #expect(try Self.reminders(due, Self.alarm(";RELATED=END:-P1W")) == ["7d"])
    #expect(try Self.reminders(day, Self.alarm(";RELATED=END:-PT15H")) == ["1d"])
    #expect(try Self.reminders(day, Self.alarm(";RELATED=END:PT9H")) == ["0"])
    // Relative to a start one day and two hours before the due time.
    let start = "DTSTART:20261119T150000"
    #expect(try Self.reminders(start, due, Self.alarm(":-PT1H")) == ["27h"])
    #expect(try Self.reminders(start, due, Self.alarm(";RELATED=END:-PT1H")) == ["1h"])
    #expect(try Self.reminders(due, Self.alarm(":PT1H")) == [])
    #expect(try Self.reminders(due, Self.alarm(";VALUE=DATE-TIME:20261120T160000Z")) == [])
    #expect(try Self.reminders(Self.alarm(":-PT1H")) == [])
    #expect(try Self.reminders(due, Self.alarm(":-P1X")) == [])
  }

  @Test func `Calendar to-dos: changed reminders replace only the alarms that they come from`()
    throws
  {
    let fixed = Self.alarm(";VALUE=DATE-TIME:20261120T160000Z")
    var book = ForeignBook()
    try book.take(
      Self.calendar(Self.task("DUE:20261120T170000", Self.alarm(":-PT15M"), fixed)), .iCalendar)
    let all = try Self.written(book)
    #expect(
      all == [
        "DUE:20261120T170000", "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT15M", "END:VALARM",
        "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;VALUE=DATE-TIME:20261120T160000Z", "END:VALARM",
      ])
    let id = try #require(book.document("Sweep")).id.uuid
    try book.run(#"{"op":"edit","kind":"todo","id":"\#(id)","set":{"remind":["1w"]}}"#)
    #expect(
      try Self.written(book) == [
        "DUE:20261120T170000", "BEGIN:VALARM", "ACTION:DISPLAY",
        "TRIGGER;VALUE=DATE-TIME:20261120T160000Z", "END:VALARM", "BEGIN:VALARM",
        "ACTION:DISPLAY", "DESCRIPTION:Sweep", "TRIGGER;RELATED=END:-P7D", "END:VALARM",
      ])
    var other = ForeignBook()
    try other.take(try book.written(.iCalendar), .iCalendar)
    #expect(other.document("Sweep").flatMap { Todo($0) }?.remind == ["1w"])
  }

  @Test func `Calendar to-dos: a cancelled task is a cancelled to-do, and back`() throws {
    var book = ForeignBook()
    try book.take(Self.calendar(Self.task("STATUS:CANCELLED")), .iCalendar)
    let todo = try #require(book.document("Sweep").flatMap { Todo($0) })
    #expect(todo.isCancelled && !todo.isDone)
    #expect(try Self.written(book) == ["STATUS:CANCELLED"])
    try book.run(
      #"{"op":"edit","kind":"todo","id":"\#(todo.id.uuid)","set":{"cancelled":false,"done":true}}"#)
    #expect(try Self.written(book).contains("STATUS:COMPLETED"))
    try book.take(Self.calendar(Self.task("STATUS:NEEDS-ACTION")), .iCalendar)
    #expect(book.document("Sweep").flatMap { Todo($0) }?.isCancelled == false)
  }

  private static func parents(_ book: ForeignBook) -> [String: String] {
    var parents: [String: String] = [:]
    for document in book.records.documents(.todo) {
      let parent = document.value(Field.Todo.parent).reference.flatMap(book.records.document)
      if let parent, let todo = Todo(document) {
        parents[todo.title] = parent.text(Field.Todo.title)
      }
    }
    return parents
  }

  @Test func `Calendar to-dos: relations to parents and children make sub-tasks`() throws {
    let text = Self.calendar(
      "UID:c\r\nSUMMARY:Photo\r\nRELATED-TO;RELTYPE=PARENT:p",
      "UID:d\r\nSUMMARY:Fee\r\nRELATED-TO:p", "UID:e\r\nSUMMARY:Form",
      "UID:p\r\nSUMMARY:Passport\r\nRELATED-TO;RELTYPE=CHILD:e\r\nRELATED-TO;RELTYPE=SIBLING:d",
      "UID:f\r\nSUMMARY:Alone\r\nRELATED-TO:missing")
    var book = ForeignBook(number: 1)
    #expect(try book.take(text, .iCalendar) == .init(added: 5))
    let all = ["Photo": "Passport", "Fee": "Passport", "Form": "Passport"]
    #expect(Self.parents(book) == all)
    #expect(try book.take(text, .iCalendar) == .init(same: 5))
    let written = try book.written(.iCalendar)
    #expect(try book.take(written, .iCalendar) == .init(same: 5))
    var other = ForeignBook(number: 2)
    try other.take(written, .iCalendar)
    #expect(Self.parents(other) == all)
    let photo = try #require(book.document("Photo")).id.uuid
    try book.run(#"{"op":"edit","kind":"todo","id":"\#(photo)","set":{"parent":null}}"#)
    let later = try book.written(.iCalendar)
    #expect(later.ranges(of: "RELTYPE=PARENT:p").count == 1)
    try other.take(later, .iCalendar)
    #expect(Self.parents(other) == ["Fee": "Passport", "Form": "Passport"])
    #expect(try book.take(later, .iCalendar) == .init(same: 5))
  }

  @Test func `Calendar to-dos: if tasks are parts of each other, the last loses its parent`()
    throws
  {
    var book = ForeignBook()
    let outcome = try book.take(
      Self.calendar(
        "UID:a\r\nSUMMARY:A\r\nRELATED-TO:b", "UID:b\r\nSUMMARY:B\r\nRELATED-TO:a"), .iCalendar)
    #expect(outcome == .init(added: 2))
    #expect(Self.parents(book) == ["A": "B"])
  }

  @Test func `Calendar export: all new fields come back`() throws {
    let book = try ForeignBook(
      """
      {"op":"add","kind":"todo","id":"p","title":"Passport","due":"2026-12-01","dueTime":1020,"zone":"Europe/Berlin","start":"2026-12-01","remind":["1w","2h","none so"]}
      {"op":"add","kind":"todo","id":"c","title":"Photo","parent":"p","due":"2026-12-02","start":"2026-11-30","remind":["1d"]}
      {"op":"add","kind":"todo","id":"x","title":"Gone","cancelled":true,"closedOn":"2026-11-26","remind":["none"]}
      """)
    let text = try book.written(.iCalendar)
    #expect(text.contains("\r\nDTSTART;TZID=Europe/Berlin:20261201T000000\r\n"))
    #expect(text.contains("\r\nDUE;TZID=Europe/Berlin:20261201T170000\r\n"))
    #expect(text.contains("\r\nTRIGGER;RELATED=END:-PT15H\r\n"))
    var other = ForeignBook()
    #expect(try other.take(text, .iCalendar) == .init(added: 3))
    func plain(_ book: ForeignBook) -> [String] {
      book.shown.map { $0.replacing(/,"(createdAt|parent)":("[^"]*"|\d+)/, with: "") }.sorted()
    }
    #expect(plain(other) == plain(book))
    #expect(Self.parents(other) == ["Photo": "Passport"])
    var same = book
    #expect(try same.take(text, .iCalendar) == .init(same: 3))
  }
  @Test func `Calendar to-dos: a long description is not reported as lost, because it is the note`()
    throws
  {
    let note = String(repeating: "word ", count: 10_000) + "end"
    let text = Self.calendar(
      Self.task("DESCRIPTION:\(note)", "X-DATA:\(String(repeating: "A", count: 41_000))"))
    let file = try FileFormat.iCalendar.read(Array(text.utf8))
    #expect(file.records.map { $0.fields[.note] } == [.value(.text(note))])
    #expect(file.remarks.map(\.note) == [.leftOut("X-DATA", bytes: 41_007)])
  }
}
