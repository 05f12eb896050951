import Bytes
import Domain
import Interchange
import Testing

/// Times, starts, reminders, cancellations and sub-tasks, exchanged between to-dos and Taskwarrior.
struct TaskwarriorFieldTests {
  private static func uuid(_ number: Int) -> String {
    "00000000-0000-4000-8000-00000000000\(number)"
  }

  /// A task as `task export` writes it.
  private static func task(
    _ members: String, _ number: Int = 1, status: String = "pending"
  ) -> String {
    #"{"id":\#(number),"description":"Task \#(number)","entry":"20261101T080000Z",\#(members),"#
      + #""status":"\#(status)","uuid":"\#(uuid(number))","urgency":2}"#
  }

  /// Settings in Berlin: an hour ahead of UTC, two hours in summer.
  private static let offset: @Sendable (Int64) -> Int = { time in
    // From 2026-03-29T01:00Z to 2026-10-25T01:00Z.
    (1_774_746_000_000..<1_792_890_000_000).contains(time) ? 7200 : 3600
  }

  private static var settings: ForeignSettings {
    var settings = ForeignSettings()
    settings.localOffset = offset
    return settings
  }

  private static var export: ExportSettings {
    var settings = ExportSettings.test
    settings.localOffset = offset
    settings.zoneOffset = { name in
      guard name == "Asia/Tokyo" else { return nil }
      return { _ in 9 * 3600 }
    }
    return settings
  }

  private static func read(_ tasks: String...) throws -> (ForeignBook, [ForeignNote]) {
    var book = ForeignBook()
    let file = try FileFormat.taskwarrior.read(
      Array(("[\n" + tasks.joined(separator: ",\n") + "\n]\n").utf8), settings)
    book.take(file)
    return (book, file.remarks.map(\.note))
  }

  /// An exported task without the attributes that every task has.
  private static func written(_ book: ForeignBook, _ title: String) throws -> String {
    let tasks = try JSON(parsing: Array(try book.written(.taskwarrior, export).utf8)).array ?? []
    let task = tasks.first { $0["description"]?.string == title }
    let usual = ["id", "urgency", "description", "entry", "modified", "uuid"]
    return JSON.object(task?.members?.filter { !usual.contains($0.name) } ?? []).text()
  }

  @Test(arguments: [
    ("20261126T230000Z", "due 2026-11-27"), ("20261127T225959Z", "due 2026-11-27"),
    ("20261127T160000Z", "due 2026-11-27 17:00"), ("20260701T220000Z", "due 2026-07-02"),
    ("20260701T150000Z", "due 2026-07-01 17:00"), ("20261024T233000Z", "due 2026-10-25 01:30"),
    ("20261025T003000Z", "due 2026-10-25 02:30"),
  ])
  func
    `Taskwarrior times: a task is due on a local day, and at a time unless it is the first or last second`(
      due: String, told: String
    ) throws
  {
    let (book, notes) = try Self.read(Self.task(#""due":"\#(due)""#))
    #expect(book.toldTodos == ["Task 1": told])
    #expect(notes == [])
    #expect(try Self.written(book, "Task 1") == #"{"due":"\#(due)","status":"pending"}"#)
  }

  @Test
  func `Taskwarrior times: seconds are reported, and written back while the time is the same`()
    throws
  {
    var (book, notes) = try Self.read(Self.task(#""due":"20261127T160030Z""#))
    #expect(notes == [.changed(field: "due", "20261127T160030Z", to: "2026-11-27 17:00")])
    #expect(try Self.written(book, "Task 1") == #"{"due":"20261127T160030Z","status":"pending"}"#)
    let id = try #require(book.document("Task 1")).id.uuid
    try book.run(#"{"op":"edit","kind":"todo","id":"\#(id)","set":{"dueTime":1021}}"#)
    #expect(try Self.written(book, "Task 1") == #"{"due":"20261127T160100Z","status":"pending"}"#)
    try book.run(#"{"op":"edit","kind":"todo","id":"\#(id)","set":{"dueTime":null}}"#)
    #expect(try Self.written(book, "Task 1") == #"{"due":"20261126T230000Z","status":"pending"}"#)
  }

  @Test
  func `Taskwarrior starts: a waiting task is hidden until that day, and exported as waiting`()
    throws
  {
    var (book, notes) = try Self.read(
      Self.task(#""wait":"20261130T230000Z""#), Self.task(#""wait":"20261201T080000Z""#, 2),
      Self.task(#""wait":"20261201T080000Z""#, 3, status: "waiting"),
      Self.task(#""wait":"soon""#, 4))
    #expect(
      book.toldTodos == [
        "Task 1": "from 2026-12-01", "Task 2": "from 2026-12-01", "Task 3": "from 2026-12-01",
        "Task 4": "",
      ])
    #expect(
      notes == [
        .changed(field: "wait", "20261201T080000Z", to: "2026-12-01"),
        .changed(field: "wait", "20261201T080000Z", to: "2026-12-01"), .notActedOn("wait:soon"),
      ])
    let before = try (1...4).map { try Self.written(book, "Task \($0)") }
    #expect(
      before == [
        #"{"status":"pending","wait":"20261130T230000Z"}"#,
        #"{"status":"pending","wait":"20261201T080000Z"}"#,
        #"{"status":"waiting","wait":"20261201T080000Z"}"#, #"{"status":"pending","wait":"soon"}"#,
      ])
    for (title, start) in [("Task 2", #""2026-12-24""#), ("Task 3", "null")] {
      let id = try #require(book.document(title)).id.uuid
      try book.run(#"{"op":"edit","kind":"todo","id":"\#(id)","set":{"start":\#(start)}}"#)
    }
    #expect(
      try Self.written(book, "Task 2") == #"{"status":"pending","wait":"20261223T230000Z"}"#)
    #expect(try Self.written(book, "Task 3") == #"{"status":"pending"}"#)
  }

  @Test func `Taskwarrior: scheduled, until and depends are kept and written back`() throws {
    let members =
      #""depends":["\#(Self.uuid(9))"],"scheduled":"20261201T080000Z","until":"20271201T080000Z""#
    let (book, notes) = try Self.read(Self.task(members))
    #expect(book.toldTodos == ["Task 1": ""])
    #expect(
      notes == [
        .notActedOn("scheduled:20261201T080000Z"), .notActedOn("until:20271201T080000Z"),
        .notActedOn(#"depends:["\#(Self.uuid(9))"]"#),
      ])
    #expect(
      try Self.written(book, "Task 1")
        == #"{"depends":["\#(Self.uuid(9))"],"scheduled":"20261201T080000Z","status":"pending","until":"20271201T080000Z"}"#
    )
  }

  private static let book = """
    {"op":"add","kind":"list","id":"h","name":"Home stuff"}
    {"op":"add","kind":"todo","t":1795089600000,"id":"p","title":"Passport","list":"h","due":"2026-12-01","dueTime":60,"zone":"Asia/Tokyo","start":"2026-11-28","remind":["1w","2h","a, b%"],"tags":["b","A"]}
    {"op":"add","kind":"todo","t":1795089600000,"id":"c","title":"Photo","parent":"p","due":"2026-12-02","dueTime":0,"priority":2}
    {"op":"add","kind":"todo","t":1795089600000,"id":"z","title":"Moon","due":"2026-12-02","dueTime":90,"zone":"Moon/Sea of Rains"}
    {"op":"add","kind":"todo","t":1795089600000,"id":"x","title":"Gone","cancelled":true,"closedOn":"2026-11-26"}
    {"op":"add","kind":"todo","t":1795089600000,"id":"y","title":"Also gone","cancelled":true}
    {"op":"add","kind":"todo","t":1795089600000,"id":"d","title":"Done","done":true,"completedAt":1795176000000,"closedOn":"2026-11-20"}
    """

  @Test func `Taskwarrior export: another book reads every field of a to-do`() throws {
    let book = try ForeignBook(Self.book)
    let written = try FileFormat.taskwarrior.write(book.contents(), Self.export)
    #expect(written.lost.map(\.what) == [])
    let text = String(decoding: written.bytes, as: UTF8.self)
    var other = ForeignBook(number: 2)
    #expect(
      try other.take(
        text.replacing(#""uuid":"0"#, with: #""uuid":"1"#).replacing(
          #"parent":"0"#, with: #"parent":"1"#), .taskwarrior, Self.settings
      ).added == 6)
    #expect(
      book.toldTodos == [
        "Passport":
          "on Home stuff due 2026-12-01 01:00 Asia/Tokyo from 2026-11-28 remind 1w+2h+a, b% tags A+b",
        "Photo": "due 2026-12-02 00:00 high of Passport",
        "Moon": "due 2026-12-02 01:30 Moon/Sea of Rains", "Gone": "cancelled on 2026-11-26",
        "Also gone": "cancelled", "Done": "done on 2026-11-20",
      ])
    #expect(other.toldTodos == book.toldTodos)
    var same = book
    #expect(try same.take(text, .taskwarrior, Self.settings) == .init(same: 6))
    #expect(same.shown == book.shown)
  }

  @Test func `Taskwarrior export: data that only daybook reads is in separate attributes`() throws {
    let book = try ForeignBook(Self.book)
    let passport = try #require(book.document("Passport")).id.uuid
    #expect(
      try Self.written(book, "Passport")
        == #"{"daybookdue":"20261130T160000Z 2026-12-01 01:00 Asia/Tokyo","daybookremind":"1w,2h,a%2C%20b%25","due":"20261130T160000Z","project":"Home stuff","status":"pending","tags":["A","b"],"wait":"20261127T230000Z"}"#
    )
    #expect(
      try Self.written(book, "Photo")
        == #"{"daybookdue":"20261201T230000Z 2026-12-02 00:00","daybookparent":"\#(passport)","due":"20261201T230000Z","priority":"H","status":"pending"}"#
    )
    #expect(
      try Self.written(book, "Gone")
        == #"{"daybookclosed":"20261125T230000Z cancelled 2026-11-26","end":"20261125T230000Z","status":"deleted"}"#
    )
  }

  @Test func `Taskwarrior: a due time that Taskwarrior changed replaces the exact due time`() throws
  {
    var book = ForeignBook(number: 1)
    try book.run(Self.book)
    let text = try book.written(.taskwarrior, Self.export)
    let later = text.replacing(#""due":"20261130T160000Z""#, with: #""due":"20261203T160000Z""#)
    #expect(try book.take(later, .taskwarrior, Self.settings) == .init(edited: 1, same: 5))
    #expect(
      book.toldTodos["Passport"]
        == "on Home stuff due 2026-12-03 17:00 from 2026-11-28 remind 1w+2h+a, b% tags A+b")
  }

  @Test
  func
    `Taskwarrior: a cancelled task that was restored there is open, and one deleted there is deleted`()
    throws
  {
    var book = ForeignBook(number: 1)
    try book.run(Self.book)
    let text = try book.written(.taskwarrior, Self.export)
    let end = #""end":"20261125T230000Z""#
    var lines = text.split(separator: "\n").map(String.init)
    let place = try #require(lines.firstIndex { $0.contains(#""description":"Gone""#) })
    let line = lines[place]
    lines[place] = line.replacing(end, with: #""end":"20261201T100000Z""#)
    let deleted = try FileFormat.taskwarrior.read(
      Array(lines.joined(separator: "\n").utf8), Self.settings)
    #expect(deleted.passedOver == [.deletedTask: 1])
    lines[place] = line.replacing(end + ",", with: "").replacing("deleted", with: "pending")
    #expect(
      try book.take(lines.joined(separator: "\n"), .taskwarrior, Self.settings)
        == .init(edited: 1, same: 5))
    #expect(book.toldTodos["Gone"] == "")
  }
}
