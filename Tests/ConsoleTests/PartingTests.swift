import Bytes
import Console
import Phrasing
import Platform
import Testing

/// Undoing a merge restores both records.
struct PartingTests {
  /// Returns the listed records of a kind, without ids.
  private func shown(_ stage: Stage, _ kind: String) -> [String] {
    stage.answer("list", kind).split(separator: "\n").map { line in
      line.split(separator: " ").dropFirst().joined(separator: " ")
    }.sorted()
  }

  private func ids(_ stage: Stage, _ kind: String) -> [String] {
    stage.answer("list", kind).split(separator: "\n").map { String($0.prefix { $0 != " " }) }
  }

  /// Two records of a kind, and the commands run while they were merged.
  static let cases: [(kind: String, adds: [[String]], meanwhile: [[String]])] = [
    (
      "birthdays", [["Ann", "1990-01-01"], ["Ann", "1991-02-02"]],
      [["edit", "Ann", "--birthdate", "1992-03-03"]]
    ),
    (
      "birthdays", [["Ann Lee", "1990-01-01"], ["Bob Ray", "1990-01-01"]],
      [["resolve", "1990", "first-name", "--take", "Ann"], ["edit", "Ann", "--note", "x"]]
    ),
    ("lists", [["LA"], ["LB"]], [["resolve", "LB", "name", "--take", "LA"]]),
    (
      "lists", [["LA"], ["LB"]],
      [["edit", "LB", "--note", "n"], ["edit", "LB", "--name", "LC"]]
    ),
    ("todos", [["one"], ["two"]], [["done", "two"], ["edit", "two", "--due", "2026-12-01"]]),
  ]

  @Test(arguments: cases.indices)
  func `Undo: undoing a merge restores each record`(
    place: Int
  ) throws {
    let (kind, adds, meanwhile) = Self.cases[place]
    let stage = Stage()
    for words in adds {
      _ = stage.run(["add", String(kind.dropLast())] + words)
    }
    let before = shown(stage, kind)
    let ids = ids(stage, kind)
    let merged = stage.run(["merge", "--keep-both"] + ids)
    #expect(merged.code == .done, "\(merged)")
    for words in meanwhile {
      // Titles would be ambiguous here, so the commands use an id.
      let words = words.map { $0 == "1990" ? ids[0] : $0 }
      let told = stage.run(words)
      #expect(told.code == .done, "\(told)")
    }
    let joined = shown(stage, kind)
    for _ in 0...meanwhile.count { #expect(stage.run("undo").code == .done) }
    #expect(shown(stage, kind) == before)
    #expect(stage.answer("conflicts") == "No conflicts.\n")
    for _ in 0...meanwhile.count { #expect(stage.run("redo").code == .done) }
    #expect(shown(stage, kind) == joined)
  }
}

/// Output about merging and separating.
extension PartingTests {
  private func merged() throws -> Stage {
    let stage = Stage()
    for name in ["LA", "LB"] { stage.run("add", "list", name, "--colour", "teal") }
    _ = stage.run(["merge", "--keep-both"] + ids(stage, "lists"))
    return stage
  }

  private func verbs(_ json: String) throws -> [String?] {
    try JSON(parsing: Array(json.utf8)).array?.map { $0["verb"]?.string } ?? []
  }

  @Test func `Merge: the log shows it without fields and JSON names the action`() throws {
    let stage = try merged()
    let line = stage.answer("log", "--limit", "1")
    #expect(line.contains("joined  list"))
    #expect(!line.contains("→"))
    #expect(try verbs(stage.answer("log", "--json", "--limit", "1")) == ["join"])
    #expect(try verbs(stage.answer("undo", "--json")) == ["part"])
    #expect(try verbs(stage.answer("log", "--json", "--limit", "1")) == ["part"])
    #expect(try verbs(stage.answer("redo", "--json")) == ["join"])
  }

  @Test func `Undo: all commands of a device are undone once, and then none is left`() throws {
    let stage = Stage()
    stage.run("add", "list", "LA")
    let words = ["undo", "--by", "laptop", "--since", "2026-01-01", "--yes"]
    #expect(stage.run(words).output.hasPrefix("Undone: deleted list "))
    let log = stage.answer("log", "--json")
    #expect(
      stage.run(words)
        == .init(
          code: .refused, output: "",
          error: "daybook: nothing is left to undo, because everything that laptop has written "
            + "since then has been undone or no longer has any effect.\n"
        ))
    #expect(stage.answer("log", "--json") == log)
  }

  @Test func `Undo: in a new log, a message explains where the earlier commands are`() {
    let stage = Stage()
    stage.run("add", "todo", "Mop")
    #expect(stage.run("device", "rekey", "--yes").code == .done)
    let outcome = stage.run("undo", "--past-devices")
    #expect(
      outcome
        == .init(
          code: .refused, output: "",
          error: """
            daybook: this device has begun a new log, and there is nothing to undo in it. \
            'daybook devices' lists the earlier logs, and 'daybook undo --by NAME --since TIME' undoes the \
            commands in one of them.

            """))
  }
}
