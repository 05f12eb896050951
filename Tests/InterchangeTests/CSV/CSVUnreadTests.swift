import Domain
import Interchange
import Testing

/// Cells of a book's own table that a spreadsheet or a user has changed to something that may not be readable.
struct CSVUnreadTests {
  private static func book(_ fields: String) throws -> ForeignBook {
    var book = ForeignBook(number: 1)
    try book.run(#"{"op":"add","kind":"todo","id":"p","title":"Pills",\#(fields)}"#)
    return book
  }

  /// Imports the table of a book after a change, and returns the notes about it.
  private static func notes(
    _ book: inout ForeignBook, _ edits: KeyValuePairs<String, String>
  ) throws -> [ForeignNote] {
    var text = try book.written(.csv)
    for (old, new) in edits {
      try #require(text.contains(old))
      text = text.replacing(old, with: new)
    }
    let file = try FileFormat.csv.read(Array(text.utf8))
    book.take(file)
    return file.remarks.map(\.note)
  }

  @Test(arguments: [
    ["31.12.2026", "20.11.2026", "21.11.2026"], ["12/31/2026", "11/20/2026", "11/21/2026"],
    ["31/12/2026", "20/11/2026", "21/11/2026"], ["46387", "46346", "46347"],
  ])
  func `CSV unread: a series is unchanged if a spreadsheet writes its days in another form`(
    days: [String]
  ) throws {
    var book = try Self.book(#""due":"2026-11-20","repeat":"FREQ=DAILY","until":"2026-12-31""#)
    try book.occur("Pills", "2026-11-20", #""done":true,"closedOn":"2026-11-20""#)
    let before = (book.shown, book.repeating("Pills"))
    #expect(before.1?.hasPrefix("FREQ=DAILY from 2026-11-20 until 2026-12-31: 2026-11-21") == true)
    let edits: KeyValuePairs = [
      ",2026-11-21,FREQ": ",\(days[2]),FREQ",
      ",2026-12-31,2026-11-20,2026-11-21,": ",\(days[0]),\(days[1]),\(days[2]),",
    ]
    let notes = try Self.notes(&book, edits)
    // The number of a day in the due column is reported as before.
    #expect(notes.allSatisfy { $0.fault == nil }, "\(notes)")
    #expect((book.shown, book.repeating("Pills")) == before)
  }

  @Test(arguments: ["soon", "2026-13-01", "3/4/2026"])
  func `CSV unread: a day of a series that cannot be read is reported, and the series stays`(
    cell: String
  ) throws {
    var book = try Self.book(
      #""due":"2026-11-20","repeat":"FREQ=DAILY","until":"2026-12-31","start":"2026-11-18""#)
    try book.occur("Pills", "2026-11-20", #""done":true,"closedOn":"2026-11-20""#)
    let before = (book.shown, book.repeating("Pills"))
    let row = ",2026-12-31,2026-11-20,2026-11-21,"
    let edits: [(header: String, old: String, new: String)] = [
      ("Until", row, ",\(cell),2026-11-20,2026-11-21,"),
      ("First due", row, ",2026-12-31,\(cell),2026-11-21,"),
      ("Slot", row, ",2026-12-31,2026-11-20,\(cell),"),
      ("Start", ",2026-11-18,FREQ", ",\(cell),FREQ"),
      ("Repeat", ",FREQ=DAILY,", ",\(cell),"),
    ]
    for (header, old, new) in edits {
      let notes = try Self.notes(&book, [old: new, "Pills,no": "Pills,yes"])
      let faults = notes.compactMap(\.fault)
      #expect(faults.count == 1, "\(header): \(notes)")
      #expect("\(faults)".contains("\"\(header)\"") && "\(faults)".contains(cell), "\(faults)")
      #expect((book.shown, book.repeating("Pills")) == before, "\(header)")
    }
  }

  @Test func `CSV unread: an entry of the stored dates is reported, and its date stays closed`()
    throws
  {
    var book = try Self.book(#""due":"2026-11-20","repeat":"FREQ=DAILY""#)
    try book.occur("Pills", "2026-11-20", #""done":true,"closedOn":"2026-11-20""#)
    let before = (book.shown, book.repeating("Pills"))
    #expect(
      try Self.notes(&book, ["2026-11-20=done": "2026-11-20=maybe"]).compactMap(\.fault).count == 1)
    #expect((book.shown, book.repeating("Pills")) == before)
  }

  @Test func `CSV unread: a start in another form stays, even on the due date`() throws {
    var book = try Self.book(#""due":"2026-12-24","start":"2026-12-24""#)
    let before = book.shown
    #expect(try Self.notes(&book, ["2026-12-24": "24.12.2026"]) == [])
    #expect(book.shown == before)
  }

  @Test(arguments: [
    ("December 1, 2026 9:00 AM", "2026-12-01"), ("December 1, 2026", "2026-12-01"), ("soon", nil),
  ])
  func `CSV unread: the start of a range is read, and what it loses is reported`(
    start: String, day: String?
  ) throws {
    let table = "Name,Assign,Created time,Due\nPage,Ada,,\"\(start) → December 3, 2026\"\n"
    let file = try FileFormat.csv.read(Array(table.utf8))
    let notes = file.remarks.map(\.note).filter { $0.fault != nil || "\($0)".contains("changed") }
    #expect(notes.count == (start == "December 1, 2026" ? 0 : 1), "\(notes)")
    var book = ForeignBook()
    book.take(file)
    #expect(book.document("Page")?.value(Field.Todo.start).date?.iso == day)
    #expect(book.document("Page")?.value(Field.Todo.due).date?.iso == "2026-12-03")
  }

  @Test func `CSV unread: a rule of another program that cannot be read leaves the rule`() throws {
    var book = ForeignBook()
    try book.take("Id,Title,Due,RRULE\nm,Mop,2026-11-23,FREQ=WEEKLY\n", .csv)
    try book.take("Id,Title,Due,RRULE\nm,Mop,2026-11-23,FREQ=HOURLY\n", .csv)
    #expect(book.repeating("Mop") == "FREQ=WEEKLY from 2026-11-23: 2026-11-23")
    try book.take("Id,Title,Due,RRULE\nm,Mop,2026-11-23,\n", .csv)
    #expect(book.repeating("Mop") == nil)
  }
}
