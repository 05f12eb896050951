import Domain
import Interchange
import Testing

/// Yearly events that are imported as birthdays.
struct CalendarEventTests {
  static func read(
    _ event: String, head: String = "", _ settings: ForeignSettings = ForeignSettings()
  ) throws -> ForeignFile {
    let text = "BEGIN:VCALENDAR\r\n\(head)BEGIN:VEVENT\r\n\(event)END:VEVENT\r\nEND:VCALENDAR\r\n"
    return try FileFormat.iCalendar.read(Array(text.utf8), settings)
  }

  private func shown(_ event: String, head: String = "") throws -> [String] {
    var book = ForeignBook()
    book.take(try Self.read(event, head: head))
    return book.shown
  }

  private func birthday(
    _ first: String, _ last: String, _ date: String, _ more: String = ""
  ) -> [String] {
    [
      #"{"kind":"birthday","firstName":"\#(first)","lastName":"\#(last)","birthdate":"\#(date)"\#(more)}"#
    ]
  }

  @Test(arguments: [
    "Ada Lovelace", "Ada Lovelace (10 Dec 1815)", "Ada Lovelace's birthday",
    "🎂 Ada Lovelace (1815)",
    "Geburtstag von Ada Lovelace", "Birthday: Ada Lovelace", "Ada Lovelace’s Birthday",
    "Ada Lovelace - Birthday",
  ])
  func `Calendar events: the name is taken from the summary`(summary: String) throws {
    let event = "UID:u\r\nDTSTART;VALUE=DATE:18151210\r\nRRULE:FREQ=YEARLY\r\n"
    #expect(
      try shown(event + "CATEGORIES:Birthday\r\nSUMMARY:\(summary)\r\n")
        == birthday("Ada", "Lovelace", "1815-12-10"))
  }

  @Test(arguments: [
    ("X-DAYBOOK-AGE:3", ForeignMatter.birthdayOfOneYear), ("STATUS:CANCELLED", .cancelledEvent),
  ])
  func `Calendar events: an ignored birthday is not called an event without a birthday`(
    line: String, matter: ForeignMatter
  ) throws {
    let event = "UID:u\r\nDTSTART;VALUE=DATE:20271210\r\nCATEGORIES:BIRTHDAY\r\nSUMMARY:Ada\r\n"
    #expect(try Self.read(event + line + "\r\n").passedOver == [matter: 1])
  }

  @Test func `Calendar events: a yearly event needs a sign of a birthday to be imported`() throws {
    let event =
      "UID:u\r\nDTSTART;VALUE=DATE:18151210\r\nRRULE:FREQ=YEARLY\r\nSUMMARY:Ada Lovelace\r\n"
    let ada = birthday("Ada", "Lovelace", "1815-12-10")
    #expect(try shown(event) == [])
    #expect(try Self.read(event).passedOver == [.eventThatIsNoBirthday: 1])
    #expect(try shown(event + "CATEGORIES:BIRTHDAY,x\r\n").count == 1)
    #expect(try shown(event + "X-BIRTHDAY:18151210\r\n") == ada)
    #expect(try shown(event, head: "X-WR-CALNAME:Birthdays\r\n") == ada)
    var settings = ForeignSettings()
    settings.fileName = "birthdays.ics"
    #expect(try Self.read(event, settings).records.count == 1)
  }

  @Test func `Calendar events: placeholder years are left out`() throws {
    let event = "UID:u\r\nRRULE:FREQ=YEARLY\r\nSUMMARY:Ada Lovelace\r\nCATEGORIES:BIRTHDAY\r\n"
    let yearless = birthday("Ada", "Lovelace", "--12-10")
    for start in [
      "DTSTART;VALUE=DATE:16041210", "DTSTART;X-APPLE-OMIT-YEAR=1972;VALUE=DATE:19721210",
      "X-NEXTCLOUD-BC-UNKNOWN-YEAR:1\r\nDTSTART;VALUE=DATE:19701210",
      "DTSTAMP:20261120T120000Z\r\nDTSTART;VALUE=DATE:20261210",
      "DTSTART;VALUE=DATE:20001210\r\nX-DAYBOOK-BIRTHDAY:--12-10",
    ] {
      #expect(try shown(event + start + "\r\n") == yearless, "\(start)")
    }
  }

  @Test(
    arguments: [
      ("FREQ=YEARLY", nil), ("FREQ=YEARLY;INTERVAL=1;WKST=MO", nil),
      ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", nil),
      ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1", "february28"),
      ("FREQ=YEARLY;BYMONTHDAY=-1;BYMONTH=2", "february28"),
      ("FREQ=YEARLY;BYYEARDAY=60", "march1"),
      ("RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=BACKWARD", "february28"),
      ("RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=FORWARD", "march1"),
    ] as [(String, String?)])
  func `Calendar events: both leap rules are read in all forms`(
    rule: String, leapRule: String?
  ) throws {
    let event =
      "UID:u\r\nSUMMARY:Leap Larry\r\nCATEGORIES:BIRTHDAY\r\nDTSTART;VALUE=DATE:19520229\r\n"
    let number = leapRule.map { $0 == "march1" ? 1 : 0 }
    #expect(
      try shown(event + "RRULE:\(rule)\r\n")
        == birthday("Leap", "Larry", "1952-02-29", number.map { #","leapRule":\#($0)"# } ?? ""))
  }

  @Test(arguments: [
    "FREQ=MONTHLY", "FREQ=YEARLY;INTERVAL=2", "FREQ=YEARLY;COUNT=3", "FREQ=YEARLY;UNTIL=20301231",
    "FREQ=YEARLY;BYDAY=1SU;BYMONTH=12", "FREQ=YEARLY;BYYEARDAY=60", "FREQ=YEARLY;BYMONTH=11",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1", "FREQ=YEARLY;FREQ=YEARLY", "", "FREQ",
    "RSCALE=HEBREW;FREQ=YEARLY",
  ])
  func `Calendar events: any other recurrence rule is refused with its text`(rule: String) throws {
    let event = "UID:u\r\nSUMMARY:Ada\r\nCATEGORIES:BIRTHDAY\r\nDTSTART;VALUE=DATE:18151210\r\n"
    let file = try Self.read(event + "RRULE:\(rule)\r\n")
    #expect(file.records.isEmpty)
    #expect(
      file.skipped == [
        .init(place: .part("VEVENT", 1, line: 2), fault: .unsupported("RRULE:\(rule)"))
      ])
  }

  @Test func `Calendar events: alarms and unknown properties are kept and written back`() throws {
    let alarm = """
      BEGIN:VALARM\r
      ACTION:DISPLAY\r
      TRIGGER:-P1D\r
      DESCRIPTION:cake\r
      END:VALARM\r

      """
    let event = "UID:u\r\nSUMMARY:Ada\r\nDTSTART;VALUE=DATE:18151210\r\nRRULE:FREQ=YEARLY\r\n"
    var book = ForeignBook()
    book.take(
      try Self.read(
        event + "CATEGORIES:BIRTHDAY,Friends\r\nX-COLOR:red\r\nDESCRIPTION:wine\\, red\r\n" + alarm)
    )
    let text = try book.written(.iCalendar)
    #expect(text.contains(alarm))
    #expect(text.contains("\r\nX-COLOR:red\r\n"))
    #expect(text.contains("\r\nUID:u\r\n"))
    #expect(
      book.shown == [
        #"{"kind":"birthday","firstName":"Ada","birthdate":"1815-12-10","note":"wine, red","tags":["Friends"]}"#
      ])
    #expect(try book.take(text, .iCalendar) == .init(same: 1))
  }
}
