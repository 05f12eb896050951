import Domain
import Interchange
import Testing

/// Reads dates in the forms of spreadsheets and address books.
struct CSVDateTests {
  /// Reads a table of one row and returns its records, notes and extra values.
  private func read(
    _ header: String, _ cells: String, all: Bool = true
  ) throws -> (told: [String], notes: [ForeignNote], extra: [String: String]) {
    var settings = ForeignSettings()
    settings.takesAll = all
    // The local time is one hour ahead of UTC.
    settings.localOffset = { _ in 3600 }
    let file = try FileFormat.csv.read(Array("\(header)\n\(cells)\n".utf8), settings)
    var book = ForeignBook()
    book.take(file)
    return (book.told, file.remarks.map(\.note), file.records.first?.extra ?? [:])
  }

  @Test(arguments: [
    "0/0/00", "00/00/0000", "0000-00-00", "0000-00-00 00:00:00", "n/a", "N/A", "-", "–", "--", "?",
    "null", "none", "1/0/1900", "1/1/4501", "0001-01-01T00:00:00", "0",
  ])
  func `CSV dates: a placeholder is read as no birthday, without a note`(
    cell: String
  ) throws {
    let found = try read("Name,Birthday", "Ada,\"\(cell)\"")
    #expect(found == (["Ada"], [], [:]))
    #expect(try read("Name,Birthday", "Ada,\"\(cell)\"", all: false).told == [])
  }

  private static let dates: [(cell: String, date: String, notes: [ForeignNote])] = [
    ("1985-03-14T00:00:00", "1985-03-14", []), ("3/14/1985 0:00:00", "1985-03-14", []),
    ("3/14/1985 12:00:00 AM", "1985-03-14", []), ("14.03.1985 00:00", "1985-03-14", []),
    ("1985-03-14T23:00:00.000Z", "1985-03-14", []), ("19850314T000000Z", "1985-03-14", []),
    ("March 14, 1985 9:05 PM (GMT+1)", "1985-03-14", []),
    ("14 March 1985, 21:05", "1985-03-14", []),
    ("1604-03-14", "--03-14", [.yearLeftOut(1604)]), ("3/14/1604", "--03-14", [.yearLeftOut(1604)]),
    ("0000-03-14", "--03-14", [.yearLeftOut(0)]), ("3/14/0000", "--03-14", [.yearLeftOut(0)]),
    ("1900-03-14", "1900-03-14", [.oddYear(1900)]),
    ("45000", "2023-03-15", [.changed(field: "Birthday", "45000", to: "2023-03-15")]),
    ("31120.5", "1985-03-14", [.changed(field: "Birthday", "31120.5", to: "1985-03-14")]),
    ("Dec 5", "--12-05", []), ("1985", "1985", []),
  ]

  @Test(arguments: dates)
  func `CSV dates: dates with a time, as serial numbers and without a year are read`(
    cell: String, date: String, notes: [ForeignNote]
  ) throws {
    let found = try read("Name,Birthday", "Ada,\"\(cell)\"")
    #expect(found == (["Ada \(date)"], notes, [:]))
  }

  @Test(arguments: ["2026-02-30", "in May", "3/14/85", "12345678", "1985-03-14 noonish"])
  func `CSV dates: an unreadable birthday is kept as written and reported`(cell: String) throws {
    for all in [true, false] {
      let found = try read("Name,Birthday", "Ada,\(cell)", all: all)
      #expect(
        found == (["Ada"], [.keptAsWritten(field: "Birthday", cell)], ["Birthday": cell]))
    }
  }

  private static let parts: [(header: String, cells: String, told: String)] = [
    ("Name,Year,Month,Day", "Max,1984,3,14", "Max 1984-03-14"),
    ("Name,Year,Month,Day", "Max,null,7,1", "Max --07-01"),
    ("Name,Month,Day", "Max,July,1", "Max --07-01"),
    (
      "Vorname,Nachname,Geburtsjahr,Geburtsmonat,Geburtstag", "Max,Roth,1984,März,14.",
      "Max Roth 1984-03-14"
    ),
    ("Birth Year,Birth Month,Birth Day,Name", "1984,03,14,Max", "Max 1984-03-14"),
    ("Name,Birth Year,Birth Month,Birth Day", "Max,0,3,14", "Max --03-14"),
    ("Name,Birth Year,Birth Month,Birth Day", "Max,1984,,", "Max 1984"),
    ("Name,Birth Month,Birthday", "Max,3,1984-03-14", "Max 1984-03-14"),
    ("Name,Birth Year,Birth Month,Birth Day", "Max,n/a,-,0", "Max"),
  ]

  @Test(arguments: parts)
  func `CSV dates: year, month and day in three columns form one birthday`(
    header: String, cells: String, told: String
  ) throws {
    #expect(try read(header, cells).told == [told])
  }

  @Test func `CSV dates: unreadable parts of a birthday are kept with the person`() throws {
    let found = try read("Name,Year,Month,Day", "Max,84,13,14")
    #expect(found.told == ["Max"])
    #expect(found.extra == ["Year": "84", "Month": "13", "Day": "14"])
    let odd = try read("Name,Year,Month,Day", "Max,84,3,14")
    #expect(odd == (["Max --03-14"], [.keptAsWritten(field: "Year", "84")], ["Year": "84"]))
  }

  @Test(arguments: ["First name,Last name", "Name,Phone", "Name,Date"])
  func `CSV dates: a table of people without a birthday column is reported`(header: String) throws {
    #expect(try read(header, "Ada,7").notes.first == .noBirthdayColumn)
  }

  private static let dues: [(cell: String, due: String, kept: String?)] = [
    ("2026-12-04", "2026-12-04", nil), ("2026-12-04T00:00:00.0000000", "2026-12-04", nil),
    ("2026-12-04T00:00:00Z", "2026-12-04", nil),
    ("2026-12-04T11:00:00.000Z", "2026-12-04", "2026-12-04 12:00"),
    // At that instant, the local day is already the next day.
    ("2026-12-04T23:30:00Z", "2026-12-05", "2026-12-05 00:30"),
    ("2026-12-04 23:30:00+0100", "2026-12-04", "2026-12-04 23:30"),
    ("1796338800000", "2026-12-04", "2026-12-04 00:00"),
    ("1796338800", "2026-12-04", "2026-12-04 00:00"),
    // A book stores these values as a start and a time.
    ("December 3, 2026 → December 4, 2026", "2026-12-04", nil),
    ("12/24/2026 17:00", "2026-12-24", nil),
  ]

  @Test(arguments: dues)
  func `CSV dates: a due instant becomes the local day and keeps its time`(
    cell: String, due: String, kept: String?
  ) throws {
    let found = try read("Title,Due", "Mop,\"\(cell)\"")
    #expect(found.told == ["[ ] Mop, due \(due)"])
    #expect(found.extra == (kept == nil ? [:] : ["Due": cell]))
    var notes: [ForeignNote] = []
    if let kept { notes = [.changed(field: "Due", cell, to: kept)] }
    #expect(found.notes == notes)
  }

  @Test func `CSV dates: a serial number is a due day, and zeros mean none`() throws {
    let found = try read("Title,Due", "Mop,46360")
    #expect(
      found
        == (
          ["[ ] Mop, due 2026-12-04"],
          [.changed(field: "Due", "46360", to: "2026-12-04")], [:]
        ))
    #expect(try read("Title,Due", "Mop,0/0/00") == (["[ ] Mop"], [], [:]))
  }

  @Test(arguments: ["soon", "2026-02-30", "5 Dec", "every monday", "2026"])
  func `CSV dates: an unreadable due day is kept as written and reported`(cell: String) throws {
    let found = try read("Title,Due", "Mop,\(cell)")
    #expect(found == (["[ ] Mop"], [.keptAsWritten(field: "Due", cell)], ["Due": cell]))
  }
}
