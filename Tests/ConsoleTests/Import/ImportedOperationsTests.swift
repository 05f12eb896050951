import Bytes
import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// Operations on existing records: messages, and the effect on the past.
struct ImportedOperationsTests {
  private static let undo = " To undo this import, run 'daybook undo'.\n"

  /// Creates a book with a to-do whose note was n1 when it was exported.
  private func stage() throws -> Stage {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada"))
    _ = stage.run("add", "todo", "X", "--note", "n1")
    _ = stage.answer("export", "-o", "e.jsonl")
    return stage
  }

  @Test func `Imported operations: an add of an existing record counts as an edit`() throws {
    let stage = try stage()
    _ = stage.answer("edit", "X", "--note", "n2")
    #expect(
      stage.answer("import", "e.jsonl", "-n")
        == "Read as operations: 1 changed. Nothing was written.\n")
    let json = try JSON(parsing: Array(stage.answer("import", "e.jsonl", "-n", "--json").utf8))
    #expect([json["added"], json["edited"]] == [0, 1])
    #expect(stage.answer("import", "e.jsonl") == "Read 1 line: edited 1." + Self.undo)
    #expect(stage.answer("show", "X").contains("n1"))
  }

  @Test func `Imported operations: an add of a deleted record counts as a restore`() throws {
    let stage = try stage()
    _ = stage.answer("delete", "X")
    #expect(
      stage.answer("import", "e.jsonl", "-n")
        == "Read as operations: 1 to restore. Nothing was written.\n")
    #expect(stage.answer("import", "e.jsonl") == "Read 1 line: restored 1." + Self.undo)
    #expect(stage.answer("import", "e.jsonl", "--json").contains("\"known\": true"))
  }

  @Test func `Imported operations: the complete history changes nothing`() throws {
    let stage = try stage()
    _ = stage.answer("edit", "X", "--note", "n2")
    _ = stage.answer("add", "list", "Gone")
    _ = stage.answer("delete", "Gone")
    _ = stage.answer("export", "--events", "-o", "all.jsonl")
    let log = stage.answer("log")
    #expect(
      stage.answer("import", "all.jsonl", "-n")
        == "Read as operations: 4 same. Nothing was written.\n")
    #expect(stage.answer("import", "all.jsonl") == "Read 4 lines: 4 unchanged.\n")
    #expect(stage.answer("log") == log)
  }

  @Test func `Imported operations: the dates of added to-dos are not counted as changes`() throws {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada"))
    _ = stage.answer("add", "todo", "Gym", "--repeat", "daily")
    _ = stage.answer("add", "todo", "Warm up", "--under", "Gym")
    _ = stage.answer("done", "Warm up")
    _ = stage.answer("done", "Gym")
    _ = stage.answer("export", "-o", "e.jsonl")
    let other = Stage()
    try other.disk.makeDirectories(Path("/home/ada"))
    try other.put(try stage.text(of: "e.jsonl"), as: "e.jsonl")
    let plan = try JSON(parsing: Array(other.answer("import", "e.jsonl", "-n", "--json").utf8))
    #expect([plan["added"], plan["edited"]] == [2, 0])
    #expect(other.answer("import", "e.jsonl") == "Read 4 lines: added 2." + Self.undo)
  }

  /// Runs a command at nine in the morning on the given day of November 2026.
  private func run(_ stage: Stage, _ day: Int64, _ words: String...) -> String {
    stage.machine.timekeeper.set(
      Moment(milliseconds: 1_793_523_600_000 + (day - 1) * 86_400_000))
    let outcome = stage.run(words)
    #expect(outcome.code == .done, "\(outcome.error)")
    return outcome.output
  }

  @Test func `Imported operations: replacing a later change is dated at the import`() throws {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada"))
    _ = run(stage, 1, "add", "todo", "X", "--note", "n1")
    _ = run(stage, 1, "export", "-o", "e.jsonl")
    _ = run(stage, 3, "edit", "X", "--note", "fromA")
    _ = run(stage, 5, "import", "e.jsonl")
    #expect(run(stage, 5, "show", "X").contains("n1"))
    #expect(run(stage, 5, "at", "2026-11-04", "show", "X").contains("fromA"))
    let lines = run(stage, 5, "log").split(separator: "\n").filter { $0.contains("→") }
    #expect(lines.map { $0.contains("fromA → n1") } == [true, false])
    #expect(run(stage, 5, "log", "--since", "2026-11-04").contains("fromA → n1"))
    #expect(run(stage, 5, "diff", "2026-11-04").contains("fromA"))
  }

  @Test func `Imported operations: restoring a record is dated after its delete`() throws {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada"))
    _ = run(stage, 1, "add", "todo", "X", "--note", "n1")
    _ = run(stage, 1, "export", "-o", "e.jsonl")
    _ = run(stage, 3, "delete", "X")
    _ = run(stage, 5, "import", "e.jsonl")
    let log = run(stage, 5, "log")
    let restored = try #require(log.firstRange(of: "restored"))
    let deleted = try #require(log.firstRange(of: "deleted"))
    #expect(restored.lowerBound < deleted.lowerBound)
    #expect(!run(stage, 5, "at", "2026-11-04", "list", "todos").contains("X"))
  }

  @Test func `Imported operations: an edit at a past time gets that time`() throws {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada"))
    _ = run(stage, 1, "add", "todo", "X")
    let id = try #require(
      try JSON(parsing: Array(run(stage, 1, "export").utf8))["id"]?.string)
    _ = run(stage, 2, "done", "X")
    _ = run(stage, 3, "undone", "X")
    try stage.put(
      #"{"t":"2026-11-02T12:00:00Z","op":"edit","kind":"todo","id":"\#(id)","set":{"done":true}}"#,
      as: "done.jsonl")
    _ = run(stage, 5, "import", "done.jsonl")
    #expect(run(stage, 5, "export", "--format", "csv").contains("2026-11-02T12:00:00"))
    #expect(run(stage, 5, "at", "2026-11-04", "list", "todos", "--all").contains("X"))
  }
}
