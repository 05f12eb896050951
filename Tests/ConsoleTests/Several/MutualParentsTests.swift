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

  @Test func `Sub-tasks: of two that are under each other, only the parent that counts is shown`()
    throws
  {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("edit", "Sweep", "--under", "Mop")
    _ = stage.answer("-C", "phone", "edit", "Mop", "--under", "Sweep")
    stage.meet()
    let rows = stage.answer("list", "todos").split(separator: "\n").map(String.init)
    let below = try #require(rows.last).contains("Sweep") ? "Sweep" : "Mop"
    let above = below == "Sweep" ? "Mop" : "Sweep"
    let shown = try JSON(parsing: Array(stage.answer("show", above, "--json").utf8))
    #expect(try parent(of: below, stage) == shown["id"])
    #expect(try parent(of: above, stage) == .null)
    let lines = { (title: String) in
      stage.answer("show", title).split(separator: "\n")
        .map { $0.split(separator: " ").joined(separator: " ") }.filter { $0.hasPrefix("under ") }
    }
    #expect(
      lines(above) == ["under none: \(below) does not count, because it is itself below this"])
    #expect(lines(below) == ["under \(above)"])
  }

  @Test func `Sub-tasks: a to-do that is merged with its sub-task is not under itself`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Trip")
    _ = stage.answer("add", "todo", "Pack", "--under", "Trip")
    _ = stage.answer("merge", "Trip", "Pack")
    #expect(try parent(of: "Trip", stage) == .null)
    #expect(!stage.answer("show", "Trip").contains("under"))
  }
}
