import Domain
import Interchange
import Testing

/// Times, starts, reminders, cancellations and sub-tasks, exchanged between to-dos and todo.txt.
struct TodoTxtFieldTests {
  /// The lines of a book without their ids and bases.
  private static func written(
    _ book: ForeignBook, _ settings: ExportSettings = .test
  ) throws -> [String] {
    try book.written(.todoTxt, settings).split(separator: "\n")
      .map { String($0).replacing(/\ uuid:\S+ base:\S+$/, with: "") }
  }

  private static let lines = [
    "Call due:2026-12-01T17:00", "Mow t:2026-12-24", "Dust due:2026-12-01 rec:2b t:-3d",
    "x 2026-11-26 2026-11-20 Old +Home status:cancelled", "x Older status:cancelled",
    "Meet due:2026-12-01T09:05 zone:Europe/Berlin remind:1w,2h,0",
    "See due:2026-12-01 zone:Europe/Berlin", "Wait status:waiting status:cancelled",
    "Late due:2026-12-01T25:00 t:2026-02-30 remind:soon parent:7",
  ]

  @Test func `todo.txt: times, starts and cancellations are read and written back unchanged`()
    throws
  {
    var book = ForeignBook()
    let text = Self.lines.joined(separator: "\n")
    let file = try FileFormat.todoTxt.read(Array(text.utf8))
    #expect(book.take(file) == .init(added: 9))
    #expect(
      book.toldTodos == [
        "Call": "due 2026-12-01 17:00", "Mow": "from 2026-12-24", "Dust": "due 2026-12-01",
        "Old": "on Home cancelled on 2026-11-26", "Older": "cancelled",
        "Meet": "due 2026-12-01 09:05 Europe/Berlin remind 1w+2h+0", "See": "due 2026-12-01",
        "Wait status:waiting": "", "Late due:2026-12-01T25:00 remind:soon parent:7": "",
      ])
    #expect(
      file.notes == [
        .line(3): [.notActedOn("rec:2b"), .notActedOn("t:-3d")],
        .line(7): [.notActedOn("zone:Europe/Berlin")],
        .line(8): [.notActedOn("status:cancelled")],
        .line(9): [
          .keptAsWritten(field: "due", "2026-12-01T25:00"), .notActedOn("t:2026-02-30"),
        ],
      ])
    #expect(
      try Self.written(book)
        == Self.lines.dropLast() + [
          #"Late due:2026-12-01T25:00 \remind:soon \parent:7 t:2026-02-30"#
        ])
    #expect(try book.take(text, .todoTxt) == .init(same: 9))
    #expect(try book.take(try book.written(.todoTxt), .todoTxt) == .init(same: 9))
  }

  private static let book = """
    {"op":"add","kind":"list","id":"h","name":"Home stuff"}
    {"op":"add","kind":"todo","t":1795132800000,"id":"p","title":"Passport","list":"h","due":"2026-12-01","dueTime":0,"zone":"Moon/Sea of Rains","start":"2026-11-28","remind":["1w","2h","a, b%"],"tags":["b","A"]}
    {"op":"add","kind":"todo","t":1795132800000,"id":"c","title":"Photo","parent":"p","due":"2026-12-02","priority":2}
    {"op":"add","kind":"todo","t":1795132800000,"id":"x","title":"Gone","cancelled":true,"closedOn":"2026-11-26"}
    {"op":"add","kind":"todo","t":1795132800000,"id":"d","title":"Done","done":true,"completedAt":1795219200000}
    """

  @Test func `todo.txt export: another book reads every field of a to-do`() throws {
    var book = ForeignBook(number: 1)
    try book.run(Self.book)
    let written = try FileFormat.todoTxt.write(book.contents(), .test)
    #expect(written.lost.map(\.what) == [])
    #expect(
      try Self.written(book).map { $0.replacing(/parent:\S+/, with: "parent:…") } == [
        "2026-11-20 Passport +Home_stuff list:Home%20stuff @A @b due:2026-12-01T00:00 "
          + "zone:Moon/Sea%20of%20Rains t:2026-11-28 remind:1w,2h,a%2C%20b%25",
        "(A) 2026-11-20 Photo due:2026-12-02 parent:…",
        "x 2026-11-26 2026-11-20 Gone status:cancelled", "x 2026-11-21 2026-11-20 Done",
      ])
    var other = ForeignBook(number: 2)
    let text = String(decoding: written.bytes, as: UTF8.self)
    #expect(try other.take(text, .todoTxt).added == 4)
    #expect(
      book.toldTodos == [
        "Passport":
          "on Home stuff due 2026-12-01 00:00 Moon/Sea of Rains from 2026-11-28 "
          + "remind 1w+2h+a, b% tags A+b",
        "Photo": "due 2026-12-02 high of Passport", "Gone": "cancelled on 2026-11-26",
        "Done": "done",
      ])
    #expect(other.toldTodos == book.toldTodos)
    #expect(try book.take(text, .todoTxt) == .init(same: 4))
    #expect(try other.take(text, .todoTxt) == .init(same: 4))
  }

  @Test func `todo.txt: each changed word changes only its field`() throws {
    var book = ForeignBook(number: 1)
    try book.run(Self.book)
    let text = try book.written(.todoTxt)
    let later = text.replacing("due:2026-12-01T00:00", with: "due:2026-12-03")
      .replacing(/zone:\S+\ /, with: "").replacing(" status:cancelled", with: "")
      .replacing(/\ parent:\S+/, with: " t:2026-12-01")
    #expect(try book.take(later, .todoTxt) == .init(edited: 3, same: 1))
    #expect(
      book.toldTodos == [
        "Passport": "on Home stuff due 2026-12-03 from 2026-11-28 remind 1w+2h+a, b% tags A+b",
        "Photo": "due 2026-12-02 from 2026-12-01 high", "Gone": "done", "Done": "done",
      ])
  }

  @Test func `todo.txt without ids: nothing that only daybook reads is written`() throws {
    var settings = ExportSettings.test
    settings.omitsIDs = true
    var book = ForeignBook(number: 1)
    try book.run(Self.book)
    try book.run(
      #"{"op":"add","kind":"todo","t":1795132800000,"id":"u","title":"uuid:7 t:2026-12-01","due":"2026-12-05","dueTime":61,"zone":"Europe/Berlin","remind":["1d"]}"#
    )
    let written = try FileFormat.todoTxt.write(book.contents(), settings)
    #expect(
      String(decoding: written.bytes, as: UTF8.self).split(separator: "\n") == [
        "2026-11-20 Passport +Home_stuff list:Home%20stuff @A @b due:2026-12-01T00:00 t:2026-11-28",
        "(A) 2026-11-20 Photo due:2026-12-02", "x 2026-11-26 2026-11-20 Gone status:cancelled",
        "x 2026-11-21 2026-11-20 Done",
        #"2026-11-20 \uuid:7 \t:2026-12-01 due:2026-12-05T01:01 zone:Europe/Berlin remind:1d"#,
      ])
    #expect(
      written.lost.map { "\($0.count) \($0.what)" } == [
        "1 to-do's reminders", "1 time zone", "1 parent of a sub-task",
      ])
    var other = ForeignBook(number: 2)
    other.take(try FileFormat.todoTxt.read(written.bytes))
    #expect(
      other.toldTodos == [
        "Passport": "on Home stuff due 2026-12-01 00:00 from 2026-11-28 tags A+b",
        "Photo": "due 2026-12-02 high", "Gone": "cancelled on 2026-11-26", "Done": "done",
        "uuid:7 t:2026-12-01": "due 2026-12-05 01:01 Europe/Berlin remind 1d",
      ])
  }

  @Test func `todo.txt: a base of seven fields is read, and the other fields count as absent`()
    throws
  {
    var book = ForeignBook(number: 1)
    try book.run(#"{"op":"add","kind":"todo","t":1795132800000,"id":"a","title":"Mop"}"#)
    let text = try book.written(.todoTxt)
    #expect(text.contains(/\ base:[0-9a-f]{6}------@/))
    #expect(
      try book.take(text.replacing(" uuid:", with: " t:2026-12-01 uuid:"), .todoTxt)
        == .init(edited: 1))
    #expect(book.toldTodos == ["Mop": "from 2026-12-01"])
    #expect(try book.written(.todoTxt).contains(/\ base:[0-9a-f]{6}------[0-9a-f]{6}@/))
  }
}
