import Bytes
import Domain
import Interchange
import Testing

/// Import and export of tables.
struct CSVTests {
  private func shown(
    _ text: String, _ settings: ForeignSettings = ForeignSettings()
  ) throws -> [String] {
    var book = ForeignBook()
    try book.take(text, .csv, settings)
    return book.shown
  }

  private let ada = [
    #"{"kind":"birthday","firstName":"Ada","lastName":"Lovelace","birthdate":"1815-12-10"}"#
  ]

  @Test(arguments: [
    "First name,Last name,Birthday\r\nAda,Lovelace,1815-12-10\r\n",
    "\u{FEFF}first NAME;last-name;Date of Birth\nAda;Lovelace;10.12.1815\n",
    "First name\tLast name\tBirthday\rAda\tLovelace\t18151210",
    "Name,Birthdate\n\"Lovelace, Ada\",1815-12-10\n\n,\n",
    "Given Name,Family Name,DOB\nAda,Lovelace,\"10 December 1815\"\n",
    "Name,Birthday\nAda Lovelace,12/10/1815\nAlan Turing,\n\"\",6/23/1912\n",
  ])
  func `CSV: the same table is read from each form that programs write`(text: String) throws {
    #expect(try shown(text).contains(ada[0]))
  }

  @Test func `CSV: quoted cells may contain separators, line breaks and quotes`() throws {
    let text = "Title,Note\r\n\"Buy \"\"Eggos\"\", two\",\"one\r\ntwo\"\r\n"
    #expect(
      try shown(text) == [#"{"kind":"todo","title":"Buy \"Eggos\", two","note":"one\r\ntwo"}"#])
    let file = try FileFormat.csv.read(Array("Title\na\n\"b".utf8))
    #expect(file.records.count == 1)
    #expect(
      file.skipped == [.init(place: .line(3), fault: .broken("a quotation mark is never closed"))])
  }

  @Test func `CSV: other encodings are detected, and Windows-1252 is reported`() throws {
    let latin = Array("Name,Birthday\nJ".utf8) + [0xF6] + Array("rg,1990-01-01\n".utf8)
    let file = try FileFormat.csv.read(latin)
    #expect(file.remarks == [.init(place: .line(1), note: .readAs(encoding: "Windows-1252"))])
    #expect(file.records.first?.fields[Field.Birthday.firstName] == .value(.text("Jörg")))
    var wide: [UInt8] = [0xFF, 0xFE]
    for unit in "Name,Birthday\nJörg,1990-01-01\n".utf16 {
      wide += [UInt8(unit & 0xFF), UInt8(unit >> 8)]
    }
    #expect(try FileFormat.csv.read(wide).records.count == 1)
  }

  @Test func `CSV: an ambiguous birthday is refused unless a setting or another row decides`()
    throws
  {
    let table = "Name,Birthday\nAda,3/4/1999\n"
    let file = try FileFormat.csv.read(Array(table.utf8))
    #expect(
      file.skipped.map(\.fault) == [
        .severalReadings(field: "Birthday", "3/4/1999", ["1999-04-03", "1999-03-04"])
      ])
    var settings = ForeignSettings()
    settings.dateOrder = .dayFirst
    #expect(try shown(table, settings)[0].contains("1999-04-03"))
    // Another row decides the order.
    #expect(try shown(table + "Bo,12/25/1999\n").joined().contains("1999-03-04"))
    #expect(try shown(table + "Bo,25/12/1999\n").joined().contains("1999-04-03"))
    #expect(try shown(table + "Bo,25-12-1999\n").joined().contains("1999-04-03"))
    #expect(try shown(table + "Bo,12/25/1999 0:00\n").joined().contains("1999-03-04"))
    // If it is the only row that decides it, this is noted.
    func remarks(
      _ more: String, _ settings: ForeignSettings = ForeignSettings()
    ) throws -> [ForeignFile.Remark] {
      try FileFormat.csv.read(Array((table + more).utf8), settings).remarks
    }
    #expect(
      try remarks("Bo,12/25/1999\n") == [
        .init(
          place: .line(3),
          note: .decidesOrder(field: "Birthday", "12/25/1999", isDayFirst: false))
      ])
    #expect(try remarks("Bo,12/25/1999\nCy,12/26/1999\n") == [])
    #expect(try remarks("Bo,25/12/1999\n", settings) == [])
    // Two rows that contradict each other do not decide it.
    let both = try FileFormat.csv.read(Array((table + "Bo,25/12/1999\nCy,12/25/1999\n").utf8))
    #expect(both.skipped.count == 1)
  }

  @Test func `CSV: bad rows are reported and the others are imported`() throws {
    let text = """
      Title,Due,Priority,Done
      a,2026-02-30,,
      b,,urgently,
      ,2026-01-01,,
      c,,,
      d,,,,x
      e,,,maybe
      """
    let file = try FileFormat.csv.read(Array(text.utf8))
    #expect(file.records.map(\.place) == [.line(2), .line(3), .line(5), .line(7)])
    #expect(
      file.faults == [
        .line(4): .missing("a title"), .line(6): .broken("it has 5 cells, but the header has 4"),
      ])
    #expect(
      file.notes == [
        .line(2): [.keptAsWritten(field: "Due", "2026-02-30")],
        .line(3): [.keptAsWritten(field: "Priority", "urgently")],
        .line(7): [.keptAsWritten(field: "Done", "maybe")],
      ])
  }

  @Test func `CSV: a to-do with an ambiguous date is imported without it, and the date is kept`()
    throws
  {
    let table = "Title,Due,Start\na,3/4/2026,\nb,,5/6/2026\n"
    let file = try FileFormat.csv.read(Array(table.utf8))
    #expect(file.faults == [:])
    #expect(file.records.map(\.extra) == [["Due": "3/4/2026"], ["Start": "5/6/2026"]])
    #expect(
      file.notes == [
        .line(2): [
          .severalReadings(field: "Due", "3/4/2026", ["2026-04-03", "2026-03-04"])
        ],
        .line(3): [
          .severalReadings(field: "Start", "5/6/2026", ["2026-06-05", "2026-05-06"])
        ],
      ])
    var settings = ForeignSettings()
    settings.dateOrder = .dayFirst
    var book = ForeignBook()
    book.take(file)
    book.take(try FileFormat.csv.read(Array(table.utf8), settings))
    #expect(book.told == ["[ ] a, due 2026-04-03", "[ ] b"])
  }

  @Test func `CSV: questions are imported with their choices`() throws {
    var book = ForeignBook()
    try book.take("Question,Choice,Weight\nLunch?,Noodles,3\nLunch?,Salad,2\n", .csv)
    #expect(
      book.shown == [
        #"{"kind":"question","content":"Lunch?"}"#,
        #"{"kind":"choice","name":"Noodles","weight":3}"#,
        #"{"kind":"choice","name":"Salad","weight":2}"#,
      ])
    #expect(
      try book.take("Question,Choice,Weight\nLunch?,Noodles,4\n", .csv) == .init(edited: 1, same: 1)
    )
  }

  @Test func `CSV: importing an export gives the same records, raw or escaped`() throws {
    let book = try ForeignBook(
      """
      {"t":1000,"op":"add","kind":"birthday","id":"a","firstName":"Ada","birthdate":"--02-29","leapRule":"march1",\
      "lead":["7","1"],"note":"x\\n\\"y\\"","tags":["k","l"]}
      {"t":1000,"op":"add","kind":"list","id":"l","name":"Home","colour":"#00ff80"}
      {"t":1500,"op":"add","kind":"todo","id":"t","title":"=1+2","list":"l","due":"2026-12-01","priority":"low","position":3}
      {"t":1700,"op":"edit","kind":"todo","id":"t","set":{"done":true}}
      {"t":1000,"op":"add","kind":"question","id":"q","content":"Lunch?"}
      {"t":1000,"op":"add","kind":"choice","id":"c","question":"q","name":"Salad","weight":0}
      """)
    for isRaw in [false, true] {
      var settings = ExportSettings.test
      settings.isRaw = isRaw
      let text = try book.written(.csv, settings)
      #expect(text.contains("'=1+2") != isRaw)
      var other = ForeignBook()
      #expect(try other.take(text, .csv) == .init(added: 5))
      let place = /,"list":"[^"]*"/
      #expect(
        other.shown.map { $0.replacing(place, with: "") }
          == book.shown.map { $0.replacing(place, with: "") })
      var same = book
      #expect(try same.take(text, .csv) == .init(same: 5))
    }
  }

  @Test(arguments: ["1604-02-29", "1604", "0001-01-01", "1900-01-01", "4501-01-01", "1985", "--02"])
  func `CSV: every exported date reads back unchanged`(date: String) throws {
    // A birthdate cannot be after today, and a due date needs a year.
    let lines = [
      date == "4501-01-01"
        ? nil
        : #"{"op":"add","t":1000,"kind":"birthday","id":"b","firstName":"Wu","birthdate":"\#(date)"}"#,
      date == "--02"
        ? nil : #"{"op":"add","t":1000,"kind":"todo","id":"t","title":"Sweep","due":"\#(date)"}"#,
    ].compactMap(\.self)
    let book = try ForeignBook(lines.joined(separator: "\n"))
    let file = try FileFormat.csv.read(Array(book.written(.csv).utf8), ForeignSettings())
    #expect(file.remarks.map(\.note) == [])
    var other = ForeignBook()
    #expect(other.take(file) == .init(added: lines.count))
    #expect(other.shown == book.shown)
  }

  @Test func `CSV: exported tags are split at commas only`() throws {
    let book = try ForeignBook(
      #"{"op":"add","kind":"todo","id":"t","title":"Sweep","tags":["a;b","c"]}"# + "\n"
        + #"{"op":"add","kind":"todo","id":"u","title":"Mop","tags":["d,e"]}"#)
    let written = try FileFormat.csv.write(book.contents(), .test)
    #expect(written.lost.map { "\($0.count) \($0.what)" } == ["1 comma in tags"])
    var other = ForeignBook()
    try other.take(String(decoding: written.bytes, as: UTF8.self), .csv)
    #expect(other.document("Sweep")?.tags == ["a;b", "c"])
  }

  /// Titles that spreadsheets read as formulas, and titles that look escaped.
  private static let formulas = [
    "=1+2", "+1", "-1", "@SUM(A1)", "＝1", "＋1", "－1", "＠x", "\"=1", "\" \u{A0}=1", "\"\u{3000}＝1",
    "'=1", "''=1", "'\"=1", "' -1", "\"\t1", "=\u{301}", "=HYPERLINK(\"x\")",
  ]
  private static let harmless = ["'Tis", "'", "\"", "a=1", "1-2", "a\t=1", "’=1", "~=1"]

  @Test func `CSV: text that looks like a formula is escaped once and reads back exactly`() throws {
    func table(
      _ titles: [String], isRaw: Bool = false
    ) throws -> (book: ForeignBook, rows: [String]) {
      let lines = titles.enumerated().map { place, title in
        let line = JSON.object(
          ("op", "add"), ("kind", "todo"), ("id", .string("t\(place)")), ("t", 1000),
          ("title", .string(title)), ("note", .string(title)), ("tags", .array([.string(title)])))
        return line.text()
      }
      let book = try ForeignBook(lines.joined(separator: "\n"))
      var settings = ExportSettings.test
      settings.isRaw = isRaw
      let text = try book.written(.csv, settings)
      return (book, text.split(separator: "\r\n").dropFirst().map(String.init))
    }
    let (formulas, rows) = try table(Self.formulas)
    for (title, row) in zip(Self.formulas, rows) {
      let cell = "'" + title.replacing("\"", with: "\"\"")
      #expect(row.split(separator: ",")[2].trimmingPrefix("\"").hasPrefix(cell), "\(row)")
    }
    let (harmless, plainRows) = try table(Self.harmless)
    #expect(try table(Self.harmless, isRaw: true).rows == plainRows)
    #expect(try table(Self.formulas, isRaw: true).rows != rows)
    for book in [formulas, harmless] {
      var other = ForeignBook()
      let text = try book.written(.csv)
      #expect(try other.take(text, .csv).faults == [])
      #expect(other.shown.sorted() == book.shown.sorted())
      var same = book
      #expect(try same.take(text, .csv) == .init(same: book.shown.count))
    }
  }

  @Test func `CSV: columns of unknown meaning are escaped, in headers and in cells`() throws {
    var book = ForeignBook()
    let table = "Title,'=x,+y\r\nMop,'=1+2,-1\r\n"
    try book.take(table, .csv)
    let text = try book.written(.csv)
    #expect(text.contains("'+y,'=x\r\n"))
    #expect(text.contains("'-1,'=1+2\r\n"))
    try book.take(text, .csv)
    #expect(try book.written(.csv) == text)
  }

  @Test func `CSV: people without a birthday are skipped unless all are requested`() throws {
    let table = "Id,Name,Birthday\na,Ada,1815-12-10\nb,Bo,\n,Cy,\n"
    let file = try FileFormat.csv.read(Array(table.utf8))
    #expect(file.records.map(\.standing) == [.plain, .incidental])
    #expect(file.passedOver == [.cardWithoutBirthday: 1])
    var settings = ForeignSettings()
    settings.takesAll = true
    #expect(try shown(table, settings).count == 3)
  }

  @Test func `CSV: columns of unknown meaning are exported again`() throws {
    var book = ForeignBook()
    try book.take("Name,Birthday,Shoe size\nAda,1815-12-10,\"7,5\"\n", .csv)
    let lines = try book.written(.csv).split(separator: "\r\n")
    #expect(lines[0] == "Kind,Id,First name,Birthday,Shoe size")
    #expect(lines[1].hasSuffix(",Ada,1815-12-10,\"7,5\""))
  }

  @Test func `CSV: a table without any known column is refused`() {
    #expect(throws: ForeignFault.noTitleColumn(has: ["x", "y"])) {
      try FileFormat.csv.read(Array("x,y\n1,2\n".utf8))
    }
  }
}
