import Domain
import Interchange
import Testing

/// Times, starts, reminders, cancellations and sub-tasks in tables.
struct CSVTodoFieldTests {
  private static let book = """
    {"op":"add","kind":"todo","id":"p","title":"Passport","due":"2026-12-01","dueTime":1020,"zone":"Europe/Berlin","start":"2026-12-01","remind":["1w","2h"]}
    {"op":"add","kind":"todo","id":"c","title":"Photo","parent":"p","due":"2026-12","start":"2026-11-30","remind":["none"]}
    {"op":"add","kind":"todo","id":"x","title":"Gone","cancelled":true,"closedOn":"2026-11-26"}
    """

  /// The to-dos of a book by title: due date, time and zone, start, reminders, state and parent.
  private static func told(_ book: ForeignBook) -> [String: String] {
    var told: [String: String] = [:]
    for document in book.records.documents(.todo) {
      guard let todo = Todo(document) else { continue }
      let parent = todo.parent.flatMap { book.records.document(of: $0) }
      let time = todo.dueTime.flatMap { TimeOfDay(minute: $0) }?.text
      let parts = [
        todo.due?.iso, time, todo.zone, todo.start.map { "from " + $0.iso },
        todo.remind.isEmpty ? nil : todo.remind.joined(separator: "+"),
        todo.isCancelled ? "cancelled" : todo.isDone ? "done" : nil,
        parent?.text(Field.Todo.title).map { "of " + $0 },
      ]
      told[todo.title] = parts.compactMap(\.self).joined(separator: " ")
    }
    return told
  }

  private static func told(_ sample: ProgramSample) throws -> [String: String] {
    var book = ForeignBook()
    try book.take(sample.text, .csv)
    return told(book)
  }

  @Test func `CSV export: times, starts, reminders, cancellations and parents come back`() throws {
    let book = try ForeignBook(Self.book)
    let written = try FileFormat.csv.write(book.contents(), .test)
    #expect(written.lost.map { "\($0.count) \($0.what)" } == ["1 day of cancelling"])
    let text = String(decoding: written.bytes, as: UTF8.self)
    #expect(text.contains(",2026-12-01,17:00,Europe/Berlin,2026-12-01,\"1w,2h\",,"))
    var other = ForeignBook()
    #expect(try other.take(text, .csv) == .init(added: 3))
    #expect(
      Self.told(other) == [
        "Passport": "2026-12-01 17:00 Europe/Berlin from 2026-12-01 1w+2h",
        "Photo": "2026-12 from 2026-11-30 none of Passport", "Gone": "cancelled",
      ])
    var same = book
    #expect(try same.take(text, .csv) == .init(same: 3))
    #expect(Self.told(same) == Self.told(book))
  }

  @Test func `CSV: a time needs a date, and a zone needs a time`() throws {
    var book = ForeignBook()
    let table = """
      Title,Due,Time,Time zone,Remind
      Mop,2026-12-01,5:30 PM,Europe/Berlin,"2h,1d"
      Dig,,17:00,Europe/Berlin,2h
      Rake,2026-12-01,,Europe/Berlin,soon
      Sow,2026-12-01 17:05,,,0
      """
    #expect(try book.take(table, .csv) == .init(added: 4))
    #expect(
      Self.told(book) == [
        "Mop": "2026-12-01 17:30 Europe/Berlin 2h+1d", "Dig": "", "Rake": "2026-12-01",
        "Sow": "2026-12-01 17:05 0",
      ])
    try book.take("Title,Due\nMop,\n", .csv)
    #expect(Self.told(book)["Mop"] == "2h+1d")
  }

  @Test func `CSV: sub-tasks name their parents by id or title, in any order`() throws {
    var book = ForeignBook()
    let table = "Id,Title,Due,Parent\n2,Photo,,1\n1,Passport,,\n3,Fee,,Passport\n4,Odd,,9\n"
    let file = try FileFormat.csv.read(Array(table.utf8))
    #expect(file.records.map(\.extra) == [[:], [:], [:], ["Parent": "9"]])
    #expect(book.take(file) == .init(added: 4))
    let all = ["Photo": "of Passport", "Passport": "", "Fee": "of Passport", "Odd": ""]
    #expect(Self.told(book) == all)
    #expect(book.take(file) == .init(same: 4))
    let written = try book.written(.csv)
    var other = ForeignBook()
    try other.take(written, .csv)
    #expect(Self.told(other) == all)
    #expect(try other.written(.csv) == written)
  }

  @Test func `Program samples: starts, states and parents of the programs are read`() throws {
    #expect(
      try Self.told(.todoist) == [
        "Call a@b.example": "", "Buy paint": "2026-12-01", "Sand the door": "of Buy paint",
        "Check hinges": "2026-12-09 of Buy paint",
      ])
    #expect(
      try Self.told(.tickTick) == [
        "Water plants": "2026-12-01", "Fix lamp": "2026-12-02 16:30 of Water plants",
        "Pay rent": "done", "Old order": "done", "Not needed": "cancelled",
      ])
    #expect(
      try Self.told(.asana) == [
        "Order tiles": "2026-12-04 from 2026-12-01", "Measure": "done of Order tiles",
        "Ask Bob": "2026-12-24",
      ])
    #expect(try Self.told(.trello)["Archived card"] == "cancelled")
    #expect(try Self.told(.notion)["Write report"] == "2026-12-05 from 2026-12-03")
    #expect(
      try Self.told(.things) == [
        "Plan trip": "2026-12-10 from 2026-11-20", "Pack": "done", "Fly": "cancelled",
      ])
    #expect(try Self.told(.clickUp)["Check page"] == "of Draft page")
    #expect(try Self.told(.outlook)["Call bank"] == "2026-12-24 from 2026-12-01")
    #expect(try Self.told(.reminders)["Bread"] == "2026-12-01 08:00")
  }
}
