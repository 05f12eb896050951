import Bytes
import Console
import Phrasing
import Testing

/// The state of repeating to-dos: it belongs to one date, and a finished to-do is not counted in addition to its dates.
///
/// Today is Thursday, 26 November 2026.
struct RepeatStateTests {
  private func stage() -> Stage {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "Pills", "--due", "today", "--repeat", "daily")
    return stage
  }

  /// The states and due dates of all to-dos.
  private func states(_ stage: Stage) throws -> [String] {
    try stage.todos("--all").map { todo in
      let state =
        todo["done"] == true ? "done" : todo["cancelled"] == true ? "cancelled" : "open"
      return "\(state) \(todo["due"]?.string ?? "never")"
    }
  }

  // MARK: Edits of the state

  @Test func `Edit: --done of a to-do that repeats closes its current date`() throws {
    let stage = stage()
    #expect(
      stage.told("edit", "pills", "--done", "yes")
        == "Done: todo ID Pills of Thu 2026-11-26, next Fri 2026-11-27.\n")
    #expect(try states(stage) == ["open 2026-11-27", "done 2026-11-26"])
    _ = stage.answer("edit", "pills", "--done", "no")
    #expect(try states(stage) == ["open 2026-11-26"])
  }

  @Test func `Edit: --cancelled ends a to-do that repeats, or skips one date`() throws {
    let stage = stage()
    _ = stage.answer("edit", "pills", "--cancelled", "yes", "--this")
    #expect(try states(stage) == ["open 2026-11-27", "cancelled 2026-11-26"])
    #expect(
      stage.told("edit", "pills", "--cancelled", "yes")
        == "Cancelled: todo ID Pills and its repeats.\n")
    #expect(try stage.todos().isEmpty)
    _ = stage.answer("edit", "pills", "--cancelled", "no")
    #expect(try states(stage) == ["open 2026-11-27", "cancelled 2026-11-26"])
  }

  @Test func `Edit: several to-dos are done, each in its own way, with other fields`() throws {
    let stage = stage()
    _ = stage.answer("add", "Milk")
    _ = stage.answer("edit", "--open", "--yes", "set", "--done", "yes", "--note", "at last")
    #expect(try states(stage) == ["open 2026-11-27", "done 2026-11-26", "done never"])
    #expect(try stage.todos("--all").allSatisfy { $0["note"] == "at last" })
    _ = stage.answer("undo")
    #expect(try states(stage).sorted() == ["open 2026-11-26", "open never"])
  }

  @Test func `Edit: --done of a closed date and of a sub-task changes only that date`() throws {
    let stage = stage()
    _ = stage.answer("add", "Water", "--under", "pills")
    _ = stage.answer("edit", "water", "--done", "yes")
    #expect(try stage.record("water")["done"] == true)
    _ = stage.answer("done", "pills")
    #expect(try stage.record("water")["done"] == false)
    let closed = try #require(
      stage.todos("--done").first { $0["title"] == "Pills" }?["id"]?.string)
    _ = stage.answer("edit", closed, "--done", "no")
    #expect(try stage.record("pills")["due"] == "2026-11-26")
  }

  @Test func `Edit: a plain to-do that is done is not cancelled`() throws {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "Milk")
    _ = stage.answer("edit", "milk", "--cancelled", "yes")
    #expect(try stage.record("milk")["closedOn"] == "2026-11-26")
    _ = stage.answer("edit", "milk", "--done", "yes")
    let milk = try stage.record("milk")
    #expect([milk["done"], milk["cancelled"]] == [true, false])
  }

  // MARK: Finished series

  @Test func `Finished: the dates of a to-do that repeats represent it in lists and counts`() throws
  {
    let stage = stage()
    _ = stage.answer("add", "list", "Home")
    _ = stage.answer("edit", "pills", "--list", "Home")
    _ = stage.answer("edit", "pills", "--repeat", "none")
    _ = stage.answer("done", "pills")
    #expect(try states(stage) == ["done 2026-11-26"])
    #expect(stage.run().output.contains("0 open, 1 done"), "\(stage.run().output)")
    #expect(stage.answer("list", "lists").hasSuffix("  0 of 1 open\n"))
    #expect(stage.answer("show", "pills").contains("none, because it has ended"))
    #expect(stage.answer("search", "pills").contains("Pills"))
    _ = stage.answer("undone", "pills")
    #expect(try states(stage) == ["open 2026-11-26"])
    #expect(stage.run("verify").code == .done)
  }

  @Test func `Finished: a to-do that was cancelled before any date was closed has a row`() throws {
    let stage = stage()
    _ = stage.answer("cancel", "pills")
    #expect(try states(stage) == ["cancelled 2026-11-26"])
    #expect(stage.answer("show", "pills").contains("none, because it has ended"))
  }

  // MARK: Sub-tasks of a cancelled series

  /// A repeating to-do with two sub-tasks, the first of which is done.
  private func trip() -> Stage {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "Trip", "--due", "2026-12-01", "--repeat", "weekly")
    _ = stage.answer("add", "Pack", "--under", "trip")
    _ = stage.answer("add", "Tent", "--under", "trip")
    _ = stage.answer("done", "pack")
    return stage
  }

  private func titles(_ stage: Stage) throws -> [String] {
    try stage.todos().compactMap { $0["title"]?.string }.sorted()
  }

  @Test func `Cancelled: the sub-tasks of a to-do that repeats are closed and reopened with it`()
    throws
  {
    let stage = trip()
    let trial = stage.answer("cancel", "trip", "-n")
    #expect(
      trial.hasSuffix("\nThis would cancel 1 to-do, its repeats and 1 sub-task.\n"), "\(trial)")
    #expect(
      stage.told("cancel", "trip") == """
        Cancelled: todo ID Trip and its repeats.
        Done: todo ID Pack.
        Cancelled 1 sub-task.

        """)
    #expect(try titles(stage) == [])
    _ = stage.answer("undo")
    #expect(try titles(stage) == ["Tent", "Trip"])
    _ = stage.answer("redo")
    _ = stage.answer("undone", "trip")
    #expect(try titles(stage) == ["Tent", "Trip"])
    // The first sub-task is done for this date only.
    _ = stage.answer("done", "trip")
    #expect(try titles(stage) == ["Pack", "Tent", "Trip"])
  }

  @Test func `Cancelled: the sub-tasks of an ended to-do can be closed one by one`() throws {
    let stage = trip()
    #expect(stage.told("cancel", "trip", "--only") == "Cancelled: todo ID Trip and its repeats.\n")
    #expect(try titles(stage) == ["Pack", "Tent"])
    #expect(stage.told("done", "pack") == "Done: todo ID Pack.\n")
    #expect(stage.told("cancel", "tent") == "Cancelled: todo ID Tent.\n")
    #expect(try titles(stage) == [])
    _ = stage.answer("undone", "tent")
    #expect(try titles(stage) == ["Tent"])
  }

  @Test func `List: a range of due dates without ends contains all to-dos that are due`() throws {
    let stage = trip()
    let listed = try stage.todos("--due", "..").compactMap { $0["title"]?.string }
    #expect(listed == ["Trip"])
  }

  // MARK: Counts of an import

  @Test func `Import: the dates of a to-do count as the to-do, and later ones as its change`()
    throws
  {
    let stage = stage()
    _ = stage.answer("done", "pills")
    _ = stage.answer("skip", "pills")
    _ = stage.answer("-C", "new", "add", "Milk")
    let steps: [(file: String, counts: [Int])] = [("one.jsonl", [1, 0]), ("two.jsonl", [0, 1])]
    for (file, counts) in steps {
      _ = stage.answer("export", "-o", file)
      let told = try JSON(
        parsing: Array(stage.answer("-C", "new", "import", file, "--json").utf8))
      #expect(["added", "edited"].map { Int(told[$0]?.integer ?? 0) } == counts, "\(told)")
      _ = stage.answer("done", "pills")
    }
  }
}
