import Domain
import Interchange
import Testing

struct TodoTxtTests {
  private static let file = """
    (A) 2026-11-20 Call Mom +Family @phone due:2026-11-22 about the party
    2026-11-19 Buy Eggos rec:1w +Home_stuff list:Home%20stuff
    x 2026-11-21 2026-11-18 Pay rent pri:D @bank @home

    x (B) 2026-11-21 Old order
    read http://example.com/a:b at 10:30 +one +two due:2026-02-30 due:x
    x ray
    +Home @x

    """

  private static func shown(_ book: ForeignBook) -> Set<String> {
    Set(
      book.shown.map { line in
        book.records.documents(.list).reduce(line) { line, list in
          line.replacing(
            "\"list\":\"\(list.id.uuid)\"", with: "\"on\":\(list.text(Field.List.name) ?? "")")
        }
      })
  }

  /// The shown records, without completion times that are only the time of the import.
  private static func shownOfImport(_ book: ForeignBook) -> Set<String> {
    Set(shown(book).map { $0.replacing(/,"completedAt":\d{1,2}\b/, with: "") })
  }

  @Test func `todo.txt: tasks become to-dos with everything that a line can contain`() throws {
    var book = ForeignBook()
    #expect(try book.take(Self.file, .todoTxt) == .init(added: 7))
    #expect(
      Self.shownOfImport(book) == [
        #"{"kind":"list","name":"Family"}"#, #"{"kind":"list","name":"Home stuff"}"#,
        #"{"kind":"list","name":"one"}"#, #"{"kind":"list","name":"Home"}"#,
        #"{"kind":"todo","title":"Call Mom about the party","on":Family,"priority":2,"due":"2026-11-22","tags":["phone"]}"#,
        #"{"kind":"todo","title":"Buy Eggos","on":Home stuff}"#,
        #"{"kind":"todo","title":"Pay rent","done":true,"completedAt":1795219200000,"priority":0,"tags":["bank","home"]}"#,
        #"{"kind":"todo","title":"Old order","done":true,"completedAt":1795219200000}"#,
        #"{"kind":"todo","title":"read http://example.com/a:b at 10:30 due:2026-02-30 due:x","on":one,"tags":["+two"]}"#,
        #"{"kind":"todo","title":"ray","done":true}"#,
        #"{"kind":"todo","title":"+Home @x","on":Home,"tags":["x"]}"#,
      ])
    #expect(try book.take(Self.file, .todoTxt) == .init(same: 7))
  }

  @Test func `todo.txt: words that are only kept are reported`() throws {
    let file = try FileFormat.todoTxt.read(Array("Sweep rec:1w t:-3d\n".utf8))
    #expect(file.notes == [.line(1): [.notActedOn("rec:1w"), .notActedOn("t:-3d")]])
  }

  @Test func `todo.txt: an imported file is exported with the same priorities and words`() throws {
    let lines = [
      "(A) 2026-11-20 high +Home due:2026-11-22", "(B) 2026-11-20 normal @a @b",
      "(C) 2026-11-20 low", "(Q) 2026-11-20 very low", "2026-11-20 none rec:+1m t:2026-12-01",
      "x 2026-11-21 2026-11-20 over +Home +Work pri:D",
      "2026-11-20 spaced +Home_stuff list:Home%20stuff", "2026-11-20 one ⏎ two",
      "2026-11-20 x y", "2026-11-20 2026-11-21 dates",
    ]
    var book = ForeignBook()
    try book.take(lines.joined(separator: "\n"), .todoTxt)
    let written = try book.written(.todoTxt).split(separator: "\n").map(String.init)
    // The id and the base follow at the end of each line.
    #expect(written.map { $0.replacing(/\ uuid:\S+ base:\S+$/, with: "") } == lines)
    var other = ForeignBook()
    try other.take(written.joined(separator: "\r\n"), .todoTxt)
    #expect(Self.shown(other) == Self.shown(book))
  }

  @Test(arguments: [
    "(B) Ask Ana @phone", "x 2026-11-22 Call Bob", "x Sweep", "Mop due:2026-12-01",
    "x 2026-11-22 2026-11-20 Dig", "2026-11-20 Sow",
  ])
  func `todo.txt: an export does not add dates that the file lacked`(line: String) throws {
    var book = ForeignBook()
    try book.take(line, .todoTxt)
    let written = try book.written(.todoTxt)
    #expect(written.replacing(/\ uuid:\S+ base:\S+\n$/, with: "") == line)
    #expect(try book.take(written, .todoTxt) == .init(same: 1))
  }

  @Test func `todo.txt: a missing date is exported once it has been set here`() throws {
    var book = ForeignBook()
    try book.take("x Sweep\nMop\n", .todoTxt)
    let sweep = try #require(book.document("Sweep")).id.uuid
    let mop = try #require(book.document("Mop")).id.uuid
    try book.run(
      """
      {"op":"edit","kind":"todo","id":"\(sweep)","set":{"completedAt":1795176000000}}
      {"op":"edit","kind":"todo","id":"\(mop)","set":{"createdAt":1795176000000}}
      """)
    let written = try book.written(.todoTxt).split(separator: "\n")
    #expect(
      written.map { $0.replacing(/\ uuid:\S+ base:\S+$/, with: "") } == [
        "x 2026-11-20 Sweep", "2026-11-20 Mop",
      ])
    try book.run(
      #"{"op":"edit","t":1795176000000,"kind":"todo","id":"\#(mop)","set":{"done":true}}"#)
    #expect(try book.written(.todoTxt).contains("x 2026-11-20 2026-11-20 Mop"))
  }

  @Test func `todo.txt: to-dos from another file without dates are exported without dates`() throws
  {
    var book = ForeignBook()
    try book.take(
      "Title,Done,Created\nMop,yes,\nSow,no,\nDig,yes,2026-11-20\n", .csv)
    let contents = book.contents()
    let written = try FileFormat.todoTxt.write(contents, .test)
    let lines = String(decoding: written.bytes, as: UTF8.self).split(separator: "\n")
    #expect(
      lines.map { $0.replacing(/\ uuid:\S+ base:\S+$/, with: "") } == ["x Mop", "Sow", "x Dig"])
    #expect(
      written.lost.map { "\($0.count) \($0.what)" } == [
        "1 creation day of a to-do with an unknown completion day"
      ])
  }

  /// A book with two to-dos of its own, and its export.
  private static func written() throws -> (ForeignBook, String) {
    let book = try ForeignBook(
      """
      {"op":"add","kind":"list","id":"h","name":"Home stuff"}
      {"op":"add","kind":"todo","id":"e","t":1795176000000,"title":"Buy Eggos","list":"h","priority":2,"due":"2026-11-22"}
      {"op":"add","kind":"todo","id":"f","t":1795176000000,"title":"Find Mike","tags":["a b"],"note":"tall"}
      """)
    return (book, try book.written(.todoTxt))
  }

  @Test func `todo.txt: tags that begin with a plus do not become lists`() throws {
    let book = try ForeignBook(
      """
      {"op":"add","kind":"list","id":"h","name":"Home"}
      {"op":"add","kind":"todo","id":"a","t":1795132800000,"title":"On one","list":"h","tags":["x","+y","+"]}
      {"op":"add","kind":"todo","id":"b","t":1795132800000,"title":"On none","tags":["+y","+","x"]}
      """)
    let written = try FileFormat.todoTxt.write(book.contents(), .test)
    #expect(written.lost.map(\.what) == [])
    var other = ForeignBook()
    try other.take(String(decoding: written.bytes, as: UTF8.self), .todoTxt)
    #expect(other.document("On one")?.tags.sorted() == ["+", "+y", "x"])
    #expect(other.document("On none")?.tags.sorted() == ["+", "+y", "x"])
    #expect(other.records.documents(.list).map { $0.text(Field.List.name) } == ["Home"])
  }

  @Test func `todo.txt: a line contains its id and its base`() throws {
    let (book, text) = try Self.written()
    let eggos = try #require(book.document("Buy Eggos")).id.uuid
    #expect(
      text.split(separator: "\n").first?.replacing(/[0-9a-f-]+$/, with: "…")
        == "(A) 2026-11-20 Buy Eggos +Home_stuff list:Home%20stuff due:2026-11-22 uuid:\(eggos) base:…"
    )
    let lost = try FileFormat.todoTxt.write(book.contents(), .test).lost
    #expect(lost.map { "\($0.count) \($0.what)" } == ["1 space in tags", "1 note"])
  }

  @Test func `todo.txt: times of day that a date cannot represent are reported as lost`() throws {
    let book = try ForeignBook(
      """
      {"op":"add","kind":"todo","id":"a","t":1795176000000,"title":"Added at noon"}
      {"op":"add","kind":"todo","id":"b","t":1795176000000,"title":"Began","createdAt":1795132800000}
      {"op":"add","kind":"todo","id":"c","t":1795176000000,"title":"Began","createdAt":1795132800001}
      {"op":"add","kind":"todo","id":"d","t":1795132800000,"title":"Done at noon"}
      {"op":"edit","kind":"todo","id":"d","t":1795176000000,"set":{"done":true}}
      {"op":"add","kind":"todo","id":"e","t":1795176000000,"title":"Both","createdAt":1795132800001}
      {"op":"edit","kind":"todo","id":"e","t":1795176000001,"set":{"done":true}}
      """)
    let lost = try FileFormat.todoTxt.write(book.contents(), .test).lost
    #expect(
      lost.map { "\($0.count) \($0.what)" } == [
        "2 given times of day when to-dos were added", "2 times of day when to-dos were done",
      ])
  }

  @Test func `todo.txt: an unchanged file changes nothing`() throws {
    var (book, text) = try Self.written()
    #expect(try book.take(text, .todoTxt) == .init(same: 2))
    try book.run(#"{"op":"edit","kind":"todo","id":"e","set":{"title":"Buy waffles","done":true}}"#)
    let before = book.shown
    #expect(try book.take(text, .todoTxt) == .init(same: 1, outdated: 1))
    #expect(book.shown == before)
  }

  @Test func `todo.txt: changes in the file and in the book are merged`() throws {
    var (book, text) = try Self.written()
    try book.run(#"{"op":"edit","kind":"todo","id":"e","set":{"title":"Buy waffles","due":null}}"#)
    // In the file, the task is now done, on another list, and has no priority.
    let changed = text.replacing("(A) 2026-11-20 Buy", with: "x 2026-11-21 2026-11-20 Buy")
      .replacing("+Home_stuff", with: "+Shop")
    #expect(try book.take(changed, .todoTxt) == .init(edited: 1, same: 1))
    #expect(
      Self.shown(book).isSuperset(of: [
        #"{"kind":"todo","title":"Buy waffles","on":Shop,"done":true,"completedAt":1795219200000}"#
      ]))
    #expect(try book.take(changed, .todoTxt) == .init(same: 2))
  }

  @Test func `todo.txt: a title changed in both keeps the book's value`() throws {
    var (book, text) = try Self.written()
    try book.run(#"{"op":"edit","kind":"todo","id":"f","set":{"title":"Find Max"}}"#)
    let taken = try book.take(text.replacing("Mike", with: "Nancy"), .todoTxt)
    #expect(taken.edited == 0 && taken.added == 0)
    #expect(book.document("Find Max") != nil)
    #expect(try book.take(text.replacing("Mike", with: "Max"), .todoTxt) == .init(same: 2))
  }

  @Test func `todo.txt: a copied line becomes a new task`() throws {
    var (book, text) = try Self.written()
    let copied = text + text.replacing("Mike", with: "Nancy")
    let notes = try FileFormat.todoTxt.read(Array(copied.utf8)).notes.values.joined()
    let eggos = try #require(book.document("Buy Eggos")).id.uuid
    #expect(notes.count { $0 == .sharedUID(eggos) } == 1)
    #expect(try book.take(copied, .todoTxt) == .init(added: 2, same: 2))
    #expect(try book.take(copied, .todoTxt) == .init(same: 4))
  }

  @Test func `todo.txt: a line above the limit is skipped, and too many records are refused`()
    throws
  {
    var settings = ForeignSettings()
    settings.limits.fieldBytes = 100
    let text = "short\n" + String(repeating: "x", count: 101) + "\nalso short"
    let file = try FileFormat.todoTxt.read(Array(text.utf8), settings)
    #expect(file.records.count == 2)
    #expect(file.faults == [.line(2): .tooLarge("the line", limit: 100)])
    settings.limits.records = 1
    #expect(throws: ForeignFault.tooMany(limit: 1)) {
      try FileFormat.todoTxt.read(Array(text.utf8), settings)
    }
  }

  @Test func `todo.txt: dates are local days`() throws {
    var settings = ForeignSettings()
    settings.localOffset = { _ in 14 * 3600 }
    let text = "x 2026-11-21 2026-11-20 Sweep"
    let record = try FileFormat.todoTxt.read(Array(text.utf8), settings).records[0]
    // This is 10:00 UTC on the day before.
    #expect(record.time == 1_795_082_400_000)
    var book = ForeignBook()
    book.take(try FileFormat.todoTxt.read(Array(text.utf8), settings))
    var export = ExportSettings.test
    export.localOffset = { _ in 14 * 3600 }
    #expect(try book.written(.todoTxt, export).hasPrefix(text))
  }
}
