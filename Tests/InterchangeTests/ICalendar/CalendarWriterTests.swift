import Domain
import Interchange
import Testing

/// Exported calendars.
struct CalendarWriterTests {
  private static let book = """
    {"t":1000,"op":"add","kind":"birthday","id":"a","firstName":"Ada","lastName":"Lovelace","birthdate":"1815-12-10"}
    {"t":1000,"op":"add","kind":"birthday","id":"b","firstName":"Larry","birthdate":"1952-02-29","leapRule":"march1"}
    {"t":1000,"op":"add","kind":"birthday","id":"c","firstName":"Ida","birthdate":"--02-29","tags":["kin"]}
    {"t":1000,"op":"add","kind":"birthday","id":"d","firstName":"Old","birthdate":"1452-04-15","lead":["3"]}
    {"t":1000,"op":"add","kind":"list","id":"l","name":"Home; and, more"}
    {"t":1500,"op":"add","kind":"todo","id":"t","title":"Sweep","list":"l","due":"2026-12-01","priority":"low"}
    {"t":1600,"op":"add","kind":"todo","id":"u","title":"Mop","tags":["wet"],"position":7}
    {"t":1700,"op":"edit","kind":"todo","id":"u","set":{"done":true}}
    """

  private static func component(_ text: String, holding words: String) -> [String] {
    let lines = text.replacing("\r\n ", with: "").split(separator: "\r\n")
    guard let place = lines.firstIndex(where: { $0.contains(words) }),
      let start = lines[...place].lastIndex(where: { $0.hasPrefix("BEGIN:V") }),
      let end = lines[place...].firstIndex(where: { $0.hasPrefix("END:V") })
    else { return [] }
    let changing = ["X-DAYBOOK-BASE", "X-DAYBOOK-DIGEST", "UID"]
    return lines[start...end].filter { line in !changing.contains { line.hasPrefix($0) } }
      .map(String.init)
  }

  @Test func `Calendar export: the summary of a birthday without a name has no gap`() throws {
    let book = try ForeignBook(
      #"{"op":"add","kind":"birthday","id":"a","birthdate":"1990-05-03"}"#)
    #expect(try book.written(.iCalendar).contains("\r\nSUMMARY:(3 May 1990)\r\n"))
    var other = ForeignBook()
    try other.take(try book.written(.iCalendar), .iCalendar)
    #expect(other.shown == book.shown)
  }

  @Test func `Calendar export: a birthday is one event that recurs yearly`() throws {
    let book = try ForeignBook(Self.book)
    let text = try book.written(.iCalendar)
    #expect(
      Self.component(text, holding: "Ada") == [
        "BEGIN:VEVENT", "DTSTAMP:20261120T120000Z", "DTSTART;VALUE=DATE:18151210",
        "RRULE:FREQ=YEARLY", "SUMMARY:Ada Lovelace (10 Dec 1815)", "TRANSP:TRANSPARENT",
        "CLASS:PRIVATE", "CATEGORIES:BIRTHDAY", "LAST-MODIFIED:19700101T000001Z",
        "X-BIRTHDAY:18151210", "X-FNAME:Ada Lovelace", "X-DAYBOOK-N:Lovelace;Ada;;;", "END:VEVENT",
      ])
    let id = try #require(book.document("Ada")).id.uuid
    #expect(text.contains("\r\nUID:birthday-\(id)@daybook\r\n"))
  }

  @Test func `Calendar export: 29 February has a recurrence rule and starts in a leap year`() throws
  {
    let text = try ForeignBook(Self.book).written(.iCalendar)
    let larry = Self.component(text, holding: "Larry")
    #expect(larry.contains("RRULE:FREQ=YEARLY;BYYEARDAY=60"))
    #expect(larry.contains("DTSTART;VALUE=DATE:19520229"))
    let ida = Self.component(text, holding: "Ida")
    #expect(ida.contains("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"))
    #expect(ida.contains("DTSTART;VALUE=DATE:20000229"))
    #expect(ida.contains("SUMMARY:Ida"))
    #expect(!ida.contains { $0.hasPrefix("X-BIRTHDAY") })
    let old = Self.component(text, holding: "Old")
    #expect(old.contains("DTSTART;VALUE=DATE:20000415"))
    #expect(old.contains("X-BIRTHDAY:14520415"))
  }

  @Test func `Calendar export: a to-do is written with all its properties`() throws {
    let text = try ForeignBook(Self.book).written(.iCalendar)
    #expect(
      Self.component(text, holding: "Sweep") == [
        "BEGIN:VTODO", "DTSTAMP:20261120T120000Z", "SUMMARY:Sweep", "PRIORITY:9",
        "STATUS:NEEDS-ACTION", "DUE;VALUE=DATE:20261201", "CATEGORIES:Home\\; and\\, more",
        "CREATED:19700101T000001Z", "LAST-MODIFIED:19700101T000001Z",
        "X-DAYBOOK-LIST:Home\\; and\\, more", "X-DAYBOOK-CREATED:1970-01-01T00:00:01.500Z",
        "END:VTODO",
      ])
    #expect(Self.component(text, holding: "Mop").contains("COMPLETED:19700101T000001Z"))
  }

  @Test func `Calendar export: importing an export gives the same records`() throws {
    let book = try ForeignBook(Self.book)
    let text = try book.written(.iCalendar)
    for line in text.split(separator: "\r\n") { #expect(line.utf8.count <= 75) }
    var other = ForeignBook()
    #expect(try other.take(text, .iCalendar) == .init(added: 6))
    #expect(other.shown.map(Self.withoutInstants) == book.shown.map(Self.withoutInstants))
    var same = book
    #expect(try same.take(text, .iCalendar) == .init(same: 6))
  }

  private static func withoutInstants(_ line: String) -> String {
    line.replacing(/,"(createdAt|completedAt|list)":("[^"]*"|\d+)/, with: "")
  }

  private static func times(of book: ForeignBook) -> [[Int64?]] {
    ["Sweep", "Mop"].map { title in
      let todo = book.document(title).flatMap { Todo($0) }
      return [todo?.createdAt, todo?.completedAt]
    }
  }

  @Test func `Calendar export: stored milliseconds follow a change to the time`() throws {
    var book = ForeignBook()
    try book.take(try ForeignBook(Self.book).written(.iCalendar), .iCalendar)
    #expect(Self.times(of: book) == [[1500, nil], [1600, 1700]])
    let mop = try #require(book.document("Mop")).id.uuid
    try book.run(
      #"{"op":"edit","kind":"todo","id":"\#(mop)","set":{"createdAt":1250,"completedAt":5200}}"#)
    var other = ForeignBook()
    try other.take(try book.written(.iCalendar), .iCalendar)
    #expect(Self.times(of: other) == [[1500, nil], [1250, 5200]])
    try book.run(
      #"{"op":"edit","kind":"todo","id":"\#(mop)","set":{"createdAt":1000,"completedAt":5000}}"#)
    let mopped = Self.component(try book.written(.iCalendar), holding: "Mop")
    #expect(mopped.filter { $0.hasPrefix("X-DAYBOOK") } == ["X-DAYBOOK-POSITION:7"])
  }

  @Test func `Calendar export: alarms ring at nine in the morning if requested`() throws {
    var settings = ExportSettings.test
    settings.hasAlarms = true
    let text = try ForeignBook(Self.book).written(.iCalendar, settings)
    let triggers = text.split(separator: "\r\n").filter { $0.hasPrefix("TRIGGER") }
    #expect(
      Set(triggers) == [
        "TRIGGER:-P6DT15H", "TRIGGER:-PT15H", "TRIGGER:PT9H", "TRIGGER:-P2DT15H",
      ])
    #expect(!(try ForeignBook(Self.book).written(.iCalendar).contains("VALARM")))
    // Alarms belong to the calendar and are not imported into birthdays.
    var book = try ForeignBook(Self.book)
    #expect(try book.take(text, .iCalendar) == .init(same: 6))
  }

  @Test(arguments: [
    (#"["none"]"#, []), (#"["2w","1d"]"#, ["-P13DT15H", "-PT15H"]), (#"["0"]"#, ["PT9H"]),
    (#"["None "]"#, []), (#"["soon"]"#, ["-P6DT15H", "-PT15H", "PT9H"]),
  ])
  func `Calendar export: alarms follow the reminders of a birthday`(
    lead: String, triggers: [String]
  ) throws {
    var settings = ExportSettings.test
    settings.hasAlarms = true
    let book = try ForeignBook(
      #"{"op":"add","kind":"birthday","id":"a","firstName":"Ada","birthdate":"1815-12-10","lead":\#(lead)}"#
    )
    let lines = try book.written(.iCalendar, settings).split(separator: "\r\n")
    #expect(
      lines.filter { $0.hasPrefix("TRIGGER:") }.map { String($0.dropFirst(8)) } == triggers)
  }

  @Test func `Calendar export: ages are separate events, which are not imported`() throws {
    var settings = ExportSettings.test
    settings.ageYears = 2
    let text = try ForeignBook(Self.book).written(.iCalendar, settings)
    let summaries = text.split(separator: "\r\n").filter { $0.hasPrefix("SUMMARY") }
    #expect(
      summaries.prefix(2) == ["SUMMARY:Ada Lovelace turns 211", "SUMMARY:Ada Lovelace turns 212"])
    // An import does not read these events as birthdays.
    var book = ForeignBook()
    try book.take(text, .iCalendar)
    #expect(book.shown.filter { $0.contains("birthday") }.count == 1)
  }

  @Test func `Calendar export: records and fields without a counterpart are reported`() throws {
    let book = try ForeignBook(
      """
      {"op":"add","kind":"birthday","id":"a","firstName":"Ada","birthdate":"1815-12"}
      {"op":"add","kind":"list","id":"l","name":"Home","colour":"#ff0000"}
      {"op":"add","kind":"question","id":"q","content":"Lunch?"}
      """)
    let written = try FileFormat.iCalendar.write(book.contents(), .test)
    #expect(
      written.lost.map { "\($0.count) \($0.what)" } == [
        "1 birthday without a day", "1 colour of a list", "1 question",
      ])
  }
}
