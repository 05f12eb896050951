import Domain
import Interchange
import Testing

/// Imported events and to-dos that are exported again.
///
/// Only changed lines may differ.
struct KeptEventTests {
  private static let head = """
    BEGIN:VCALENDAR\r
    VERSION:2.0\r
    PRODID:-//Google Inc//Google Calendar 70.9054//EN\r
    X-WR-CALNAME:Birthdays of ours\r

    """
  private static let event = """
    BEGIN:VEVENT\r
    UID:e2@example.org\r
    DTSTAMP:20200101T000000Z\r
    LAST-MODIFIED:20190601T000000Z\r
    SEQUENCE:5\r
    DTSTART;VALUE=DATE:19800304\r
    DTEND;VALUE=DATE:19800305\r
    RRULE:FREQ=YEARLY;INTERVAL=1\r
    EXDATE;VALUE=DATE:20200304\r
    SUMMARY;LANGUAGE=de:🎂 Moritz Maier (1980)\r
    CLASS:PUBLIC\r
    TRANSP:OPAQUE\r
    LOCATION:Ulm\r
    categories:Freunde\r
    DESCRIPTION;ALTREP="cid:1":cake\r
    END:VEVENT\r

    """
  private static let task = """
    BEGIN:VTODO\r
    UID:t@example.org\r
    DTSTAMP:20200101T000000Z\r
    LAST-MODIFIED:20190601T000000Z\r
    SEQUENCE:5\r
    DTSTART;TZID=Asia/Tokyo:20261119T170000\r
    DUE;TZID=Asia/Tokyo:20261120T170000\r
    SUMMARY;LANGUAGE=en:Sweep\r
    CLASS:PUBLIC\r
    PRIORITY:3\r
    STATUS:IN-PROCESS\r
    PERCENT-COMPLETE:40\r
    CATEGORIES:Home\r
    CATEGORIES:food\r
    CREATED:20190101T000000Z\r
    X-DAYBOOK-LIST:Home\r
    END:VTODO\r

    """

  private struct Desk {
    var book = ForeignBook()
    let came: [String]

    init(_ component: String, _ settings: ForeignSettings = ForeignSettings()) throws {
      came = component.split(separator: "\r\n").map(String.init)
      try book.take(KeptEventTests.head + component + "END:VCALENDAR\r\n", .iCalendar, settings)
    }

    mutating func set(_ fields: String) throws {
      let document = try #require(
        (book.records.documents(.birthday) + book.records.documents(.todo)).first)
      let kind = document.kind == .todo ? "todo" : "birthday"
      try book.run(
        #"{"op":"edit","kind":"\#(kind)","id":"\#(document.id.uuid)","set":{\#(fields)}}"#)
    }

    /// The lines of the component, without the digests.
    func lines(_ settings: ExportSettings = .test) throws -> [String] {
      let lines = try book.written(.iCalendar, settings).replacing("\r\n ", with: "")
        .split(separator: "\r\n").map(String.init)
      let start = lines.firstIndex { $0 == came.first } ?? 0
      let end = lines.firstIndex { $0 == came.last } ?? 0
      return lines[start...end].filter {
        !$0.hasPrefix("X-DAYBOOK-BASE") && !$0.hasPrefix("X-DAYBOOK-DIGEST")
      }
    }
  }

  @Test(arguments: [event, task])
  func `Kept events: an unchanged component is written back line by line`(part: String) throws {
    let desk = try Desk(part)
    #expect(try desk.lines() == desk.came)
    var book = desk.book
    #expect(try book.take(try book.written(.iCalendar), .iCalendar) == .init(same: 1))
    var other = ForeignBook()
    try other.take(try book.written(.iCalendar), .iCalendar)
    #expect(
      other.shown.map { $0.replacing(/"list":"[^"]+"/, with: "") }
        == book.shown.map { $0.replacing(/"list":"[^"]+"/, with: "") })
  }

  private static let changes: [(String, String, [String: String?])] = [
    (
      #""birthdate":"1981-03-05""#, event,
      [
        "DTSTART;VALUE=DATE:19800304": "DTSTART;VALUE=DATE:19810305",
        "DTEND;VALUE=DATE:19800305": String?.none,
        "SUMMARY;LANGUAGE=de:🎂 Moritz Maier (1980)": "SUMMARY;LANGUAGE=de:🎂 Moritz Maier (1981)",
      ]
    ),
    (
      #""firstName":"Max""#, event,
      ["SUMMARY;LANGUAGE=de:🎂 Moritz Maier (1980)": "SUMMARY;LANGUAGE=de:🎂 Max Maier (1980)"]
    ),
    (#""note":"wine""#, event, [#"DESCRIPTION;ALTREP="cid:1":cake"#: "DESCRIPTION:wine"]),
    (#""tags":["a","b"]"#, event, ["categories:Freunde": "CATEGORIES:a,b"]),
    (#""title":"Mop""#, task, ["SUMMARY;LANGUAGE=en:Sweep": "SUMMARY;LANGUAGE=en:Mop"]),
    (
      #""due":"2026-11-21""#, task,
      [
        "DUE;TZID=Asia/Tokyo:20261120T170000": "DUE;TZID=Asia/Tokyo:20261121T170000"
      ]
    ),
    (#""priority":0"#, task, ["PRIORITY:3": "PRIORITY:9"]),
    (
      #""tags":["wet"]"#, task,
      ["CATEGORIES:Home": "CATEGORIES:Home,wet", "CATEGORIES:food": String?.none]
    ),
  ]

  @Test(arguments: changes)
  func `Kept events: a change rewrites only its own lines and the stamps`(
    fields: String, part: String, others: [String: String?]
  ) throws {
    var desk = try Desk(part)
    try desk.set(fields)
    func unstamped(_ lines: [String]) -> [String] {
      lines.filter { line in
        !["DTSTAMP", "LAST-MODIFIED", "X-DAYBOOK-N", "X-DAYBOOK-BIRTHDAY"].contains {
          line.hasPrefix($0)
        }
      }
    }
    let expected = desk.came.compactMap { line in others[line] ?? line }
    #expect(unstamped(try desk.lines()) == unstamped(expected))
    #expect(try desk.lines().contains("DTSTAMP:20261120T120000Z"))
    var other = ForeignBook()
    try other.take(try desk.book.written(.iCalendar), .iCalendar)
    #expect(
      other.shown.map { $0.replacing(/"list":"[^"]+"/, with: "") }
        == desk.book.shown.map { $0.replacing(/"list":"[^"]+"/, with: "") })
  }

  @Test(arguments: [-11, 0, 14])
  func `Kept events: the time zone of the export does not count as a change`(
    hours: Int
  ) throws {
    var zone = ForeignSettings()
    zone.localOffset = { _ in 2 * 3600 }
    var settings = ExportSettings.test
    settings.localOffset = { _ in hours * 3600 }
    for part in [
      Self.event.replacing("DTSTART;VALUE=DATE:19800304", with: "DTSTART:19800303T230000Z"),
      Self.task.replacing("DUE;TZID=Asia/Tokyo:20261120T170000", with: "DUE:20261120T233000Z"),
    ] {
      let desk = try Desk(part, zone)
      #expect(try desk.lines(settings) == desk.came)
    }
  }

  @Test func `Kept events: a feed's day is written back with the known date`()
    throws
  {
    let event = """
      BEGIN:VEVENT\r
      UID:u\r
      DTSTART:20161203\r
      SUMMARY:Alma Roth's Birthday\r
      RRULE:FREQ=YEARLY\r
      DURATION:P1D\r
      END:VEVENT\r

      """
    var book = ForeignBook()
    try book.take(
      "BEGIN:VCALENDAR\r\nPRODID:-//Facebook//EN\r\nNAME:Birthdays\r\n\(event)END:VCALENDAR\r\n",
      .iCalendar)
    let text = try book.written(.iCalendar)
    #expect(text.contains(event.dropLast("END:VEVENT\r\n".count) + "X-DAYBOOK-BIRTHDAY:--12-03"))
    var other = ForeignBook()
    try other.take(text, .iCalendar)
    #expect(other.shown == book.shown)
  }

  @Test func `Kept events: a list from the calendar name is written with the to-do`() throws {
    var book = ForeignBook()
    try book.take(
      "BEGIN:VCALENDAR\r\nNAME:Home\r\nBEGIN:VTODO\r\nUID:u\r\nSUMMARY:Sweep\r\nEND:VTODO\r\n"
        + "END:VCALENDAR\r\n", .iCalendar)
    let text = try book.written(.iCalendar)
    #expect(
      text.contains(
        "BEGIN:VTODO\r\nUID:u\r\nSUMMARY:Sweep\r\nCATEGORIES:Home\r\nX-DAYBOOK-LIST:Home\r\n"))
    #expect(try book.take(text, .iCalendar) == .init(same: 1))
  }

  @Test func `Kept events: a new stamp alone is not a change, but another new line is`() throws {
    var desk = try Desk(Self.event)
    let file = Self.head + Self.event + "END:VCALENDAR\r\n"
    #expect(
      try desk.book.take(file.replacing("DTSTAMP:2020", with: "DTSTAMP:2021"), .iCalendar)
        == .init(same: 1))
    #expect(
      try desk.book.take(file.replacing("SEQUENCE:5", with: "SEQUENCE:6"), .iCalendar)
        == .init(edited: 1))
    #expect(try desk.lines().contains("SEQUENCE:6"))
  }

  /// The notes on properties of the task that have no effect here.
  private static let withoutEffect: [ForeignNote] = [
    .changed(field: "DTSTART", "20261119T170000", to: "2026-11-19"),
    .notActedOn("STATUS:IN-PROCESS"),
    .notActedOn("PERCENT-COMPLETE:40"),
  ]

  @Test(arguments: [("VEVENT", event), ("VTODO", task)])
  func `Kept events: an exception to one recurrence is written after its rule`(
    name: String, part: String
  ) throws {
    let exception = """
      BEGIN:\(name)\r
      UID:\(name == "VTODO" ? "t" : "e2")@example.org\r
      RECURRENCE-ID;VALUE=DATE:20210304\r
      DTSTART;VALUE=DATE:20210306\r
      SUMMARY:Party\r
      END:\(name)\r

      """
    let desk = try Desk(part + exception)
    let text = try desk.book.written(.iCalendar)
    #expect(text.contains("END:\(name)\r\n\(exception)END:VCALENDAR\r\n"))
    var book = desk.book
    #expect(try book.take(text, .iCalendar) == .init(same: 1))
    let file = try FileFormat.iCalendar.read(
      Array((Self.head + exception + part + "END:VCALENDAR\r\n").utf8))
    #expect(file.passedOver.isEmpty)
    #expect(
      file.remarks.map(\.note)
        == (name == "VTODO" ? Self.withoutEffect : [])
        + [.notActedOn("RECURRENCE-ID:20210304")])
    // An exception without its event is not a birthday.
    let alone = try FileFormat.iCalendar.read(
      Array((Self.head + exception + "END:VCALENDAR\r\n").utf8))
    #expect(alone.passedOver == (name == "VTODO" ? [:] : [.eventThatIsNoBirthday: 1]))
    #expect(alone.records.map(\.uid) == (name == "VTODO" ? ["t@example.org 2021-03-04"] : []))
  }
}
