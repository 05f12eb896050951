import Domain
import Interchange
import Testing

/// Repeating to-dos in tables.
struct CSVRepeatTests {
  /// Reads only `every monday at 9am`, with the next Monday after the given day, or with the due date.
  private static func settings(today: String) throws -> ForeignSettings {
    let today = try CivilDate.parse(today)
    let monday = try RepeatRule(canonical: "FREQ=WEEKLY;BYDAY=MO")
    var settings = ForeignSettings()
    settings.repeatPhrase = { words, due in
      guard words.hasPrefix("every monday") else { return nil }
      guard let day = due ?? monday.firstDate(from: today) else { return nil }
      return ForeignRepeat(monday, due: day, minute: words.hasSuffix("at 9am") ? 540 : nil)
    }
    return settings
  }

  private static func book(_ fields: String) throws -> ForeignBook {
    var book = ForeignBook(number: 1)
    try book.run(#"{"op":"add","kind":"todo","id":"b","title":"Bins",\#(fields)}"#)
    return book
  }

  private static func lost(_ book: ForeignBook) throws -> [String] {
    try FileFormat.csv.write(book.contents(), .test).lost.map { "\($0.count) \($0.what)" }
  }

  /// Checks that the table of a book changes nothing in that book, and gives another book the same series.
  private static func checkReturn(_ book: ForeignBook) throws {
    let text = try book.written(.csv)
    var same = book
    #expect(try same.take(text, .csv) == .init(same: 1))
    #expect(same.repeating("Bins") == book.repeating("Bins"))
    var other = ForeignBook(number: 2)
    #expect(try other.take(text, .csv) == .init(added: 1))
    #expect(other.repeating("Bins") == book.repeating("Bins"))
    #expect(try other.take(text, .csv) == .init(same: 1))
  }

  @Test func `CSV series: a row has the current due date, the rule, and the stored dates`() throws {
    var book = try Self.book(
      #""due":"2026-11-23","repeat":"FREQ=WEEKLY;MISSED=KEEP","until":"2027-02-28","start":"2026-11-20""#
    )
    try Self.checkReturn(book)
    try book.occur("Bins", "2026-11-23", #""done":true,"closedOn":"2026-11-26""#)
    try book.occur("Bins", "2026-11-30", #""cancelled":true"#)
    let text = try book.written(.csv)
    #expect(
      text.hasPrefix(
        "Kind,Id,Title,Done,Priority,Created at,Due,Start,Repeat,Until,First due,Slot,Occurrences,"
          + "Daybook base\r\n"))
    #expect(
      text.contains(
        ",Bins,no,normal,1970-01-01T00:00:00.001Z,2026-12-07,2026-11-20,"
          + "\"FREQ=WEEKLY;MISSED=KEEP\",2027-02-28,2026-11-23,2026-12-07,"
          + "\"2026-11-23=done/2026-11-26/1970-01-01T00:00:00.002Z,2026-11-30=skipped\","))
    #expect(try Self.lost(book) == [])
    try Self.checkReturn(book)
  }

  @Test
  func `CSV series: a moved current date is written and read, and other details are reported`()
    throws
  {
    var book = try Self.book(#""due":"2026-11-23","dueTime":540,"repeat":"FREQ=WEEKLY""#)
    try book.occur("Bins", "2026-11-23", #""due":"2026-11-25","dueTime":540"#)
    #expect(try book.written(.csv).contains(",2026-11-25,09:00,FREQ=WEEKLY,2026-11-23,2026-11-23,"))
    #expect(try Self.lost(book) == [])
    try Self.checkReturn(book)
    try book.occur("Bins", "2026-11-30", #""title":"All bins""#)
    try book.occur("Bins", "2026-11-16", #""done":true,"note":"early""#)
    #expect(
      try Self.lost(book)
        == ["1 detail of a closed occurrence", "1 detail of an open occurrence"])
  }

  @Test func `CSV series: a finished series is done, and a part has the state of the current date`()
    throws
  {
    var book = try Self.book(#""due":"2026-11-23","repeat":"FREQ=WEEKLY;COUNT=1""#)
    try book.occur("Bins", "2026-11-23", #""done":true,"closedOn":"2026-11-24""#)
    #expect(try book.written(.csv).contains(",Bins,yes,"))
    try Self.checkReturn(book)
    var parts = try Self.book(#""due":"2026-11-23","repeat":"FREQ=WEEKLY""#)
    try parts.run(#"{"op":"add","kind":"todo","id":"p","title":"Brown","parent":"b"}"#)
    try parts.occur("Brown", "2026-11-23", #""done":true,"closedOn":"2026-11-23""#)
    let text = try parts.written(.csv)
    #expect(text.contains(",Brown,yes,"))
    var other = ForeignBook(number: 2)
    #expect(try other.take(text, .csv) == .init(added: 2))
    #expect(other.repeating("Brown") == parts.repeating("Brown"))
    #expect(try parts.take(text, .csv) == .init(same: 2))
  }

  @Test func `CSV series: changes to a row concern the current date, or the rule`() throws {
    func book(after change: (String) -> String) throws -> String? {
      var book = try Self.book(#""due":"2026-11-23","repeat":"FREQ=WEEKLY""#)
      let text = try book.written(.csv)
      let changed = change(text)
      try #require(text != changed)
      let settings = try Self.settings(today: "2026-12-24")
      #expect(try book.take(changed, .csv, settings) == .init(edited: 1))
      #expect(try book.take(changed, .csv, settings) == .init(same: 1))
      return book.repeating("Bins")
    }
    #expect(
      try book { $0.replacing("Bins,no", with: "Bins,yes") }
        == "FREQ=WEEKLY from 2026-11-23: 2026-11-30; 2026-11-23 done")
    #expect(
      try book { $0.replacing(",2026-11-23,FREQ", with: ",2026-11-30,FREQ") }
        == "FREQ=WEEKLY from 2026-11-23: 2026-11-30; 2026-11-23 open due 2026-11-30")
    #expect(
      try book { $0.replacing(",FREQ=WEEKLY,", with: ",FREQ=DAILY,") }
        == "FREQ=DAILY from 2026-11-23: 2026-11-23")
    #expect(
      try book { $0.replacing(",FREQ=WEEKLY,", with: ",every monday,") }
        == "FREQ=WEEKLY;BYDAY=MO from 2026-11-23: 2026-11-23")
    #expect(try book { $0.replacing(",FREQ=WEEKLY,", with: ",,") } == nil)
  }

  @Test func `CSV series: rules of other programs count from their dates, and odd ones are kept`()
    throws
  {
    var book = ForeignBook()
    let table = """
      Title,Due,Start date,Done,RRULE
      Mop,2026-11-23,,no,RRULE:FREQ=WEEKLY;INTERVAL=1
      Dig,2026-11-23,2026-11-20,no,FREQ=MONTHLY;UNTIL=20270228T120000Z
      Rake,2026-11-23,,no,FREQ=YEARLY;BYWEEKNO=20
      Sow,,,no,FREQ=DAILY
      Hoe,2026-11-23,,yes,FREQ=DAILY
      Mow,2026-11-23,,no,every monday at 9am
      """
    let file = try FileFormat.csv.read(Array(table.utf8), try Self.settings(today: "2026-11-26"))
    #expect(
      file.remarks.map(\.note) == [
        .notActedOn("RRULE: FREQ=YEARLY;BYWEEKNO=20"), .notActedOn("RRULE: FREQ=DAILY"),
        .notActedOn("RRULE: FREQ=DAILY"),
      ])
    #expect(book.take(file) == .init(added: 6))
    #expect(book.take(file) == .init(same: 6))
    #expect(book.repeating("Mop") == "FREQ=WEEKLY from 2026-11-23: 2026-11-23")
    #expect(
      book.repeating("Dig")
        == "FREQ=MONTHLY;FROM=START from 2026-11-23 starting 2026-11-20 until 2027-02-28: 2026-11-23"
    )
    #expect(book.repeating("Mow") == "FREQ=WEEKLY;BYDAY=MO from 2026-11-23: 2026-11-23")
    for title in ["Rake", "Sow", "Hoe"] { #expect(book.repeating(title) == nil) }
    let written = try book.written(.csv)
    #expect(written.contains("FREQ=YEARLY;BYWEEKNO=20"))
    #expect(try book.take(written, .csv).edited == 0)
  }

  @Test func `Todoist: a phrase is the rule, and its first date stays on later days`() throws {
    var book = ForeignBook()
    let sample = ProgramSample.todoist
    var settings = try Self.settings(today: "2026-11-26")
    settings.fileName = sample.fileName
    try book.take(sample.text, .csv, settings)
    let told = "FREQ=WEEKLY;BYDAY=MO from 2026-11-30: 2026-11-30"
    #expect(book.repeating("Sand the door") == told)
    var later = try Self.settings(today: "2026-12-24")
    later.fileName = sample.fileName
    #expect(try book.take(sample.text, .csv, later) == .init(same: sample.records.count))
    #expect(book.repeating("Sand the door") == told)
    // A time belongs to the due date, in the zone of the task.
    let timed = sample.text.replacing("every monday", with: "every monday at 9am")
    #expect(try book.take(timed, .csv, later).edited == 1)
    let todo = try #require(book.todo("Sand the door").flatMap { Todo($0) })
    #expect(todo.dueTime == 540 && todo.zone == "Europe/Berlin")
    #expect(book.repeating("Sand the door") == told)
  }

  @Test func `TickTick: a rule repeats the task, and other rules are kept`() throws {
    var book = ForeignBook()
    let sample = ProgramSample.tickTick
    try book.take(sample.text, .csv)
    #expect(book.repeating("Water plants") == "FREQ=WEEKLY from 2026-12-01: 2026-12-01")
    #expect(try book.take(sample.text, .csv) == .init(same: sample.records.count))
    for rule in ["ERULE:NAME=CUSTOM;BYDATE=20261201", "FREQ=WEEKLY;TT_SKIP=WEEKEND"] {
      let text = sample.text.replacing("FREQ=WEEKLY;INTERVAL=1", with: rule)
      let file = try FileFormat.csv.read(Array(text.utf8))
      #expect(file.remarks.map(\.note).contains(.notActedOn("Repeat: \(rule)")))
      var other = ForeignBook()
      other.take(file)
      #expect(other.repeating("Water plants") == nil)
      #expect(try other.written(.csv).contains(rule))
    }
  }
}
