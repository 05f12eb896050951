import Bytes
import Console
import Phrasing
import Platform
import Testing

struct EraseTests {
  @Test func `Erase: confirmation is required, and copies that it does not reach are reported`()
    throws
  {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Geheim")
    _ = stage.answer("add", "todo", "Eggos")
    let refused = stage.run("erase", "Geheim")
    #expect(refused.code == .refused)
    #expect(refused.error.contains("Add --yes to confirm."))
    #expect(stage.answer("list", "todos").contains("Geheim"))
    let done = stage.run("erase", "Geheim", "--yes")
    #expect(done.code == .done)
    #expect(done.output.contains("Erased 1 record: 1 event now has no content."))
    #expect(done.output.contains("bundles"))
    #expect(!stage.answer("list", "todos").contains("Geheim"))
    let log = stage.answer("log")
    #expect(log.contains("erased") && !log.contains("Geheim"))
    #expect(stage.run("restore", "Geheim").code == .refused)
    for _ in 0..<2 {
      let plain = stage.run("undo")
      #expect(plain.code == .refused)
      #expect(
        plain.error
          == "daybook: the next command to undo is an erasure, which cannot be undone. Nothing "
          + "was done.\nTo undo the command before it, run 'daybook undo --past-erasure'.\n")
      #expect(stage.answer("list", "todos").contains("Eggos"))
    }
    let undo = stage.run("undo", "--past-erasure")
    #expect(undo.error.contains("skipped erased content") && undo.output.contains("Eggos"))
  }

  @Test func `Erase: the question names everything that is erased`() throws {
    let stage = Stage()
    _ = stage.answer("add", "question", "Lunch?", "Noodles:3", "Soup")
    _ = stage.answer("pick", "lunch")
    #expect(
      stage.run("erase", "lunch").error.contains(
        "'Lunch?' with its 2 choices and 1 pick, including all earlier values")
    )
    for name in ["Ann Lee", "Ann Leigh"] { _ = stage.answer("add", "birthday", name) }
    let ids = stage.answer("list", "birthdays").split(separator: "\n").map {
      $0.prefix { $0 != " " }
    }
    _ = stage.answer("merge", String(ids[0]), String(ids[1]))
    #expect(
      stage.run("erase", String(ids[0])).error.contains(
        "' (2 joined records), including all earlier values"))
  }

  @Test func `Erase: a list reports the to-dos that stay`() throws {
    let stage = Stage()
    _ = stage.answer("add", "list", "Bare")
    for title in ["Mop", "Sweep"] { _ = stage.answer("add", "todo", title, "--list", "Home") }
    #expect(stage.run("erase", "Bare", "--yes").error == "")
    #expect(
      stage.run("erase", "Home", "--yes").error
        == "daybook: 2 to-dos of the list 'Home' stay and now belong to no list.\n")
    #expect(!stage.answer("list", "todos").contains("Home"))
  }

  @Test func `Erase: to-dos that were deleted with their list stay deleted on all devices`() throws
  {
    let stage = try Stage.pair()
    for title in ["Paint", "Sand"] { _ = stage.answer("add", "todo", title, "--list", "Home") }
    stage.meet()
    _ = stage.answer("delete", "Home")
    let refused = stage.run("erase", "Home")
    #expect(refused.code == .refused)
    #expect(
      refused.error.contains(
        "This cannot be undone. 2 to-dos that were deleted with the list stay deleted."),
      "\(refused.error)")
    let outcome = stage.run("erase", "Home", "--yes")
    #expect(outcome.output.contains("Erased 1 record: "), "\(outcome.output)")
    #expect(
      outcome.error
        == "daybook: 2 to-dos were deleted with an erased list and stay deleted. "
        + "'daybook list deleted' shows them; 'daybook restore ID' brings one back.\n")
    stage.meet()
    for place in [[], ["-C", "phone"]] {
      let todos = stage.run(place + ["list", "todos", "--all"]).output
      #expect(todos.contains("Sweep") && !todos.contains("Paint") && !todos.contains("Sand"))
      let deleted = stage.run(place + ["list", "deleted"]).output
      #expect(deleted.contains("Paint") && deleted.contains("Sand"))
    }
    _ = stage.answer("restore", "Paint")
    #expect(stage.answer("list", "todos").contains("Paint"))
  }

  @Test func `Erase: a to-do that is erased with its deleted list is not deleted first`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Paint", "--list", "Home")
    let added = try JSON(parsing: Array(stage.answer("list", "todos", "--json").utf8))
    let id = try #require(added.array?.first?["id"]?.string)
    _ = stage.answer("delete", "Home")
    let outcome = stage.run("erase", "Home", id, "--yes")
    #expect(outcome.code == .done && outcome.error == "", "\(outcome.error)")
    #expect(outcome.output.hasPrefix("Erased 2 records: "), "\(outcome.output)")
    #expect(stage.answer("list", "deleted") == "Nothing is deleted.\n")
  }

  /// Creates two devices: this device has a copy of damaged bytes from the other's log, and the other has erased Mop.
  private func copied() throws -> (stage: Stage, copy: Path) {
    let stage = try Stage.pairOfTodos()
    let log = try #require(try stage.devices().first { $0["isThis"] == false }?["replica"]?.string)
    let copy = Path("/home/ada/.local/share/daybook/default/quarantine/\(log).1.2.x")
    try stage.disk.makeDirectories(copy.parent)
    try stage.disk.replace(copy, with: [1])
    _ = stage.answer("-C", "phone", "erase", "Mop", "--yes")
    _ = stage.answer("-C", "phone", "sync", "stick")
    return (stage, copy)
  }

  @Test func `Erase: a sync with another device's erasure reports removed damaged copies`() throws {
    let (stage, copy) = try copied()
    let outcome = stage.run("sync", "stick")
    #expect(outcome.code == .done)
    #expect(
      outcome.output.contains("\nRemoved files that may still hold erased records: \(copy).\n"),
      "\(outcome.output)")
    #expect(try stage.disk.status(copy) == nil)
    #expect(!stage.answer("sync", "stick").contains("Removed"))
  }

  @Test func `Erase: with --json a sync lists the removed damaged copies`() throws {
    let (stage, copy) = try copied()
    let removed = try (1...2).map { _ in
      try JSON(parsing: Array(stage.answer("sync", "stick", "--json").utf8))["removed"]
    }
    #expect(removed == [.array([.string(copy.string)]), .array([])])
  }

  @Test func `Erase: an undo of several commands stops at an erasure`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Eggos")
    _ = stage.answer("add", "todo", "Geheim")
    _ = stage.answer("erase", "Geheim", "--yes")
    _ = stage.answer("add", "todo", "Milk")
    let undo = stage.run("undo", "3")
    #expect(undo.output.contains("Milk") && !undo.output.contains("Eggos"))
    #expect(undo.error.contains("stopped at an erasure"))
    #expect(stage.answer("list", "todos").contains("Eggos"))
    #expect(stage.run("undo").code == .refused)
    #expect(stage.answer("undo", "eggos").contains("Eggos"))
  }

  @Test func `Erase: an erased record is distinguished from an unknown one`() throws {
    let stage = Stage()
    let added = try JSON(parsing: Array(stage.answer("add", "todo", "Geheim", "--json").utf8))
    let id = try #require(added.array?.first?["record"]?["id"]?.string)
    let erased = try JSON(parsing: Array(stage.answer("erase", id, "--yes", "--json").utf8))
    #expect(erased["records"]?.integer == 1 && erased["events"]?.integer == 1)
    #expect(stage.run("edit", id, "--title", "x").error.contains("was permanently erased"))
    #expect(stage.run("erase", id, "--yes").code == .done)
  }

  @Test func `Erase: a to-do that repeats is erased with its stored dates`() throws {
    let stage = Stage.onThursday()
    stage.addBins()
    _ = stage.answer("edit", "bins", "--this", "--note", "Geheim")
    _ = stage.answer("done", "bins")
    let told = stage.answer("erase", "bins", "--yes")
    #expect(told.hasPrefix("Erased 2 records: 3 events now have no content.\n"), "\(told)")
    #expect(try stage.todos("--all") == [])
  }
}
