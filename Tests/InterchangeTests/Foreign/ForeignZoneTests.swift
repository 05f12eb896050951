import Domain
import Interchange
import Testing

/// Instants in files of other programs that belong to the time zone of their record.
struct ForeignZoneTests {
  /// Settings for a machine with the given offset of local time, which knows the time zone of New York in winter.
  private static func settings(_ localOffset: Int) -> ForeignSettings {
    var settings = ForeignSettings()
    settings.localOffset = { _ in localOffset }
    settings.zoneOffset = { zone in
      guard zone == "America/New_York" else { return nil }
      return { _ in -18_000 }
    }
    return settings
  }

  @Test(arguments: [0, -18_000, 3_600, 32_400])
  func `Zones: the end of a repeating task is a day in its time zone`(offset: Int) throws {
    let lines = [
      "BEGIN:VCALENDAR", "BEGIN:VTODO", "UID:m", "SUMMARY:Mop",
      "DTSTART;TZID=America/New_York:20261201T100000",
      "DUE;TZID=America/New_York:20261201T100000", "RRULE:FREQ=DAILY;UNTIL=20270101T045959Z",
      "END:VTODO", "END:VCALENDAR",
    ]
    let text = lines.map { $0 + "\r\n" }.joined()
    var book = ForeignBook(number: 1)
    try book.take(text, .iCalendar, Self.settings(offset))
    #expect(
      book.repeating("Mop") == "FREQ=DAILY from 2026-12-01 until 2026-12-31: 2026-12-01")
    #expect(try book.take(text, .iCalendar, Self.settings(offset)) == .init(same: 1))
    // The zone of the task counts even without its start.
    var other = ForeignBook(number: 2)
    let due = text.replacing("DTSTART;TZID=America/New_York:20261201T100000\r\n", with: "")
    try other.take(due, .iCalendar, Self.settings(offset))
    #expect(other.repeating("Mop")?.contains("until 2026-12-31") == true)
  }

  private static func tickTick(_ day: String, start: String = "", allDay: Bool = false) -> String {
    "\"List Name\",\"Title\",\"Kind\",\"Start Date\",\"Due Date\",\"Timezone\",\"Is All Day\",\"taskId\"\n"
      + "Inbox,Call,TEXT,\(start),\(day),America/New_York,\(allDay),1\n"
  }

  @Test func `Zones: the times of a TickTick row are in its time zone`() throws {
    let text = Self.tickTick("2026-12-02T01:30:00+0000", start: "2026-12-01T03:00:00+0000")
    let file = try FileFormat.csv.read(Array(text.utf8), Self.settings(3_600))
    #expect(
      file.remarks.map(\.note).filter { "\($0)".contains("Due Date") } == [])
    var book = ForeignBook()
    book.take(file)
    let todo = try #require(book.document("Call").flatMap { Todo($0) })
    #expect(todo.due?.iso == "2026-12-01")
    #expect(todo.dueTime == 1230)
    #expect(todo.zone == "America/New_York")
    #expect(todo.start?.iso == "2026-11-30")
  }

  @Test func `Zones: a whole day of a TickTick row is that of its time zone`() throws {
    var book = ForeignBook()
    let text = Self.tickTick("2026-12-01T05:00:00+0000", allDay: true)
    try book.take(text, .csv, Self.settings(3_600))
    let todo = try #require(book.document("Call").flatMap { Todo($0) })
    #expect(todo.due?.iso == "2026-12-01")
    #expect(todo.dueTime == nil)
  }

  @Test func `Zones: a time in the time zone of the machine is local`() throws {
    var book = ForeignBook()
    try book.take(
      Self.tickTick("2026-12-02T01:30:00+0000"), .csv, Self.settings(-18_000))
    let todo = try #require(book.document("Call").flatMap { Todo($0) })
    #expect(todo.dueTime == 1230)
    #expect(todo.zone == nil)
  }

  @Test func `Zones: a deadline on another day than the due date is reported`() throws {
    let head = "TYPE,CONTENT,PRIORITY,INDENT,DATE,DEADLINE\n"
    let rows =
      "task,Both,4,1,2026-12-01,2026-12-05\ntask,Same,4,1,2026-12-01,2026-12-01\n"
      + "task,Alone,4,1,,2026-12-05\n"
    let file = try FileFormat.csv.read(Array((head + rows).utf8))
    #expect(file.remarks.map(\.note) == [.notActedOn("DEADLINE: 2026-12-05")])
    var book = ForeignBook()
    book.take(file)
    #expect(book.document("Both").flatMap { Todo($0) }?.due?.iso == "2026-12-01")
    #expect(book.document("Alone").flatMap { Todo($0) }?.due?.iso == "2026-12-05")
  }
}
