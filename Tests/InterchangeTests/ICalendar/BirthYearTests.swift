import Domain
import Interchange
import Testing

/// Years of birth in feeds, where the first day of an event often has another year.
struct BirthYearTests {
  private struct Finding: Equatable {
    var date: String?
    var notes: [ForeignNote]
  }

  private func read(
    _ lines: String, head: String = OccasionTests.birthdays, now: Int64? = nil
  ) throws -> Finding {
    var settings = ForeignSettings()
    settings.now = now
    let event = "RRULE:FREQ=YEARLY\r\n" + (lines.contains("SUMMARY") ? "" : "SUMMARY:Alma Roth\r\n")
    let file = try CalendarEventTests.read(event + lines + "\r\n", head: head, settings)
    guard case .value(let value)? = file.records.first?.fields[Field.Birthday.birthdate] else {
      return Finding(notes: file.remarks.map(\.note))
    }
    return Finding(date: value.date?.iso, notes: file.remarks.map(\.note))
  }

  @Test(arguments: [
    "PRODID:-//Facebook//NONSGML Facebook Events V1.0//EN\r\n",
    "X-ORIGINAL-URL:https://www.facebook.com/events/birthdays/\r\n",
    "SOURCE;VALUE=URI:webcal://www.facebook.com/ical/b.php?uid=1\r\n", "",
  ])
  func `Birth year: a feed that starts with the next birthday gives no year`(head: String) throws {
    let uid = head.isEmpty ? "b100111@facebook.com" : "u"
    #expect(
      try read("UID:\(uid)\r\nDTSTART:20161203", head: OccasionTests.birthdays + head)
        == Finding(date: "--12-03", notes: [.yearLeftOut(2016)]))
  }

  @Test(arguments: [
    ("DTSTAMP:20161130T000000Z\r\nDTSTART:20161203", 2016),
    ("DTSTAMP:20161130T000000Z\r\nDTSTART:20170310", 2017),
    ("CREATED:20161130T000000Z\r\nDTSTAMP:20190101T000000Z\r\nDTSTART:20161203", 2016),
    ("DTSTART:20261203", 2026), ("DTSTART:20270101", 2027), ("DTSTART:16041203", 1604),
    ("DTSTART;VALUE=DATE:00001203", 0),
  ])
  func `Birth year: a placeholder, or a year not before the event creation, is left out`(
    lines: String, year: Int
  ) throws {
    let day = lines.suffix(4)
    #expect(
      // Reads the feed at noon on 2026-11-20.
      try read(lines, now: 1_795_176_000_000)
        == Finding(date: "--\(day.prefix(2))-\(day.suffix(2))", notes: [.yearLeftOut(year)]))
  }

  @Test(arguments: [
    "DTSTART;X-APPLE-OMIT-YEAR=1604:16041203", "X-FOSSIFY-MISSING-YEAR:1\r\nDTSTART:19701203",
    "X-SMT-MISSING-YEAR:1\r\nDTSTART:19701203",
    "X-NEXTCLOUD-BC-UNKNOWN-YEAR:1\r\nDTSTART:19001203",
    "X-SABRE-BDAY;X-SABRE-VCARD-FN=Alma Roth;X-SABRE-OMIT-YEAR=2000:BDAY\r\nDTSTART:20001203",
    "SUMMARY:Alma Roth *\r\nDTSTART:19701203",
  ])
  func `Birth year: a property that marks the year as unknown is respected`(lines: String) throws {
    #expect(try read(lines) == Finding(date: "--12-03", notes: []))
  }

  @Test(arguments: [
    "SUMMARY:Alma Roth (*1815)\r\nDTSTART:20161203\r\nDTSTAMP:20160101T000000Z",
    "X-NEXTCLOUD-BC-YEAR:1815\r\nX-NEXTCLOUD-BC-UNKNOWN-YEAR:0\r\nDTSTART:19701203",
    "X-FOSSIFY-MISSING-YEAR:0\r\nDTSTART:18151203", "X-BIRTHDAY:18151203\r\nDTSTART:20161203",
  ])
  func `Birth year: an explicit year takes precedence over the first day`(lines: String) throws {
    #expect(try read(lines) == Finding(date: "1815-12-03", notes: []))
  }

  @Test(arguments: [1900, 1904])
  func `Birth year: a program's default epoch year is imported and reported`(year: Int) throws {
    #expect(
      try read("DTSTART:\(year)1203") == Finding(date: "\(year)-12-03", notes: [.oddYear(year)]))
  }

  @Test func `Birth year: the unknown-year sign is removed from the name`() throws {
    let file = try CalendarEventTests.read(
      "RRULE:FREQ=YEARLY\r\nDTSTART:19701203\r\nSUMMARY:Alma Roth *\r\n",
      head: OccasionTests.birthdays)
    #expect(file.records.map { $0.fields[Field.Birthday.lastName] } == [.value(.text("Roth"))])
  }

  @Test(arguments: [7, 8])
  func `Birth year: eight or more events starting in one year are reported`(count: Int) throws {
    let events = (1...count).map { number in
      "BEGIN:VEVENT\r\nUID:\(number)\r\nSUMMARY:A \(number)\r\nRRULE:FREQ=YEARLY\r\n"
        + "DTSTART:20160\(number)01\r\nEND:VEVENT\r\n"
    }
    let text =
      "BEGIN:VCALENDAR\r\n\(OccasionTests.birthdays)\(events.joined())END:VCALENDAR\r\n"
    let file = try FileFormat.iCalendar.read(Array(text.utf8))
    #expect(file.records.count == count)
    #expect(
      file.remarks.map(\.note) == Array(repeating: .oddYear(2016), count: count < 8 ? 0 : count))
  }
}
