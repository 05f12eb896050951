import Domain
import Interchange
import Testing

/// Repeating tasks as programs write them.
struct CalendarRepeatSampleTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let program: String
    let text: String
    /// The repeating to-do, and how it repeats, in the form of ``ForeignBook/repeating(_:)``.
    let title: String
    let told: String
    /// The due line of the export once the current date is done.
    let next: String

    var testDescription: String { program }
  }

  static let samples = [reminders, nextcloud, thunderbird, tasksOrg]

  static let reminders = Sample(
    program: "Apple Reminders",
    text: """
      BEGIN:VCALENDAR
      CALSCALE:GREGORIAN
      PRODID:-//Apple Inc.//iOS 18.1//EN
      VERSION:2.0
      BEGIN:VTIMEZONE
      TZID:Europe/Berlin
      BEGIN:STANDARD
      DTSTART:19961027T030000
      RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
      TZNAME:CET
      TZOFFSETFROM:+0200
      TZOFFSETTO:+0100
      END:STANDARD
      END:VTIMEZONE
      BEGIN:VTODO
      CREATED:20261101T080000Z
      DTSTAMP:20261120T080000Z
      DTSTART;TZID=Europe/Berlin:20261130T090000
      DUE;TZID=Europe/Berlin:20261130T090000
      LAST-MODIFIED:20261120T080000Z
      PRIORITY:0
      RRULE:FREQ=MONTHLY;INTERVAL=1;BYDAY=-1MO;WKST=SU
      STATUS:NEEDS-ACTION
      SUMMARY:Water plants
      UID:6E1F9A7C-0D1B-4E57-9C7B-2C2F1F0A9B11
      X-APPLE-SORT-ORDER:786000000
      BEGIN:VALARM
      ACTION:DISPLAY
      DESCRIPTION:Reminder
      TRIGGER;VALUE=DATE-TIME:20261130T080000Z
      UID:0A1B2C3D-0000-4000-8000-000000000001
      X-WR-ALARMUID:0A1B2C3D-0000-4000-8000-000000000001
      END:VALARM
      END:VTODO
      BEGIN:VTODO
      COMPLETED:20261026T090000Z
      DTSTAMP:20261120T080000Z
      DUE;TZID=Europe/Berlin:20261026T090000
      PERCENT-COMPLETE:100
      STATUS:COMPLETED
      SUMMARY:Water plants before
      UID:7F1F9A7C-0D1B-4E57-9C7B-2C2F1F0A9B12
      END:VTODO
      END:VCALENDAR
      """,
    title: "Water plants", told: "FREQ=MONTHLY;BYDAY=-1MO from 2026-11-30: 2026-11-30",
    next: "DUE;TZID=Europe/Berlin:20261228T090000")

  static let nextcloud = Sample(
    program: "Nextcloud Tasks",
    text: """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//Nextcloud Tasks v0.16.1
      BEGIN:VTODO
      CREATED:20261101T080000
      DESCRIPTION:all rooms
      DTSTAMP:20261101T080000
      LAST-MODIFIED:20261101T080500
      PRIORITY:1
      RELATED-TO:0f0e0d0c-1111-4222-8333-444455556666
      STATUS:NEEDS-ACTION
      SUMMARY:Clean
      UID:3b1d2f60-7a8e-4a86-9d56-5a0c6f9f7e21
      X-OC-HIDESUBTASKS:0
      DTSTART;VALUE=DATE:20261120
      DUE;VALUE=DATE:20261123
      RRULE:FREQ=WEEKLY;INTERVAL=2
      END:VTODO
      END:VCALENDAR
      """,
    title: "Clean",
    told: "FREQ=WEEKLY;INTERVAL=2;FROM=START from 2026-11-23 starting 2026-11-20: 2026-11-23",
    next: "DUE;VALUE=DATE:20261207")

  static let thunderbird = Sample(
    program: "Thunderbird",
    text: """
      BEGIN:VCALENDAR
      PRODID:-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN
      VERSION:2.0
      BEGIN:VTODO
      CREATED:20261101T080000Z
      LAST-MODIFIED:20261124T180000Z
      DTSTAMP:20261124T180000Z
      UID:1f9c9b1e-9d3f-4d3a-8a0f-1b2c3d4e5f60
      SUMMARY:Medicine
      RRULE:FREQ=DAILY;UNTIL=20261210
      EXDATE;VALUE=DATE:20261125
      DTSTART;VALUE=DATE:20261123
      DUE;VALUE=DATE:20261123
      X-MOZ-GENERATION:3
      END:VTODO
      BEGIN:VTODO
      CREATED:20261124T180000Z
      LAST-MODIFIED:20261124T180000Z
      DTSTAMP:20261124T180000Z
      UID:1f9c9b1e-9d3f-4d3a-8a0f-1b2c3d4e5f60
      SUMMARY:Medicine
      STATUS:COMPLETED
      COMPLETED:20261124T180000Z
      PERCENT-COMPLETE:100
      RECURRENCE-ID;VALUE=DATE:20261123
      DTSTART;VALUE=DATE:20261123
      DUE;VALUE=DATE:20261123
      END:VTODO
      BEGIN:VTODO
      CREATED:20261124T180000Z
      DTSTAMP:20261124T180000Z
      UID:1f9c9b1e-9d3f-4d3a-8a0f-1b2c3d4e5f60
      SUMMARY:Medicine and doctor
      RECURRENCE-ID;VALUE=DATE:20261201
      DTSTART;VALUE=DATE:20261201
      DUE;VALUE=DATE:20261201
      LOCATION:practice
      END:VTODO
      END:VCALENDAR
      """,
    title: "Medicine",
    told: "FREQ=DAILY;MISSED=KEEP from 2026-11-23 until 2026-12-10: 2026-11-24; "
      + "2026-11-23 done 2026-11-24; 2026-11-25 skipped; 2026-12-01 open 'Medicine and doctor'",
    next: "DUE;VALUE=DATE:20261126")

  static let tasksOrg = Sample(
    program: "Tasks.org",
    text: """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:+//IDN tasks.org//android-130000//EN
      BEGIN:VTODO
      DTSTAMP:20261120T080000Z
      UID:5512345678901234567
      CREATED:20261101T080000Z
      LAST-MODIFIED:20261120T080000Z
      SUMMARY:Filter
      PRIORITY:9
      DUE:20261129T170000Z
      RRULE:FREQ=MONTHLY;COUNT=4;INTERVAL=3
      STATUS:NEEDS-ACTION
      END:VTODO
      END:VCALENDAR
      """,
    title: "Filter", told: "FREQ=MONTHLY;INTERVAL=3;COUNT=4 from 2026-11-29: 2026-11-29",
    next: "DUE:20270529T170000")

  @Test(arguments: samples)
  func
    `Calendar samples: a task that repeats is read once, written back, and moved when it is done`(
      sample: Sample
    ) throws
  {
    let text = sample.text.replacing("\n", with: "\r\n") + "\r\n"
    var book = ForeignBook(number: 1)
    let first = try book.take(text, .iCalendar)
    #expect(first.faults == [])
    #expect(book.repeating(sample.title) == sample.told)
    #expect(try book.take(text, .iCalendar) == .init(same: first.added))
    // The rule and its exceptions are written back unchanged.
    let written = try book.written(.iCalendar).replacing("\r\n ", with: "")
    for line in text.split(separator: "\r\n")
    where ["RRULE", "EXDATE", "RECUR", "X-", "LOCATION"].contains(where: line.hasPrefix) {
      #expect(written.contains("\r\n\(line)\r\n"), "\(line)")
    }
    #expect(try book.take(try book.written(.iCalendar), .iCalendar) == .init(same: first.added))
    // Once the current date is done, the task has the next date, and the book does not count this as a change either.
    let document = try #require(book.todo(sample.title))
    let slot = try #require(book.records.recurrence(of: document.key)?.slot)
    try book.occur(sample.title, slot.iso, #""done":true,"closedOn":"\#(slot.iso)""#)
    let later = try book.written(.iCalendar)
    #expect(later.contains("\r\n\(sample.next)\r\n"))
    #expect(try book.take(later, .iCalendar) == .init(same: first.added))
    var other = ForeignBook(number: 2)
    try other.take(later, .iCalendar)
    #expect(other.repeating(sample.title) == book.repeating(sample.title))
  }
}
