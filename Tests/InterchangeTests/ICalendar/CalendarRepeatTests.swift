import Domain
import Interchange
import Testing

/// Repeating tasks in calendars that other programs write.
struct CalendarRepeatTests {
  private static func calendar(_ tasks: [String]) -> String {
    let parts = tasks.map {
      "BEGIN:VTODO\r\n" + $0.replacing("\n", with: "\r\n") + "\r\nEND:VTODO\r\n"
    }
    return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(parts.joined())END:VCALENDAR\r\n"
  }

  /// A book with a task *Sweep*, and perhaps exceptions to it.
  private static func book(_ task: String, _ exceptions: String...) throws -> ForeignBook {
    var book = ForeignBook()
    try book.take(text(task, exceptions), .iCalendar)
    return book
  }

  private static func text(_ task: String, _ exceptions: [String]) -> String {
    calendar(([task] + exceptions).map { "UID:u\nSUMMARY:Sweep\n" + $0 })
  }

  private static func notes(_ task: String, _ exceptions: String...) throws -> [ForeignNote] {
    try FileFormat.iCalendar.read(Array(text(task, exceptions).utf8)).remarks.map(\.note)
  }

  private static let weekly =
    "DTSTART;VALUE=DATE:20261123\nDUE;VALUE=DATE:20261123\nRRULE:FREQ=WEEKLY"

  @Test(arguments: [
    ("FREQ=DAILY;INTERVAL=1", "FREQ=DAILY"), ("FREQ=WEEKLY;WKST=SU", "FREQ=WEEKLY"),
    ("FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO"),
    ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=-1", "FREQ=MONTHLY;BYDAY=-1MO"),
    ("FREQ=MONTHLY;BYDAY=+2TU", "FREQ=MONTHLY;BYDAY=2TU"),
    ("FREQ=MONTHLY;BYDAY=SU,MO,TU,WE,TH,FR,SA;BYSETPOS=-1", "FREQ=MONTHLY;BYMONTHDAY=-1"),
    (
      "FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1",
      "FREQ=MONTHLY;BYMONTHDAY=30;SKIP=BACKWARD"
    ),
    (
      "FREQ=MONTHLY;BYMONTHDAY=15,28,29,30,31;BYSETPOS=1,-1",
      "FREQ=MONTHLY;BYMONTHDAY=15,31;SKIP=BACKWARD"
    ),
    ("FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "FREQ=MONTHLY;BYMONTH=3;BYDAY=-1SU"),
    (
      "FREQ=YEARLY;INTERVAL=2;BYMONTH=11;BYDAY=4TH",
      "FREQ=MONTHLY;INTERVAL=24;BYMONTH=11;BYDAY=4TH"
    ),
    (
      "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD;BYMONTHDAY=31",
      "FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD"
    ),
  ])
  func `Calendar repeats: a rule that daybook writes with different parts is read`(
    written: String, rule: String
  ) throws {
    let text = "DUE;VALUE=DATE:20261123\nRRULE:\(written)"
    #expect(try Self.book(text).repeating("Sweep") == "\(rule) from 2026-11-23: 2026-11-23")
    #expect(try Self.notes(text) == [])
  }

  @Test(arguments: [
    "FREQ=HOURLY", "FREQ=YEARLY;BYWEEKNO=20", "FREQ=YEARLY;BYDAY=20MO",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
    "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU,MO", "FREQ=YEARLY;INTERVAL=2;BYMONTH=3;BYDAY=-1SU",
    "FREQ=DAILY;BYHOUR=9,17", "FREQ=WEEKLY;COUNT=0", "weekly",
  ])
  func `Calendar repeats: any other rule is kept, reported and written back`(rule: String) throws {
    let text = "DUE;VALUE=DATE:20261123\nRRULE:\(rule)"
    let book = try Self.book(text)
    #expect(book.repeating("Sweep") == nil)
    #expect(try Self.notes(text) == [.notActedOn("RRULE:\(rule)")])
    #expect(try book.written(.iCalendar).contains("\r\nRRULE:\(rule)\r\n"))
    var same = book
    #expect(try same.take(try book.written(.iCalendar), .iCalendar) == .init(same: 1))
  }

  @Test func `Calendar repeats: dates of an additional list, or without any date, are kept`() throws
  {
    let more = Self.weekly + "\nRDATE;VALUE=DATE:20261125"
    #expect(try Self.book(more).repeating("Sweep") == nil)
    #expect(try Self.notes(more) == [.notActedOn("RRULE:FREQ=WEEKLY")])
    #expect(try Self.notes("RRULE:FREQ=WEEKLY") == [.notActedOn("RRULE:FREQ=WEEKLY")])
    #expect(
      try Self.notes("RRULE:FREQ=WEEKLY", "RECURRENCE-ID;VALUE=DATE:20261130\nSTATUS:COMPLETED")
        == [.notActedOn("RRULE:FREQ=WEEKLY"), .notActedOn("RECURRENCE-ID:20261130")])
  }

  @Test func `Calendar repeats: a start on a different day than the due date is the first date`()
    throws
  {
    let text = "DTSTART:20261121T090000\nDUE:20261123T170000\nRRULE:FREQ=WEEKLY"
    #expect(
      try Self.book(text).repeating("Sweep")
        == "FREQ=WEEKLY;FROM=START from 2026-11-23 starting 2026-11-21: 2026-11-23")
    #expect(
      try Self.book("DTSTART:20261123T090000\nRRULE:FREQ=WEEKLY;COUNT=3").repeating("Sweep")
        == "FREQ=WEEKLY;COUNT=3 from 2026-11-23: 2026-11-23")
  }

  @Test(arguments: [
    ("UNTIL=20261214", "2026-12-14"), ("UNTIL=20261214T170000", "2026-12-14"),
    ("UNTIL=20261214T165959", "2026-12-13"), ("UNTIL=20261214T230000Z", "2026-12-14"),
  ])
  func `Calendar repeats: the last day of a rule is the last day with its time`(
    end: String, until: String
  ) throws {
    let text = "DTSTART:20261123T170000\nDUE:20261123T170000\nRRULE:FREQ=WEEKLY;\(end)"
    #expect(
      try Self.book(text).repeating("Sweep")
        == "FREQ=WEEKLY from 2026-11-23 until \(until): 2026-11-23")
    // The end is 17:00 in Tokyo.
    let tokyo = ";TZID=Asia/Tokyo:20261123T170000"
    let zoned = "DTSTART\(tokyo)\nDUE\(tokyo)\nRRULE:FREQ=WEEKLY;UNTIL=20261214T080000Z"
    #expect(try Self.book(zoned).repeating("Sweep")?.contains("until 2026-12-14") == true)
  }

  @Test func `Calendar repeats: exceptions are done, skipped, moved or reported`() throws {
    let book = try Self.book(
      Self.weekly,
      "RECURRENCE-ID;VALUE=DATE:20261123\nSTATUS:COMPLETED\nCOMPLETED:20261124T100000Z",
      "RECURRENCE-ID;VALUE=DATE:20261130\nSTATUS:CANCELLED",
      "RECURRENCE-ID;VALUE=DATE:20261207\nDUE;VALUE=DATE:20261209\nDESCRIPTION:late")
    #expect(
      book.repeating("Sweep")
        == "FREQ=WEEKLY from 2026-11-23: 2026-12-09; 2026-11-23 done 2026-11-24; 2026-11-30 skipped; "
        + "2026-12-07 open due 2026-12-09 (late)")
    #expect(
      try Self.notes(
        Self.weekly, "RECURRENCE-ID;VALUE=DATE:20261124\nSTATUS:COMPLETED",
        "RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20261130\nSTATUS:CANCELLED")
        == [.notActedOn("RECURRENCE-ID:20261124"), .notActedOn("RECURRENCE-ID:20261130")])
  }

  @Test func `Calendar repeats: excluded dates are skipped, and an open date before them is kept`()
    throws
  {
    let text = Self.weekly + "\nEXDATE;VALUE=DATE:20261130,20261207,20261208"
    #expect(
      try Self.book(text).repeating("Sweep")
        == "FREQ=WEEKLY;MISSED=KEEP from 2026-11-23: 2026-11-23; 2026-11-30 skipped; 2026-12-07 skipped"
    )
    #expect(try Self.notes(text) == [.notActedOn("EXDATE:20261208")])
    #expect(
      try Self.book(Self.weekly + "\nEXDATE;VALUE=DATE:20261123").repeating("Sweep")
        == "FREQ=WEEKLY from 2026-11-23: 2026-11-30; 2026-11-23 skipped")
  }

  @Test func `Calendar repeats: a completed recurring task is done, and its rule is kept`()
    throws
  {
    let text = Self.weekly + "\nSTATUS:COMPLETED"
    let book = try Self.book(text)
    #expect(book.repeating("Sweep") == nil)
    #expect(book.todo("Sweep").flatMap { Todo($0) }?.isDone == true)
    #expect(try Self.notes(text) == [.notActedOn("RRULE:FREQ=WEEKLY")])
    #expect(try book.written(.iCalendar).contains("\r\nRRULE:FREQ=WEEKLY\r\n"))
  }

  @Test func `Calendar repeats: an unchanged task is written back with its exceptions unchanged`()
    throws
  {
    let exceptions = [
      "RECURRENCE-ID;VALUE=DATE:20261123\nSTATUS:COMPLETED\nLOCATION:attic",
      "RECURRENCE-ID;VALUE=DATE:20261207\nDUE;VALUE=DATE:20261209\nLOCATION:roof",
    ]
    let text = Self.text(Self.weekly + "\nEXDATE;VALUE=DATE:20261130\nX-A:b", exceptions)
    var book = ForeignBook(number: 1)
    try book.take(text, .iCalendar)
    #expect(try book.take(text, .iCalendar) == .init(same: 1))
    let written = try book.written(.iCalendar)
    for part in text.split(separator: "BEGIN:VTODO\r\n").dropFirst() {
      for line in part.split(separator: "\r\n") where line != "END:VCALENDAR" {
        #expect(written.contains("\r\n\(line)\r\n"), "\(line)")
      }
    }
    #expect(!written.contains("X-DAYBOOK-REPEAT"))
    #expect(try book.take(written, .iCalendar) == .init(same: 1))
    // The next date moves the task, drops the dates before it, and keeps the changed date as it was.
    try book.occur("Sweep", "2026-12-07", #""done":true,"closedOn":"2026-12-08""#)
    let later = try book.written(.iCalendar)
    #expect(later.contains("\r\nDTSTART;VALUE=DATE:20261214\r\n"))
    #expect(!later.contains("LOCATION"))
    #expect(later.contains("\r\nX-A:b\r\n"))
    #expect(try book.take(later, .iCalendar) == .init(same: 1))
  }

  @Test func `Calendar repeats: a completion that another program takes back is taken back here`()
    throws
  {
    let done = "RECURRENCE-ID;VALUE=DATE:20261123\nSTATUS:COMPLETED"
    var book = try Self.book(Self.weekly, done)
    #expect(book.repeating("Sweep")?.contains("2026-11-23 done") == true)
    #expect(
      try book.take(
        Self.text(Self.weekly, [done.replacing("COMPLETED", with: "NEEDS-ACTION")]), .iCalendar)
        == .init(edited: 1))
    #expect(
      book.repeating("Sweep") == "FREQ=WEEKLY from 2026-11-23: 2026-11-23; 2026-11-23 open")
  }
}
