import Domain
import Interchange
import Testing

/// Every known form of a birthday on a card.
struct VCardBirthdayTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var line: String
    /// The date in ISO form; nil if there is none.
    var date: String?
    var note: ForeignNote?

    init(_ line: String, _ date: String?, _ note: ForeignNote? = nil) {
      (self.line, self.date, self.note) = (line, date, note)
    }

    var testDescription: String { line }
  }

  static let rows = [
    Row("BDAY:1815-12-10", "1815-12-10"),
    Row("BDAY;VALUE=date:1990-12-07", "1990-12-07"),
    Row("BDAY:19960415", "1996-04-15"),
    Row("BDAY:19520229", "1952-02-29"),
    Row("BDAY:--1203", "--12-03"),
    Row("BDAY:--12-03", "--12-03"),
    Row("BDAY:--0229", "--02-29"),
    Row("BDAY;X-APPLE-OMIT-YEAR=1604:1604-12-05", "--12-05"),
    Row("BDAY;X-APPLE-OMIT-YEAR=\"1604\":1604-12-05", "--12-05"),
    Row("BDAY;X-APPLE-OMIT-YEAR=1604:1815-12-10", "1815-12-10"),
    Row("BDAY;X-APPLE-OMIT-YEAR=1600;VALUE=date:1600-02-29", "--02-29"),
    Row("BDAY;value=date:1604-06-26", "--06-26", .yearLeftOut(1604)),
    Row("BDAY:0000-06-26", "--06-26", .yearLeftOut(0)),
    Row("BDAY:1900-06-26", "1900-06-26", .oddYear(1900)),
    Row("BDAY:19961022T140000Z", "1996-10-22"),
    Row("BDAY:1953-10-15T23:10:00Z", "1953-10-15"),
    Row("BDAY;VALUE=date-time:1953-10-15T23:10:00-06:00", "1953-10-15"),
    Row("BDAY:1991-04-15T00:00:00Z", "1991-04-15"),
    Row("BDAY:--1022T1400", "--10-22"),
    Row("BDAY:1985-12", "1985-12"),
    Row("BDAY:1985", "1985"),
    Row("BDAY:--04", "--04"),
    Row("BDAY:---03", "---03"),
    Row("BDAY;VALUE=text:circa 1800", nil, .keptAsWritten(field: "BDAY", "circa 1800")),
    Row("BDAY;VALUE=text:Dec 5", "--12-05"),
    Row("BDAY;VALUE=text:--12-05", "--12-05"),
    Row("BDAY;VALUE=text:5 December 1815", "1815-12-05"),
    Row("BDAY:2027-02-29", nil, .keptAsWritten(field: "BDAY", "2027-02-29")),
    Row("BDAY:1996-13-01", nil, .keptAsWritten(field: "BDAY", "1996-13-01")),
    Row("BDAY:T102200", nil, .keptAsWritten(field: "BDAY", "T102200")),
    Row("BDAY:", nil),
    Row("item1.BDAY;TYPE=home:1815-12-10", "1815-12-10"),
    Row("bday:1815-12-10", "1815-12-10"),
  ]

  @Test(arguments: rows, ["2.1", "3.0", "4.0"])
  func `Card birthdays: each form is read the same in every version`(
    row: Row, version: String
  ) throws {
    let file = try Self.read("VERSION:\(version)\r\nUID:u\r\nFN:Ada Lovelace\r\n\(row.line)\r\n")
    let record = try #require(file.records.first)
    #expect(record.fields[Field.Birthday.birthdate] == row.date.flatMap(Self.content))
    #expect(file.remarks.map(\.note) == [row.note].compactMap(\.self))
    #expect(file.skipped.isEmpty)
    // A property without content is not a birthday.
    #expect((record.standing == .incidental) == (row.date == nil && row.note == nil))
  }

  @Test(arguments: rows, [3, 4])
  func `Card birthdays: each form survives an import and export`(row: Row, version: Int) throws {
    var book = ForeignBook()
    book.take(try Self.read("VERSION:3.0\r\nUID:u\r\nFN:Ada Lovelace\r\n\(row.line)\r\n"))
    var settings = ExportSettings.test
    settings.version = version
    let text = try book.written(.vCard, settings)
    var other = ForeignBook()
    try other.take(text, .vCard)
    #expect(other.shown == book.shown)
    // An unreadable line is written back unchanged.
    if case .keptAsWritten? = row.note { #expect(text.contains("\r\n\(row.line)\r\n")) }
    #expect(try book.take(text, .vCard).edited == 0)
  }

  static let written = [
    ("1815-12-10", "BDAY:1815-12-10", "BDAY:18151210"),
    ("--12-03", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-12-03", "BDAY:--1203"),
    ("--02-29", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29", "BDAY:--0229"),
    ("1604-12-03", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-12-03", "BDAY:--1203"),
    ("1985-12", "BDAY;VALUE=text:1985-12", "BDAY:1985-12"),
    ("1985", "BDAY;VALUE=text:1985", "BDAY:1985"),
    ("--04", "BDAY;VALUE=text:--04", "BDAY:--04"),
    ("---15", "BDAY;VALUE=text:---15", "BDAY:---15"),
  ]

  @Test(arguments: written)
  func `Card birthdays: each date is written in the form of its version`(
    date: String, three: String, four: String
  ) throws {
    let book = try ForeignBook(
      #"{"op":"add","kind":"birthday","id":"a","firstName":"Ada","birthdate":"\#(date)"}"#)
    #expect(try book.written(.vCard).contains("\r\n\(three)\r\n"))
    var settings = ExportSettings.test
    settings.version = 4
    #expect(try book.written(.vCard, settings).contains("\r\n\(four)\r\n"))
  }

  static func read(_ lines: String) throws -> ForeignFile {
    try FileFormat.vCard.read(Array("BEGIN:VCARD\r\n\(lines)END:VCARD\r\n".utf8))
  }

  private static func content(_ iso: String) -> ForeignRecord.Content? {
    // The strings in the table above are dates if they can be parsed.
    (try? CivilDate.parse(iso)).map { .value(.date($0)) }
  }
}
