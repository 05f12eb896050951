import Bytes
import Console
import Phrasing
import Platform
import Testing

/// To-dos that two devices have made sub-tasks of each other.
struct MutualParentsTests {
  private func parent(of title: String, _ stage: Stage) throws -> JSON {
    let shown = try JSON(parsing: Array(stage.answer("show", title, "--json").utf8))
    return try #require(shown["parent"])
  }

  /// Two to-dos that two devices have made sub-tasks of each other, and the title of the to-do that is shown below the
  /// other.
  private func mutual() throws -> (stage: Stage, above: String, below: String) {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("edit", "Sweep", "--under", "Mop")
    _ = stage.answer("-C", "phone", "edit", "Mop", "--under", "Sweep")
    stage.meet()
    let rows = stage.answer("list", "todos").split(separator: "\n").map(String.init)
    let below = try #require(rows.last).contains("Sweep") ? "Sweep" : "Mop"
    return (stage, below == "Sweep" ? "Mop" : "Sweep", below)
  }

  /// The value of the parent in `why` with `--json`, and the values that were written.
  private func origin(of title: String, _ stage: Stage) throws -> (value: JSON?, writes: [JSON?]) {
    let why = try JSON(parsing: Array(stage.answer("why", "\(title).under", "--json").utf8))
    return (why["value"], try #require(why["writes"]?.array).map { $0["value"] })
  }

  /// The parent in `blame`, without the command and the time.
  private func blamed(_ title: String, _ stage: Stage) throws -> String {
    try #require(try blamedSides(title, stage).first)
  }

  /// The sides of the parent in `blame`, without their commands and times.
  private func blamedSides(_ title: String, _ stage: Stage) throws -> [String] {
    let rows = stage.answer("blame", title).split(separator: "\n")
    let first = try #require(rows.firstIndex { $0.hasPrefix("  under ") })
    let others = rows[(first + 1)...].prefix { $0.hasPrefix("    or ") }
    return ([rows[first]] + others).map { row in
      row.split(separator: "  ").dropFirst().first?.split(separator: " ")
        .joined(separator: " ") ?? ""
    }
  }

  @Test func `Sub-tasks: why and blame say that a parent does not count`() throws {
    let (stage, above, below) = try mutual()
    let lines = stage.answer("why", "\(above).under").split(separator: "\n")
    #expect(lines[0].hasSuffix(" \(above): under is none."))
    #expect(
      lines[1] == "It was set to \(below), which is ignored because it is below this to-do.")
    #expect(stage.answer("why", "\(below).under").contains(": under is \(above).\n"))
    let ids = try [above, below].map {
      try JSON(parsing: Array(stage.answer("show", $0, "--json").utf8))["id"]
    }
    #expect(try origin(of: above, stage) == (.null, [ids[1]]))
    #expect(try origin(of: below, stage) == (ids[0], [ids[0]]))
    #expect(try blamed(above, stage) == "\(below) (ignored because it is below this to-do)")
    #expect(try blamed(below, stage) == above)
  }

  @Test func `Blame: of a parent in conflict, only the side that is shown first is ignored`() throws
  {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("add", "todo", "Dust")
    stage.meet()
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--under", "Dust")
    _ = stage.answer("-C", "phone", "edit", "Mop", "--under", "Sweep")
    _ = stage.answer("edit", "Sweep", "--under", "Mop")
    stage.meet()
    #expect(
      try blamedSides("Sweep", stage) == ["Mop (ignored because it is below this to-do)", "Dust"])
  }

  @Test func `Sub-tasks: of two that are under each other, only the parent that counts is shown`()
    throws
  {
    let (stage, above, below) = try mutual()
    let shown = try JSON(parsing: Array(stage.answer("show", above, "--json").utf8))
    #expect(try parent(of: below, stage) == shown["id"])
    #expect(try parent(of: above, stage) == .null)
    let lines = { (title: String) in
      stage.answer("show", title).split(separator: "\n")
        .map { $0.split(separator: " ").joined(separator: " ") }.filter { $0.hasPrefix("under ") }
    }
    #expect(
      lines(above) == ["under none: \(below) is ignored because it is below this to-do"])
    #expect(lines(below) == ["under \(above)"])
  }

  @Test func `Sub-tasks: a to-do that is merged with its sub-task is not under itself`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Trip")
    _ = stage.answer("add", "todo", "Pack", "--under", "Trip")
    _ = stage.answer("merge", "Trip", "Pack")
    #expect(try parent(of: "Trip", stage) == .null)
    #expect(!stage.answer("show", "Trip").contains("under"))
    let lines = stage.answer("why", "Trip.under").split(separator: "\n")
    #expect(lines[0].hasSuffix(" Trip: under is none."))
    #expect(
      lines[1] == "It was set to Trip, which is ignored because it is this to-do itself.")
    #expect(try blamed("Trip", stage) == "Trip (ignored because it is this to-do itself)")
  }
}
