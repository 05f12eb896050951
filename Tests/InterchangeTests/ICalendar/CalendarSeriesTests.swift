import Domain
import Interchange
import Testing

/// Daybook's repeating to-dos in calendars.
struct CalendarSeriesTests {
  /// A book with the to-do *Bins*.
  private static func book(_ fields: String) throws -> ForeignBook {
    var book = ForeignBook(number: 1)
    try book.run(#"{"op":"add","kind":"todo","id":"b","title":"Bins",\#(fields)}"#)
    return book
  }

  private static let weekly = #""due":"2026-11-23","repeat":"FREQ=WEEKLY""#

  /// The lines of the exported tasks that say when they are due.
  private static func lines(_ book: ForeignBook) throws -> [String] {
    let names = [
      "DTSTART", "DUE", "RRULE", "EXDATE", "STATUS", "RECURRENCE-ID", "X-DAYBOOK-REPEAT",
      "X-DAYBOOK-FIRST", "X-DAYBOOK-UNTIL", "X-DAYBOOK-SLOT", "X-DAYBOOK-RRULE",
      "X-DAYBOOK-OCCURRENCES", "X-DAYBOOK-START",
    ]
    let text = try book.written(.iCalendar).replacing("\r\n ", with: "")
    return text.split(separator: "\r\n").map(String.init).filter { line in
      names.contains { line.hasPrefix($0) }
    }
  }

  private static func lost(_ book: ForeignBook) throws -> [String] {
    try FileFormat.iCalendar.write(book.contents(), .test).lost.map { "\($0.count) \($0.what)" }
  }

  /// Checks that the file of a book changes nothing in that book, and gives another book the same series.
  private static func checkReturn(_ book: ForeignBook, _ title: String = "Bins") throws {
    let text = try book.written(.iCalendar)
    var same = book
    #expect(try same.take(text, .iCalendar) == .init(same: 1))
    #expect(same.repeating(title) == book.repeating(title))
    var other = ForeignBook(number: 2)
    #expect(try other.take(text, .iCalendar) == .init(added: 1))
    #expect(other.repeating(title) == book.repeating(title))
    #expect(try other.take(text, .iCalendar) == .init(same: 1))
    // A file of the other book brings nothing new.
    #expect(try same.take(try other.written(.iCalendar), .iCalendar) == .init(same: 1))
    #expect(same.repeating(title) == book.repeating(title))
  }

  @Test func `Calendar series: the task has the dates of the current slot, and the stored dates`()
    throws
  {
    var book = try Self.book(#""due":"2026-11-23","repeat":"FREQ=WEEKLY;COUNT=10""#)
    try book.occur("Bins", "2026-11-23", #""done":true,"closedOn":"2026-11-26""#)
    try book.occur("Bins", "2026-11-30", #""cancelled":true"#)
    #expect(
      try Self.lines(book) == [
        "STATUS:NEEDS-ACTION", "DTSTART;VALUE=DATE:20261207", "DUE;VALUE=DATE:20261207",
        "RRULE:FREQ=WEEKLY;COUNT=8", #"X-DAYBOOK-REPEAT:FREQ=WEEKLY\;COUNT=10"#,
        "X-DAYBOOK-FIRST:20261123", "X-DAYBOOK-SLOT:20261207",
        #"X-DAYBOOK-RRULE:FREQ=WEEKLY\;COUNT=8"#,
        "X-DAYBOOK-OCCURRENCES:2026-11-23=done/2026-11-26/1970-01-01T00:00:00.002Z,2026-11-30=skipped",
      ])
    #expect(try Self.lost(book) == [])
    try Self.checkReturn(book)
  }

  @Test func `Calendar series: times, zones, starts and ends return`() throws {
    try Self.checkReturn(
      try Self.book(
        #""due":"2026-11-23","dueTime":1020,"zone":"Europe/Berlin","start":"2026-11-20","#
          + #""repeat":"FREQ=WEEKLY","until":"2027-02-28""#))
    let book = try Self.book(
      #""due":"2026-11-23","dueTime":1020,"start":"2026-11-20","repeat":"FREQ=MONTHLY;FROM=START","until":"2027-02-28""#
    )
    #expect(
      try Self.lines(book).prefix(4) == [
        "STATUS:NEEDS-ACTION", "DTSTART:20261120T000000", "DUE:20261123T170000",
        "RRULE:FREQ=MONTHLY;UNTIL=20270228T235959",
      ])
    try Self.checkReturn(book)
  }

  @Test(arguments: [
    ("2026-01-31", "FREQ=MONTHLY;SKIP=BACKWARD", "FREQ=MONTHLY;BYMONTHDAY=-1"),
    (
      "2026-01-30", "FREQ=MONTHLY;SKIP=BACKWARD",
      "FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1"
    ),
    (
      "2026-01-15", "FREQ=MONTHLY;BYMONTHDAY=15,29;SKIP=BACKWARD",
      "FREQ=MONTHLY;BYMONTHDAY=15,28,29;BYSETPOS=1,-1"
    ),
    ("2024-02-29", "FREQ=YEARLY;SKIP=BACKWARD", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"),
    (
      "2026-01-30", "FREQ=YEARLY;BYMONTH=1,2;SKIP=BACKWARD",
      "FREQ=MONTHLY;BYMONTH=1,2;BYMONTHDAY=28,29,30;BYSETPOS=-1"
    ),
    ("2026-01-30", "FREQ=MONTHLY;BYMONTH=1,3;SKIP=BACKWARD", "FREQ=MONTHLY;BYMONTH=1,3"),
  ])
  func `Calendar series: missing days are moved back by parts that other programs know`(
    due: String, rule: String, written: String
  ) throws {
    let book = try Self.book(#""due":"\#(due)","repeat":"\#(rule)""#)
    #expect(try Self.lines(book).contains("RRULE:\(written)"))
    try Self.checkReturn(book)
  }

  @Test func `Calendar series: a moved current date is an exception of the task`() throws {
    var book = try Self.book(Self.weekly + #","dueTime":540,"note":"brown""#)
    try book.occur(
      "Bins", "2026-11-23", #""due":"2026-11-25","dueTime":600,"title":"All bins""#)
    let lines = try Self.lines(book)
    #expect(
      lines.suffix(4) == [
        "RECURRENCE-ID:20261123T090000", "STATUS:NEEDS-ACTION", "DTSTART:20261125T100000",
        "DUE:20261125T100000",
      ])
    #expect(lines.contains("DUE:20261123T090000"))
    try Self.checkReturn(book)
    // Another program moves the date further.
    let text = try book.written(.iCalendar).replacing("20261125T", with: "20261126T")
    #expect(try book.take(text, .iCalendar) == .init(edited: 1))
    #expect(
      book.repeating("Bins")
        == "FREQ=WEEKLY from 2026-11-23: 2026-11-26; 2026-11-23 open due 2026-11-26 10:00 'All bins'"
    )
  }

  @Test func `Calendar series: closed dates after the current date are excluded`() throws {
    var book = try Self.book(#""due":"2026-11-23","repeat":"FREQ=WEEKLY;MISSED=KEEP""#)
    try book.occur("Bins", "2026-12-07", #""done":true,"closedOn":"2026-12-07""#)
    #expect(try Self.lines(book).contains("EXDATE;VALUE=DATE:20261207"))
    try Self.checkReturn(book)
    // A reopened date, and the dates after it that were passed over.
    var passed = try Self.book(Self.weekly)
    try passed.occur("Bins", "2026-11-23", #""done":false"#)
    try passed.occur("Bins", "2026-12-14", #""done":true,"closedOn":"2026-12-14""#)
    #expect(try Self.lines(passed).contains("EXDATE;VALUE=DATE:20261130,20261207,20261214"))
    try Self.checkReturn(passed)
  }

  @Test func `Calendar series: a finished series is a completed task`() throws {
    var book = try Self.book(#""due":"2026-11-23","repeat":"FREQ=WEEKLY;COUNT=1""#)
    try book.occur("Bins", "2026-11-23", #""done":true,"closedOn":"2026-11-24""#)
    let lines = try Self.lines(book)
    #expect(lines.prefix(2) == ["STATUS:COMPLETED", "DUE;VALUE=DATE:20261123"])
    #expect(!lines.contains { $0.hasPrefix("RRULE") || $0.hasPrefix("X-DAYBOOK-SLOT") })
    try Self.checkReturn(book)
    #expect(ExportContents(book.records, isOpenOnly: true).documents(.todo) == [])
  }

  @Test func `Calendar series: rules without an RRULE, and counts from completion, are reported`()
    throws
  {
    let odd = try Self.book(
      #""due":"2026-01-30","repeat":"FREQ=MONTHLY;BYMONTHDAY=29,30;SKIP=BACKWARD""#)
    #expect(try Self.lost(odd) == ["1 repeat rule in a form for other programs"])
    #expect(try !Self.lines(odd).contains { $0.hasPrefix("RRULE") })
    try Self.checkReturn(odd)
    var done = try Self.book(#""due":"2026-11-23","repeat":"FREQ=DAILY;INTERVAL=3;FROM=DONE""#)
    #expect(
      try Self.lost(done)
        == ["1 repeat counted from completion, which other programs count from the due date"])
    try Self.checkReturn(done)
    try done.occur(
      "Bins", "2026-11-23", #""done":true,"closedOn":"2026-11-26","note":"late""#)
    #expect(try Self.lost(done).last == "1 detail of a closed occurrence")
    #expect(try Self.lines(done).contains("DUE;VALUE=DATE:20261129"))
  }
}

extension CalendarSeriesTests {
  /// A book with the to-do *Bins* each week after another program has changed its file.
  private static func book(after change: (String) -> String) throws -> String? {
    var book = try book(weekly)
    let text = try book.written(.iCalendar)
    let changed = change(text)
    try #require(text != changed)
    #expect(try book.take(changed, .iCalendar) == .init(edited: 1))
    let told = book.repeating("Bins")
    #expect(try book.take(changed, .iCalendar) == .init(same: 1))
    #expect(book.repeating("Bins") == told)
    return told
  }

  @Test func `Calendar series: a program that completes the task completes its current date`()
    throws
  {
    #expect(
      try Self.book {
        $0.replacing("NEEDS-ACTION", with: "COMPLETED\r\nCOMPLETED:20261201T100000Z")
      }
        == "FREQ=WEEKLY from 2026-11-23: 2026-12-07; 2026-11-23 done 2026-12-01")
    #expect(
      try Self.book { $0.replacing("NEEDS-ACTION", with: "CANCELLED") }
        == "FREQ=WEEKLY from 2026-11-23: 2026-11-30; 2026-11-23 skipped")
  }

  @Test
  func `Calendar series: a program that moves the task to a later date completes the current date`()
    throws
  {
    func moved(to day: String) throws -> String? {
      try Self.book {
        $0.replacing("DTSTART;VALUE=DATE:20261123", with: "DTSTART;VALUE=DATE:\(day)")
          .replacing("DUE;VALUE=DATE:20261123", with: "DUE;VALUE=DATE:\(day)")
      }
    }
    #expect(
      try moved(to: "20261130") == "FREQ=WEEKLY from 2026-11-23: 2026-11-30; 2026-11-23 done")
    #expect(
      try moved(to: "20261214")
        == "FREQ=WEEKLY from 2026-11-23: 2026-12-14; 2026-11-23 done 2026-12-14")
    #expect(
      try moved(to: "20261124")
        == "FREQ=WEEKLY from 2026-11-23: 2026-11-24; 2026-11-23 open due 2026-11-24")
  }

  @Test(arguments: ["20261124", "20261130", "20261122"])
  func `Calendar series: a program that moves only the due date moves the current date`(
    day: String
  ) throws {
    let date = [day.prefix(4), day.dropFirst(4).prefix(2), day.suffix(2)].joined(separator: "-")
    #expect(
      try Self.book {
        $0.replacing("DUE;VALUE=DATE:20261123", with: "DUE;VALUE=DATE:\(day)")
      } == "FREQ=WEEKLY from 2026-11-23: \(date); 2026-11-23 open due \(date)")
  }

  @Test func `Calendar series: a program that changes or removes the rule changes the to-do`()
    throws
  {
    #expect(
      try Self.book { $0.replacing("\r\nRRULE:FREQ=WEEKLY", with: "\r\nRRULE:FREQ=DAILY") }
        == "FREQ=DAILY from 2026-11-23: 2026-11-23")
    #expect(try Self.book { $0.replacing("\r\nRRULE:FREQ=WEEKLY", with: "") } == nil)
    // Default parts and a number of dates do not count as changes. They are kept as text.
    var book = try Self.book(Self.weekly)
    let text = try book.written(.iCalendar).replacing(
      "\r\nRRULE:FREQ=WEEKLY", with: "\r\nRRULE:FREQ=WEEKLY;INTERVAL=1;COUNT=5;WKST=MO")
    #expect(try book.take(text, .iCalendar) == .init(edited: 1))
    #expect(book.repeating("Bins") == "FREQ=WEEKLY from 2026-11-23: 2026-11-23")
  }

  @Test func `Calendar series: a sub-task of a series has the state of the current date`() throws {
    var book = try Self.book(Self.weekly)
    try book.run(#"{"op":"add","kind":"todo","id":"p","title":"Brown","parent":"b"}"#)
    try book.occur("Brown", "2026-11-23", #""done":true,"closedOn":"2026-11-23""#)
    let text = try book.written(.iCalendar)
    #expect(try Self.lines(book).count { $0 == "STATUS:COMPLETED" } == 1)
    var other = ForeignBook(number: 2)
    #expect(try other.take(text, .iCalendar) == .init(added: 2))
    #expect(other.repeating("Brown") == book.repeating("Brown"))
    #expect(other.todo("Brown").flatMap { Todo($0) }?.isDone == false)
    var same = book
    #expect(try same.take(text, .iCalendar) == .init(same: 2))
    // Another program reopens the sub-task.
    let task = try #require(text.split(separator: "BEGIN:VTODO").first { $0.contains("Brown") })
    let opened = task.replacing("STATUS:COMPLETED", with: "STATUS:NEEDS-ACTION")
    #expect(
      try same.take(text.replacing(task, with: opened), .iCalendar) == .init(edited: 1, same: 1))
    #expect(same.repeating("Brown")?.hasSuffix("2026-11-23 open") == true)
  }
}
