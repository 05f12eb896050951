import Bytes
import Console
import Phrasing
import Testing

/// Sub-tasks that return with their to-do: the sub-tasks that the same command deleted or closed.
struct SubtaskReturnTests {
  private func stage() -> Stage {
    let stage = Stage()
    for words in [["Pack"], ["Socks", "--under", "pack"], ["Shoes", "--under", "socks"]] {
      #expect(stage.run(["add"] + words).code == .done)
    }
    return stage
  }

  private func titles(_ stage: Stage, _ words: String...) throws -> [String] {
    let answer = stage.run(["list", "todos", "--json"] + words)
    return try #require(try JSON(parsing: Array(answer.output.utf8)).array)
      .compactMap { $0["title"]?.string }.sorted()
  }

  @Test func `Restore: sub-tasks that were deleted with their to-do return with it`() throws {
    let stage = stage()
    _ = stage.answer("add", "Hat", "--under", "pack")
    _ = stage.answer("delete", "hat")
    _ = stage.answer("delete", "pack")
    #expect(stage.told("restore", "pack") == "Restored todo ID Pack and 2 sub-tasks.\n")
    #expect(try titles(stage) == ["Pack", "Shoes", "Socks"])
    _ = stage.answer("undo")
    #expect(try titles(stage) == [])
    #expect(stage.told("restore", "pack", "--only") == "Restored todo ID Pack.\n")
    #expect(try titles(stage) == ["Pack"])
  }

  @Test func `Restore: a sub-task that was deleted separately stays deleted`() throws {
    let stage = stage()
    _ = stage.answer("delete", "shoes")
    _ = stage.answer("delete", "pack", "--only")
    #expect(stage.told("restore", "pack") == "Restored todo ID Pack.\n")
    #expect(try titles(stage) == ["Pack", "Socks"])
  }

  @Test func `Resolve: a to-do that is kept returns with the sub-tasks deleted with it`() throws {
    let stage = try Stage.pair()
    for words in [["Brush"], ["Dustpan"]] {
      #expect(stage.run(["add"] + words + ["--under", "sweep"]).code == .done)
    }
    _ = stage.answer("delete", "brush")
    stage.meet()
    _ = stage.answer("delete", "sweep")
    _ = stage.answer("-C", "phone", "edit", "sweep", "--due", "2026-12-09")
    stage.meet()
    #expect(
      stage.told("resolve", "sweep", "--take", "keep")
        == "Kept todo ID Sweep, although laptop deleted it.\n"
        + "Restored 1 sub-task that had been deleted with the record.\n")
    stage.meet()
    #expect(try titles(stage) == ["Dustpan", "Sweep"])
    #expect(stage.answer("-C", "phone", "conflicts") == "No conflicts.\n")
  }

  @Test(arguments: ["done", "cancel"])
  func `Undone: sub-tasks that were closed with their to-do are opened with it`(
    command: String
  ) throws {
    let stage = stage()
    _ = stage.answer("done", "shoes")
    _ = stage.answer(command, "pack")
    #expect(stage.told("undone", "pack") == "Open again: todo ID Pack and 1 sub-task.\n")
    #expect(try titles(stage) == ["Pack", "Socks"])
    _ = stage.answer(command, "pack")
    #expect(stage.told("undone", "pack", "--only") == "Open again: todo ID Pack.\n")
    #expect(try titles(stage) == ["Pack"])
  }

  @Test func `Undone: a sub-task that repeats and was closed with its to-do is open again`() throws
  {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "Trip")
    _ = stage.answer("add", "Water", "--under", "trip", "--repeat", "daily")
    _ = stage.answer("done", "trip")
    #expect(stage.told("undone", "trip") == "Open again: todo ID Trip and 1 sub-task.\n")
    #expect(try stage.record("water")["due"] == "2026-11-26")
  }

  @Test func `Undo: the receipt of an undone restore says that the record is deleted`() {
    let stage = Stage()
    for words in [["add", "Buy"], ["delete", "buy"], ["restore", "buy"]] {
      #expect(stage.run(words).code == .done)
    }
    #expect(
      stage.told("undo", "2")
        == "Undone: deleted todo ID Buy.\nUndone: restored todo ID Buy.\n")
  }
}
