import Domain
import Interchange
import Testing

/// Repeating to-dos exchanged between books and todo.txt.
struct TodoTxtRepeatTests {
  /// The lines of a book without their ids and bases.
  private static func written(
    _ book: ForeignBook, _ settings: ExportSettings = .test
  ) throws -> [String] {
    try book.written(.todoTxt, settings).split(separator: "\n")
      .map { String($0).replacing(/\ uuid:\S+ base:\S+$/, with: "") }
  }

  @Test(arguments: [
    ("rec:1w", "FREQ=WEEKLY;FROM=DONE"), ("rec:+1w", "FREQ=WEEKLY"),
    ("rec:+3d", "FREQ=DAILY;INTERVAL=3"), ("rec:+2m", "FREQ=MONTHLY;INTERVAL=2"),
    ("rec:1y", "FREQ=YEARLY;SKIP=BACKWARD;FROM=DONE"), ("rec:+1y", "FREQ=YEARLY"),
    ("rec:+1b", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
    ("rec:1b", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;FROM=DONE"), ("rec:+07d", "FREQ=DAILY;INTERVAL=7"),
    ("repeat:FREQ=MONTHLY;BYDAY=-1FR", "FREQ=MONTHLY;BYDAY=-1FR"),
  ])
  func `todo.txt repeats: another program's word repeats the to-do and is written unchanged`(
    word: String, rule: String
  ) throws {
    var book = ForeignBook()
    let line = "Dust due:2026-11-23 \(word)"
    let file = try FileFormat.todoTxt.read(Array(line.utf8))
    #expect(file.remarks == [])
    #expect(book.take(file) == .init(added: 1))
    #expect(book.repeating("Dust") == "\(rule) from 2026-11-23: 2026-11-23")
    #expect(try Self.written(book) == [line + " first:2026-11-23 slot:2026-11-23"])
    #expect(try book.take(line, .todoTxt) == .init(same: 1))
    #expect(try book.take(try book.written(.todoTxt), .todoTxt) == .init(same: 1))
  }

  @Test func `todo.txt repeats: a day that months lack is the last day of a shorter month`() throws
  {
    var book = ForeignBook()
    try book.take("Pay due:2027-01-31 rec:+1m", .todoTxt)
    #expect(book.repeating("Pay") == "FREQ=MONTHLY;SKIP=BACKWARD from 2027-01-31: 2027-01-31")
    try book.occur("Pay", "2027-01-31", #""done":true,"closedOn":"2027-01-31""#)
    #expect(
      try Self.written(book) == [
        "Pay due:2027-02-28 rec:+1m first:2027-01-31 slot:2027-02-28 "
          + "slots:2027-01-31=done/2027-01-31/1970-01-01T00%3A00%3A00.002Z"
      ])
  }

  @Test
  func `todo.txt repeats: words without effect are kept and reported, without new dates`()
    throws
  {
    let lines = [
      "Sow rec:1w", "x 2026-11-20 Hoe due:2026-11-20 rec:+1w", "Mow due:2026-11-23 rec:2b",
      "Rake due:2026-11-23 rec:0d", "x Dig due:2026-11-23 repeat:FREQ=DAILY",
      "Lop repeat:soon first:2026-11-23 slots:x due:2026-11-23",
    ]
    var book = ForeignBook()
    let file = try FileFormat.todoTxt.read(Array(lines.joined(separator: "\n").utf8))
    #expect(
      file.remarks.map(\.note) == [
        .notActedOn("rec:1w"), .notActedOn("rec:+1w"), .notActedOn("rec:2b"),
        .notActedOn("rec:0d"), .notActedOn("repeat:FREQ=DAILY"),
      ])
    book.take(file)
    for title in ["Sow", "Hoe", "Mow", "Rake", "Dig"] {
      #expect(book.document(title) != nil && book.repeating(title) == nil)
    }
    #expect(
      try Self.written(book)
        == lines.dropLast() + [
          #"Lop \repeat:soon \first:2026-11-23 \slots:x due:2026-11-23"#
        ])
  }

  @Test func `todo.txt series: other programs see the current date and a rule that they know`()
    throws
  {
    var book = try ForeignBook.ofBins(
      #""due":"2026-11-23","start":"2026-11-20","repeat":"FREQ=WEEKLY;MISSED=KEEP","until":"2027-02-28""#
    )
    try book.occur("Bins", "2026-11-23", #""done":true,"closedOn":"2026-11-26""#)
    #expect(
      try Self.written(book) == [
        "2026-11-20 Bins due:2026-11-30 rec:+1w t:2026-11-27 repeat:FREQ=WEEKLY;MISSED=KEEP "
          + "first:2026-11-23/2026-11-20 until:2027-02-28 slot:2026-11-30 "
          + "slots:2026-11-23=done/2026-11-26/1970-01-01T00%3A00%3A00.002Z"
      ])
    let odd = try ForeignBook.ofBins(#""due":"2026-11-23","repeat":"FREQ=WEEKLY;BYDAY=MO,TH""#)
    #expect(
      try Self.written(odd) == [
        "2026-11-20 Bins due:2026-11-23 repeat:FREQ=WEEKLY;BYDAY=MO,TH first:2026-11-23 slot:2026-11-23"
      ])
    let lost = try FileFormat.todoTxt.write(odd.contents(), .test).lost
    #expect(lost.map { "\($0.count) \($0.what)" } == ["1 repeat rule in a form for other programs"])
  }

  /// Returns how the series of a book repeats after a change to its line.
  private static func repeating(
    _ fields: String = #""due":"2026-11-23","repeat":"FREQ=WEEKLY""#,
    after change: (String) -> String
  ) throws -> String? {
    var book = try ForeignBook.ofBins(fields)
    let text = try book.written(.todoTxt)
    let changed = change(text)
    try #require(text != changed)
    #expect(try book.take(changed, .todoTxt) == .init(edited: 1))
    #expect(try book.take(changed, .todoTxt) == .init(same: 1))
    return book.repeating("Bins")
  }

  @Test func `todo.txt series: changes to a line concern the current date, or the rule`() throws {
    #expect(
      try Self.repeating { "x 2026-11-24 " + $0 }
        == "FREQ=WEEKLY from 2026-11-23: 2026-11-30; 2026-11-23 done 2026-11-24")
    #expect(
      try Self.repeating { $0.replacing("due:2026-11-23", with: "due:2026-11-25") }
        == "FREQ=WEEKLY from 2026-11-23: 2026-11-25; 2026-11-23 open due 2026-11-25")
    #expect(
      try Self.repeating { $0.replacing("rec:+1w", with: "rec:2d") }
        == "FREQ=DAILY;INTERVAL=2;FROM=DONE from 2026-11-23: 2026-11-23")
    #expect(try Self.repeating { $0.replacing(" rec:+1w", with: "") } == nil)
    #expect(
      try Self.repeating(#""due":"2026-11-23","start":"2026-11-20","repeat":"FREQ=WEEKLY""#) {
        $0.replacing("t:2026-11-20", with: "t:2026-11-21")
      } == "FREQ=WEEKLY from 2026-11-23 starting 2026-11-21: 2026-11-23")
  }

  @Test
  func
    `todo.txt series: a line that a program has done, and its copy for the next date, are one to-do`()
    throws
  {
    func after(_ next: String, _ rule: String) throws -> String? {
      try Self.repeating(#""due":"2026-11-23","repeat":"\#(rule)""#) { line in
        "x 2026-11-26 " + line
          + line.replacing("due:2026-11-23", with: "due:\(next)")
      }
    }
    #expect(
      try after("2026-11-30", "FREQ=WEEKLY")
        == "FREQ=WEEKLY from 2026-11-23: 2026-11-30; 2026-11-23 done 2026-11-26")
    #expect(
      try after("2026-12-03", "FREQ=WEEKLY;FROM=DONE")
        == "FREQ=WEEKLY;FROM=DONE from 2026-11-23: 2026-12-03; 2026-11-23 done 2026-11-26")
    // The program does not pass over missed dates.
    #expect(
      try after("2026-11-24", "FREQ=DAILY")
        == "FREQ=DAILY from 2026-11-23: 2026-11-24; 2026-11-23 done 2026-11-26; 2026-11-24 open")
    #expect(
      try after("2026-12-01", "FREQ=WEEKLY")
        == "FREQ=WEEKLY from 2026-11-23: 2026-12-01; 2026-11-23 done 2026-11-26; "
        + "2026-11-30 open due 2026-12-01")
  }

  @Test func `todo.txt series without ids: the rule counts from the current date`() throws {
    var settings = ExportSettings.test
    settings.omitsIDs = true
    func written(_ fields: String, _ slots: [String]) throws -> ([String], [String]) {
      var book = try ForeignBook.ofBins(fields)
      for slot in slots { try book.occur("Bins", slot, #""done":true,"closedOn":"\#(slot)""#) }
      let lost = try FileFormat.todoTxt.write(book.contents(), settings).lost
      return (try Self.written(book, settings), lost.map { "\($0.count) \($0.what)" })
    }
    let weekly = try written(#""due":"2026-11-23","repeat":"FREQ=WEEKLY""#, ["2026-11-23"])
    #expect(weekly.0 == ["2026-11-20 Bins due:2026-11-30 rec:+1w"])
    #expect(weekly.1 == ["1 closed date of a repeating to-do"])
    #expect(
      try written(
        #""due":"2027-01-31","repeat":"FREQ=MONTHLY;COUNT=4;SKIP=BACKWARD""#, ["2027-01-31"]
      ).0 == [
        "2026-11-20 Bins due:2027-02-28 repeat:FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3;SKIP=BACKWARD"
      ])
    #expect(
      try written(#""due":"2026-11-23","repeat":"FREQ=DAILY","until":"2026-11-26""#, []).0
        == ["2026-11-20 Bins due:2026-11-23 rec:+1d repeat:FREQ=DAILY;COUNT=4"])
    #expect(
      try written(#""due":"2026-11-23","repeat":"FREQ=DAILY;COUNT=1""#, ["2026-11-23"]).0
        == ["x 1970-01-01 2026-11-20 Bins due:2026-11-23"])
  }
}
