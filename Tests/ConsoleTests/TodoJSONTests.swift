import Bytes
import Phrasing
import Testing

/// Every command that prints a to-do as JSON prints its times, start, state, reminders, parent and list.
struct TodoJSONTests {
  private static func stage() -> Stage {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Passport", "--list", "Home")
    _ = stage.answer(
      "add", "todo", "Photo", "--list", "Home", "--under", "Passport", "--due", "2026-12-01 17:00",
      "--due-zone", "Europe/Berlin", "--start", "2026-11-25", "--remind", "1d,2h")
    _ = stage.answer("add", "todo", "Gone")
    _ = stage.answer("cancel", "gone")
    return stage
  }

  /// Finds the record with the given title anywhere in an answer.
  private static func record(titled title: String, in json: JSON) -> JSON? {
    if json["title"]?.string == title, json["conflicts"] != nil { return json }
    let parts = json.array ?? json.members?.map(\.value) ?? []
    return parts.lazy.compactMap { record(titled: title, in: $0) }.first
  }

  private static func fields(_ title: String, _ answer: String) throws -> String {
    let json = try JSON(parsing: Array(answer.utf8))
    let found = try #require(Self.record(titled: title, in: json), "\(answer)")
    let names = [
      "listName", "due", "dueTime", "zone", "dueAt", "start", "closedOn", "cancelled", "remind",
      "hidden",
    ]
    return JSON.object(names.map { JSON.Member($0, found[$0] ?? "missing") }).text()
  }

  @Test(arguments: [
    ["list", "todos", "--all"], ["list", "todos", "--hidden"], ["show", "photo"],
    ["search", "photo"], ["diff", "2026-01-01"], ["edit", "photo", "--note", "n"],
    ["at", "2026-12-01", "list", "todos"], ["at", "2026-12-02"],
  ])
  func `To-dos as JSON: each command prints all fields, and those that follow from them`(
    words: [String]
  ) throws {
    let stage = Self.stage()
    let isHidden = words[0] != "at"
    #expect(
      try Self.fields("Photo", stage.run(words + ["--json"]).output)
        == #"{"listName":"Home","due":"2026-12-01","dueTime":"17:00","zone":"Europe/Berlin","#
        + #""dueAt":"2026-12-01T16:00:00Z","start":"2026-11-25","closedOn":null,"#
        + #""cancelled":false,"remind":["1d","2h"],"hidden":\#(isHidden)}"#)
  }

  @Test func `To-dos as JSON: a cancelled to-do on no list has its day of closing`() throws {
    let stage = Self.stage()
    #expect(
      try Self.fields("Gone", stage.answer("list", "todos", "--done", "--json"))
        == #"{"listName":null,"due":null,"dueTime":null,"zone":null,"dueAt":null,"start":null,"#
        + #""closedOn":"2026-11-20","cancelled":true,"remind":null,"hidden":false}"#)
    let photo = try JSON(parsing: Array(stage.answer("show", "photo", "--json").utf8))
    let passport = try JSON(parsing: Array(stage.answer("show", "passport", "--json").utf8))
    #expect(photo["parent"] == passport["id"] && photo["parent"] != nil)
  }

  @Test func `Operations: an export has every stored field of a to-do, and an import restores it`()
    throws
  {
    let stage = Self.stage()
    let lines = stage.answer("export", "--kind", "todos").split(separator: "\n")
    let all = try lines.map { try JSON(parsing: Array($0.utf8)) }
    let passport = try #require(all.first { $0["title"]?.string == "Passport" }?["id"]?.string)
    let photo = try #require(all.first { $0["title"]?.string == "Photo" })
    let names = ["due", "dueTime", "zone", "start", "remind", "parent"]
    #expect(
      JSON.object(names.map { JSON.Member($0, photo[$0] ?? "missing") }).text()
        == #"{"due":"2026-12-01","dueTime":1020,"zone":"Europe/Berlin","start":"2026-11-25","#
        + #""remind":["1d","2h"],"parent":"\#(passport)"}"#)
    let gone = try #require(all.first { $0["title"]?.string == "Gone" })
    #expect(gone["cancelled"] == true && gone["closedOn"] == "2026-11-20")
    _ = stage.answer("export", "-o", "book.jsonl")
    _ = stage.answer("-C", "other", "import", "book.jsonl")
    for title in ["Photo", "Gone"] {
      #expect(
        try Self.fields(title, stage.answer("-C", "other", "list", "todos", "--all", "--json"))
          == Self.fields(title, stage.answer("list", "todos", "--all", "--json")))
    }
  }
}
