import Domain
import Interchange
import Testing

/// Cards and calendars in character sets other than UTF-8.
struct CardCharacterTests {
  private func card(_ lines: String, version: String = "2.1") throws -> ForeignFile {
    try VCardBirthdayTests.read("VERSION:\(version)\r\n\(lines)BDAY:19610304\r\n")
  }

  private func names(_ file: ForeignFile) -> [ForeignRecord.Content?] {
    [Field.Birthday.firstName, Field.Birthday.lastName].map { file.records.first?.fields[$0] }
  }

  static let namesWritten: [(String, String, String, String)] = [
    ("windows-1251", "=C8=E2=E0=ED=EE=E2;=CF=B8=F2=F0", "Пётр", "Иванов"),
    ("KOI8-R", "=F3=C9=C4=CF=D2=CF=D7;=EF=CC=C5=C7", "Олег", "Сидоров"),
    ("SHIFT_JIS", "=8E=52=93=63;=91=BE=98=59", "太郎", "山田"),
    ("GBK", "=CD=F5;=D0=A1=C3=F7", "小明", "王"),
    ("ISO-8859-2", "=57=B1=73;=A3=75=6B=61=73=7A", "Łukasz", "Wąs"),
    ("ISO-8859-15", "=A4;=BE", "Ÿ", "€"), ("ISO-8859-1", "=4D=FC;=4A=F6", "Jö", "Mü"),
    ("UTF-16", "=00=4D=00=FC=00=3B=00=4A", "J", "Mü"),
    ("UTF-16", "=FF=FE=4D=00=FC=00=3B=00=4A=00", "J", "Mü"),
  ]

  @Test(arguments: namesWritten)
  func `Card character sets: a name is read in its declared character set`(
    set: String, words: String, first: String, last: String
  ) throws {
    let file = try card("N;CHARSET=\(set);ENCODING=QUOTED-PRINTABLE:\(words)\r\n")
    #expect(names(file) == [.value(.text(first)), .value(.text(last))])
    #expect(file.remarks.isEmpty)
  }

  @Test(arguments: [
    ("X-FOO", "=C8=E2"), ("UTF-8", "=C8=E2"), ("US-ASCII", "=C8"), ("UTF-16", "=00=4D=00"),
    ("UTF-16LE", "=00=D8"), ("UTF-8/x", "A"),
  ])
  func `Card character sets: a card whose name cannot be decoded is skipped`(
    set: String, words: String
  ) throws {
    let file = try card("N;CHARSET=\(set);ENCODING=QUOTED-PRINTABLE:\(words)\r\n")
    #expect(file.records.isEmpty)
    #expect(file.skipped.map(\.fault) == [.characterSet(field: "N", set)])
  }

  @Test func `Card character sets: another readable name is used, and the first is kept`() throws {
    let lines =
      "N;CHARSET=X-FOO;ENCODING=QUOTED-PRINTABLE:=C8=E2=\r\n=E0;=CF\r\nFN:Ada Lovelace\r\n"
    let file = try card(lines)
    #expect(names(file) == [.value(.text("Ada")), .value(.text("Lovelace"))])
    #expect(file.remarks.map(\.note) == [.undecoded(field: "N", set: "X-FOO")])
    var book = ForeignBook()
    book.take(file)
    #expect(
      try book.written(.vCard).contains(
        "\r\nN;CHARSET=X-FOO;ENCODING=QUOTED-PRINTABLE:=C8=E2=E0;=CF\r\n"))
  }

  @Test func `Card character sets: undecodable bytes are kept and written back`()
    throws
  {
    let bytes = (0..<200).map { UInt8(0x80 + $0 % 0x80) }
    let file = try FileFormat.vCard.read(
      Array("BEGIN:VCARD\r\nFN:Ada\r\nBDAY:19610304\r\nORG;CHARSET=X-FOO:".utf8) + bytes
        + Array("\r\nEND:VCARD\r\n".utf8))
    #expect(file.remarks.map(\.note) == [.undecoded(field: "ORG", set: "X-FOO")])
    var book = ForeignBook()
    book.take(file)
    let text = try book.written(.vCard)
    for line in text.split(separator: "\r\n") { #expect(line.utf8.count <= 75) }
    #expect(!text.contains("=\r\n"))
    let again = try FileFormat.vCard.read(Array(text.utf8))
    let lines = file.records.map { $0.extra["lines"] }
    #expect(lines[0]?.contains("ORG;CHARSET=X-FOO;ENCODING=QUOTED-PRINTABLE:=80=81") == true)
    #expect(
      again.records.map { $0.extra["lines"]?.split(separator: "\n").prefix(4) }
        == lines.map { $0?.split(separator: "\n").prefix(4) })
  }

  @Test func `Card character sets: an assumed encoding is reported once`() throws {
    let text =
      Array("BEGIN:VCARD\r\nFN:M".utf8) + [0xFC] + Array("ller\r\nNOTE:".utf8) + [0xFC]
      + Array("\r\nBDAY:19610304\r\nEND:VCARD\r\n".utf8)
    let file = try FileFormat.vCard.read(text)
    #expect(names(file) == [.value(.text("Müller")), nil])
    #expect(file.remarks == [.init(place: .line(2), note: .readAs(encoding: "Windows-1252"))])
  }

  @Test func `Card character sets: a calendar summary is decoded, or its event is skipped`() throws
  {
    let event = "RRULE:FREQ=YEARLY\r\nDTSTART:19610304\r\nCATEGORIES:BIRTHDAY\r\n"
    let summary = "ENCODING=QUOTED-PRINTABLE:=C8=E2=E0=ED=EE=E2\r\n"
    let read = try CalendarEventTests.read(event + "SUMMARY;CHARSET=windows-1251;" + summary)
    #expect(names(read) == [.value(.text("Иванов")), nil])
    let unread = try CalendarEventTests.read(event + "SUMMARY;CHARSET=X-FOO;" + summary)
    #expect(unread.skipped.map(\.fault) == [.characterSet(field: "SUMMARY", "X-FOO")])
    let task =
      "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nSUMMARY;CHARSET=X-FOO:\u{FC}\r\nEND:VTODO\r\nEND:VCALENDAR"
    #expect(
      try FileFormat.iCalendar.read(Array(task.utf8)).skipped.map(\.fault) == [
        .characterSet(field: "SUMMARY", "X-FOO")
      ])
  }
}
