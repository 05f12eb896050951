import Domain
import Interchange
import Testing

/// Yearly events in birthday calendars that are not birthdays.
struct OccasionTests {
  static let birthdays = "X-WR-CALNAME:Birthdays\r\n"
  private static let event =
    "UID:u\r\nDTSTAMP:20250301T101500Z\r\nDTSTART;VALUE=DATE:19770418\r\nRRULE:FREQ=YEARLY\r\n"

  private func file(
    _ lines: String, head: String = birthdays, _ settings: ForeignSettings = ForeignSettings()
  ) throws -> ForeignFile {
    try CalendarEventTests.read(Self.event + lines, head: head, settings)
  }

  static let occasions: [(String, Occasion)] = [
    ("SUMMARY:⚰️ Carl Tot (2021)\r\nX-NEXTCLOUD-BC-FIELD-TYPE:DEATHDATE", .death),
    ("SUMMARY:💍 Dora Paar (2018)\r\nX-NEXTCLOUD-BC-FIELD-TYPE:ANNIVERSARY", .anniversary),
    ("SUMMARY:x\r\nX-NEXTCLOUD-BC-FIELD-TYPE:MOVING", .other("MOVING")),
    ("SUMMARY:Carl Tot (†2021)", .death), ("SUMMARY:Dora Paar ⚭", .anniversary),
    ("SUMMARY:Death of Carl Tot", .death), ("SUMMARY:Carl Tot's death (2021)", .death),
    ("SUMMARY:Todestag Carl Tot", .death),
    ("SUMMARY:Dora's anniversary", .anniversary), ("SUMMARY:Anniversary of Dora", .anniversary),
    ("SUMMARY:Dora's wedding anniversary (2018)", .anniversary),
    ("SUMMARY:Hochzeitstag Dora und Emil", .anniversary), ("SUMMARY:Ida name day", .nameDay),
    ("SUMMARY:Dora Paar\r\nCATEGORIES:Family,Anniversary", .anniversary),
    ("SUMMARY:Carl\r\nCATEGORIES:DEATHDATE", .death),
    ("SUMMARY:Dora\r\nX-ANNIVERSARY:20181206", .anniversary),
    ("SUMMARY:Dora\r\nX-ABDATE:20181206\r\nX-ABLABEL:_$!<Anniversary>!$_", .anniversary),
    ("SUMMARY:Dora\r\nX-ABDATE:20181206\r\nX-ABLABEL:moved in", .other("moved in")),
  ]

  @Test(arguments: occasions)
  func `Occasions: a yearly event of a different kind is left out and reported`(
    lines: String, occasion: Occasion
  ) throws {
    let file = try file(lines + "\r\n")
    #expect(file.records.isEmpty && file.skipped.isEmpty)
    #expect(file.passedOver == [.eventThatIsNoBirthday: 1])
    let summary = lines.split(separator: "\r\n")[0].dropFirst("SUMMARY:".count)
    #expect(file.remarks.map(\.note) == [.noBirthday(String(summary), occasion)])
  }

  @Test(arguments: [
    "SUMMARY:Anna Wedding", "SUMMARY:Anniversaire de Dora Paar", "SUMMARY:Jack Death",
    "SUMMARY:🎂 Dora Paar (1977)\r\nX-NEXTCLOUD-BC-FIELD-TYPE:BDAY",
    "SUMMARY:Dora Paar anniversary\r\nX-BIRTHDAY:19770418",
    "SUMMARY:Dora Paar\r\nCATEGORIES:Anniversary,Birthday",
  ])
  func `Occasions: a name or a stronger sign keeps an event a birthday`(
    lines: String
  ) throws {
    let file = try file(lines + "\r\n")
    #expect(file.remarks.isEmpty)
    #expect(
      file.records.map { $0.fields[Field.Birthday.birthdate] } == [
        .value(.date(try CivilDate(year: 1977, month: 4, day: 18)))
      ])
  }

  @Test func `Occasions: all yearly events are imported on request`() throws {
    var settings = ForeignSettings()
    settings.takesEventsAsBirthdays = true
    let file = try file("SUMMARY:Dora's anniversary\r\n", head: "", settings)
    #expect(file.records.count == 1 && file.remarks.isEmpty)
  }

  @Test func `Occasions: a birthday of our own export stays a birthday under any name`() throws {
    let book = try ForeignBook(
      #"{"op":"add","kind":"birthday","id":"a","lastName":"Todestag † Jahrestag","birthdate":"1977-04-18"}"#
    )
    var other = ForeignBook()
    #expect(try other.take(try book.written(.iCalendar), .iCalendar) == .init(added: 1))
    #expect(other.shown == book.shown)
  }
}
