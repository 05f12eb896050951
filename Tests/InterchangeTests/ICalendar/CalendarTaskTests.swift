import Domain
import Interchange
import Testing

/// To-dos imported from a calendar.
struct CalendarTaskTests {
  private static func calendar(_ tasks: [String], head: String = "") -> String {
    let parts = tasks.map { "BEGIN:VTODO\r\n\($0)END:VTODO\r\n" }
    return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(head)\(parts.joined())END:VCALENDAR\r\n"
  }

  private static func shown(
    _ task: String, head: String = "", hoursAhead: Int = 0
  ) throws -> [String] {
    var settings = ForeignSettings()
    settings.localOffset = { _ in hoursAhead * 3600 }
    var book = ForeignBook()
    try book.take(calendar(["UID:u\r\nSUMMARY:Sweep\r\n" + task], head: head), .iCalendar, settings)
    return book.shown
  }

  @Test(arguments: [
    ("0", ""), ("1", #","priority":2"#), ("4", #","priority":2"#), ("5", ""),
    ("6", #","priority":0"#),
    ("9", #","priority":0"#),
  ])
  func `Calendar to-dos: priorities 1 to 9 are mapped to ours`(number: String, shown: String) throws
  {
    #expect(
      try Self.shown("PRIORITY:\(number)\r\n") == [#"{"kind":"todo","title":"Sweep"\#(shown)}"#])
  }

  @Test func `Calendar to-dos: all properties are imported, and a recurrence rule is reported`()
    throws
  {
    let task = """
      UID:u\r
      SUMMARY:Buy Eggos\\, soon\r
      DESCRIPTION:two boxes\r
      PRIORITY:3\r
      STATUS:COMPLETED\r
      CREATED:20260101T000000Z\r
      COMPLETED:20260102T030405Z\r
      DUE;VALUE=DATE:20260103\r
      CATEGORIES:Home,food\r
      RRULE:FREQ=WEEKLY\r
      RELATED-TO:v\r

      """
    let file = try FileFormat.iCalendar.read(Array(Self.calendar([task]).utf8))
    #expect(file.remarks.map(\.note) == [.notActedOn("RRULE:FREQ=WEEKLY")])
    var book = ForeignBook()
    #expect(book.take(file) == .init(added: 1))
    let todo = try #require(book.document("Buy Eggos, soon"))
    let expected = try #require(Todo(todo))
    #expect(expected.isDone && expected.priority == .high && expected.due?.iso == "2026-01-03")
    #expect(expected.createdAt == 1_767_225_600_000)
    #expect(expected.completedAt == 1_767_323_045_000)
    #expect(todo.tags == ["food"])
    #expect(book.contents().listName(of: todo) == "Home")
    let text = try book.written(.iCalendar)
    for line in task.split(separator: "\r\n") where !line.hasPrefix("CATEGORIES") {
      #expect(text.contains("\r\n\(line)\r\n"), "\(line)")
    }
    #expect(try book.take(text, .iCalendar) == .init(same: 1))
  }

  @Test func `Calendar to-dos: control characters become spaces`()
    throws
  {
    let task = "UID:u\r\nSUMMARY:Buy\u{1B}[31m m\u{7}lk\u{7F}\r\nDESCRIPTION:a\u{2}\\nb\tc\r\n"
    let file = try FileFormat.iCalendar.read(
      Array(Self.calendar([task]).utf8), ForeignSettings())
    #expect(
      file.records.map { $0.fields[Field.Todo.title] } == [.value(.text("Buy [31m m lk"))])
    #expect(file.records.map { $0.fields[.note] } == [.value(.text("a \nb\tc"))])
  }

  @Test func `Calendar to-dos: the list is the first category, otherwise the calendar name`() throws
  {
    func lists(_ task: String, _ head: String) throws -> [String] {
      try Self.shown(task, head: head).filter { $0.contains(#""kind":"list""#) }
    }
    let home = [#"{"kind":"list","name":"Home"}"#]
    #expect(try lists("CATEGORIES:Home\r\n", "NAME:Tasks\r\n") == home)
    #expect(try lists("", "X-WR-CALNAME:Home\r\n") == home)
    #expect(try lists("", "") == [])
  }

  /// Offsets from UTC in hours, each with the local day at 2026-11-20 11:30 UTC.
  static let zones = (-11...14).map { hours in
    (hours, hours >= 13 ? "2026-11-21" : "2026-11-20")
  }

  @Test(arguments: zones)
  func `Calendar to-dos: a due instant in UTC becomes the local day`(hours: Int, day: String) throws
  {
    #expect(
      try Self.shown("DUE:20261120T113000Z\r\n", hoursAhead: hours)
        == [
          #"{"kind":"todo","title":"Sweep","due":"\#(day)","dueTime":\#((690 + hours * 60 + 1440) % 1440)}"#
        ])
  }

  @Test(arguments: zones)
  func `Calendar to-dos: a day or zoned time is taken as written`(
    hours: Int, day: String
  ) throws {
    for (due, time) in [
      ("DUE;VALUE=DATE:20261120", ""), ("DUE:20261120T233000", #","dueTime":1410"#),
      ("DUE;TZID=Asia/Tokyo:20261120T003000", #","dueTime":30,"zone":"Asia/Tokyo""#),
      (
        "DUE;TZID=/a.b/America/Indiana/Knox:20261120T000000",
        #","dueTime":0,"zone":"America/Indiana/Knox""#
      ),
      ("DUE;TZID=Tokyo Standard Time:20261120T003000", #","dueTime":30"#),
    ] {
      #expect(
        try Self.shown(due + "\r\n", hoursAhead: hours)
          == [#"{"kind":"todo","title":"Sweep","due":"2026-11-20"\#(time)}"#])
    }
  }

  @Test func `Calendar to-dos: time and zone are written back while the day stays`() throws {
    let zone = "BEGIN:VTIMEZONE\r\nTZID:Asia/Tokyo\r\nEND:VTIMEZONE\r\n"
    let task = "UID:u\r\nSUMMARY:Sweep\r\nDUE;TZID=Asia/Tokyo:20261120T170000\r\n"
    var book = ForeignBook()
    try book.take(Self.calendar([task], head: zone), .iCalendar)
    let text = try book.written(.iCalendar)
    #expect(text.contains(zone))
    #expect(text.contains("\r\nDUE;TZID=Asia/Tokyo:20261120T170000\r\n"))
    let sweep = try #require(book.document("Sweep"))
    try book.run(
      #"{"op":"edit","kind":"todo","id":"\#(sweep.id.uuid)","set":{"due":"2026-11-21"}}"#)
    #expect(
      try book.written(.iCalendar).contains("\r\nDUE;TZID=Asia/Tokyo:20261121T170000\r\n"))
    try book.run(
      #"{"op":"edit","kind":"todo","id":"\#(sweep.id.uuid)","set":{"dueTime":null,"zone":null}}"#)
    #expect(try book.written(.iCalendar).contains("\r\nDUE;VALUE=DATE:20261121\r\n"))
  }

  @Test
  func `Calendar to-dos: other components are skipped, and invalid ones reported`() throws {
    let tasks = [
      "UID:b\r\n",
      "UID:c\r\nSUMMARY:x\r\nDUE:tomorrow\r\n", "UID:d\r\nSUMMARY:y\r\nPRIORITY:high\r\n",
    ]
    let text = Self.calendar(tasks, head: "BEGIN:VJOURNAL\r\nSUMMARY:z\r\nEND:VJOURNAL\r\n")
    let file = try FileFormat.iCalendar.read(Array(text.utf8))
    #expect(file.records.isEmpty)
    #expect(file.passedOver == [.otherComponent: 1])
    #expect(
      file.skipped.map(\.fault) == [
        .missing("SUMMARY"), .unreadable(field: "DUE", "tomorrow"),
        .unreadable(field: "PRIORITY", "high"),
      ])
  }
}
