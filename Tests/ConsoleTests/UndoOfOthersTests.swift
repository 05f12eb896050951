import Bytes
import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// Undo of other devices' commands, and of commands whose records other devices have since edited.
struct UndoOfOthersTests {
  /// Creates two synced devices of one book with the to-dos Sweep and Mop.
  private func pair() throws -> Stage {
    let stage = try Stage.pair()
    _ = stage.answer("-C", "phone", "add", "todo", "Mop")
    stage.meet()
    return stage
  }

  private func titles(_ stage: Stage, _ words: String...) throws -> Set<String?> {
    let answer = stage.run(words + ["list", "todos", "--json"])
    let list = try JSON(parsing: Array(answer.output.utf8))
    return Set(try #require(list.array).map { $0["title"]?.string })
  }

  @Test func `Undo of others: a later edit by another device requires --force`() throws {
    let stage = try pair()
    _ = stage.answer("edit", "Sweep", "--title", "Wipe")
    stage.meet()
    _ = stage.answer("-C", "phone", "edit", "Wipe", "--title", "Dust")
    stage.meet()
    let refused = stage.run("undo")
    #expect(refused.code == .refused)
    #expect(refused.error.contains("laptop 2 has set the title of todo "))
    #expect(refused.error.contains(" to 'Dust' on 2026-11-20 "))
    #expect(refused.error.hasSuffix("--force continues anyway.\n"))
    #expect(try titles(stage) == ["Dust", "Mop"])
    let forced = stage.answer("undo", "--force")
    #expect(forced.hasPrefix("Undone: edited todo "))
    #expect(try titles(stage) == ["Sweep", "Mop"])
    _ = stage.answer("redo")
    #expect(try titles(stage) == ["Dust", "Mop"])
    stage.meet()
    #expect(try titles(stage, "-C", "phone") == ["Dust", "Mop"])
  }

  @Test func `Undo of others: undoing an add edited by another device requires --force`() throws {
    let stage = try pair()
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--priority", "high")
    stage.meet()
    let refused = stage.run("undo", "--past-devices")
    #expect(refused.code == .refused)
    #expect(refused.error.contains("the priority of todo "))
    _ = stage.answer("undo", "--force", "--past-devices")
    #expect(try titles(stage) == ["Mop"])
  }

  @Test func `Undo of others: erasures by the device are counted, because they stay`() throws {
    let stage = try pair()
    _ = stage.answer("-C", "phone", "add", "todo", "Secret")
    stage.meet()
    _ = stage.answer("-C", "phone", "edit", "Mop", "--note", "theirs")
    _ = stage.answer("-C", "phone", "erase", "Secret", "--yes")
    stage.meet()
    let scope = ["undo", "--by", "laptop 2", "--since", "2026-11-20"]
    let sentence =
      "1 record that the device has erased since then stays erased, because an erasure cannot be undone."
    #expect(stage.run(scope).error.contains(" \(sentence) Add --yes to confirm."))
    let undone = stage.run(scope + ["--yes", "--force"])
    #expect(undone.code == .done)
    #expect(undone.error.hasPrefix("daybook: \(sentence)\n"))
  }

  @Test func `Undo of others: if a device has only erased records, the refusal says so`() throws {
    let stage = try pair()
    stage.machine.timekeeper.advance(milliseconds: 24 * 60 * 60 * 1000)
    _ = stage.answer("-C", "phone", "erase", "Mop", "--yes")
    stage.meet()
    let refused = stage.run("undo", "--by", "laptop 2", "--since", "2026-11-21", "--yes")
    #expect(refused.code == .refused)
    #expect(
      refused.error.hasSuffix(
        "daybook: since then, laptop 2 has only erased 1 record, and an erasure cannot be undone.\n"
      ))
  }

  @Test func `Undo of others: an edited record is kept, and the rest of its command undone`() throws
  {
    let stage = try pair()
    try stage.put("Cook\nBake\n", as: "todo.txt")
    _ = stage.answer("import", "todo.txt")
    stage.meet()
    _ = stage.answer("-C", "phone", "edit", "Cook", "--priority", "high")
    stage.meet()
    // After undo and redo, the edit still counts.
    for _ in 1...2 {
      let undone = stage.run("undo")
      #expect(undone.code == .done)
      #expect(
        undone.error
          == "daybook: not deleted: todo 'Cook' has been used since: edits by laptop 2. "
          + "With --force, the undo deletes it anyway.\n")
      #expect(try titles(stage) == ["Sweep", "Mop", "Cook"])
      _ = stage.answer("redo")
      #expect(try titles(stage) == ["Sweep", "Mop", "Cook", "Bake"])
    }
    stage.meet()
    #expect(try titles(stage, "-C", "phone") == ["Sweep", "Mop", "Cook", "Bake"])
  }

  @Test(arguments: [
    (
      ["todo", "Trip"], ["add", "todo", "Pack", "--under", "Trip"],
      "todo 'Trip' has been used since: todo 'Pack' of laptop 2"
    ),
    (
      ["todo", "Bins", "--repeat", "weekly"], ["done", "Bins"],
      "todo 'Bins' has been used since: todo 'Bins' of laptop 2"
    ),
    (
      ["list", "Trip"], ["add", "todo", "Pack", "--list", "Trip"],
      "list 'Trip' has been used since: todo 'Pack' of laptop 2"
    ),
  ])
  func `Undo of others: a record stays while another device's record names it, unless forced`(
    added: [String], used: [String], words: String
  ) throws {
    let stage = try pair()
    #expect(stage.run(["add"] + added).code == .done)
    stage.meet()
    #expect(stage.run(["-C", "phone"] + used).code == .done)
    stage.meet()
    let before = stage.answer("log")
    let refused = stage.run("undo")
    #expect(refused.code == .refused)
    #expect(
      refused.error
        == "daybook: \(words). Nothing was undone; --force deletes it anyway.\n")
    #expect(stage.answer("log") == before)
    let forced = stage.answer("undo", "--force")
    #expect(forced.hasPrefix("Undone: deleted \(added[0]) "))
    #expect(forced.hasSuffix("Deleted anyway: \(words).\n"))
  }

  @Test func `Redo: the advice to undo an undo is given only where that helps`() throws {
    let stage = try pair()
    _ = stage.answer("-C", "phone", "add", "todo", "Late")
    stage.meet()
    let nothing = "daybook: there is nothing to redo. "
    let advice = "The last command is an undo that counts as a new command. To reverse it, run "
    #expect(stage.run("redo").error.hasPrefix(nothing + "An 'undo --since' "))
    let latest = {
      stage.answer("log", "--limit", "1").split(separator: "  ").dropFirst().first.map(String.init)
    }
    _ = stage.answer("undo", "--command", try #require(latest()))
    #expect(try titles(stage) == ["Sweep", "Mop"])
    #expect(stage.run("redo").error == nothing + advice + "'daybook undo'.\n")
    _ = stage.answer("undo")
    #expect(try titles(stage) == ["Sweep", "Mop", "Late"])
    // A command of this device that has been undone by its name can be redone.
    _ = stage.answer("add", "todo", "Bake")
    _ = stage.answer("undo", "--command", try #require(latest()))
    #expect(try titles(stage) == ["Sweep", "Mop", "Late"])
    _ = stage.answer("redo")
    #expect(try titles(stage) == ["Sweep", "Mop", "Late", "Bake"])
    #expect(stage.run("redo").error.hasPrefix(nothing + "An 'undo --since' "))
  }

  @Test func `Undo of others: a record added by the same command is not a later use`() throws {
    let stage = try pair()
    _ = stage.answer("add", "todo", "Cook", "--list", "House")
    stage.meet()
    _ = stage.answer("-C", "phone", "edit", "Cook", "--priority", "high")
    stage.meet()
    let cook = "Deleted anyway: todo 'Cook' has been used since: edits by laptop 2.\n"
    #expect(
      stage.answer("undo", "--force").hasSuffix(
        "Deleted anyway: list 'House' contains todo 'Cook', which has been used since.\n" + cook))
    _ = stage.answer("redo")
    stage.meet()
    _ = stage.answer("-C", "phone", "add", "todo", "Fry", "--list", "House")
    stage.meet()
    #expect(
      stage.answer("undo", "--force").hasSuffix(
        "Deleted anyway: list 'House' has been used since: todo 'Fry' of laptop 2.\n" + cook))
  }

  @Test func `Undo of others: the forecast counts a repeating to-do and its dates once`() throws {
    let stage = try pair()
    for words in [
      ["add", "todo", "Bins", "--repeat", "weekly"], ["done", "Bins"], ["done", "Bins"],
    ] {
      #expect(stage.run(["-C", "phone"] + words).code == .done)
    }
    stage.meet()
    let since = ["undo", "--by", "laptop 2", "--since", "2026-01-01"]
    let all = stage.run(since)
    #expect(
      all.error.hasSuffix(" It would delete 2 records. Add --yes to confirm.\n"), "\(all)")
    #expect(try titles(stage) == ["Mop", "Bins", "Sweep"])
    _ = stage.run(since + ["--yes"])
    #expect(try titles(stage) == ["Sweep"])
  }

  @Test func `Undo of others: the forecast counts undone dates as an edit of their to-do`() throws {
    let stage = try pair()
    _ = stage.answer("add", "todo", "Bins", "--repeat", "weekly")
    stage.meet()
    for _ in 1...2 { _ = stage.answer("-C", "phone", "done", "Bins") }
    stage.meet()
    let asked = stage.run("undo", "--by", "laptop 2", "--since", "2026-01-01")
    #expect(
      asked.error.hasSuffix(" It would delete 1 record, edit 1 record. Add --yes to confirm.\n"),
      "\(asked)")
  }

  @Test func `Undo of others: all commands of a device since a time are one step`() throws {
    let stage = try pair()
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--title", "Spoilt")
    _ = stage.answer("-C", "phone", "edit", "Spoilt", "--title", "Ruined")
    _ = stage.answer("-C", "phone", "add", "todo", "Late")
    stage.meet()
    let asked = stage.run("undo", "--by", "laptop 2", "--since", "2026-01-01")
    #expect(asked.code == .refused)
    #expect(asked.error.hasPrefix("daybook: Undo 4 commands of laptop 2 from "))
    #expect(asked.error.contains("It would delete 2 records, edit 1 record."))
    #expect(try titles(stage) == ["Ruined", "Mop", "Late"])
    _ = stage.answer("undo", "--by", "laptop 2", "--since", "2026-01-01", "--yes")
    #expect(try titles(stage) == ["Sweep"])
    _ = stage.answer("undo")
    #expect(try titles(stage) == ["Ruined", "Mop", "Late"])
    _ = stage.answer("redo")
    #expect(try titles(stage) == ["Sweep"])
    stage.meet()
    #expect(try titles(stage, "-C", "phone") == ["Sweep"])
    let later = stage.run("undo", "--by", "laptop 2", "--since", "2030-01-01", "--yes")
    #expect(later.code == .refused)
    #expect(later.error == "daybook: laptop 2 has written nothing since then.\n")
  }

  @Test func `Undo of others: an earlier start includes commands that are already undone`() throws {
    let stage = try pair()
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--title", "Spoilt")
    _ = stage.answer("-C", "phone", "edit", "Spoilt", "--title", "Ruined")
    stage.meet()
    let log = try JSON(parsing: Array(stage.answer("log", "--json").utf8))
    let last = try #require(log.array?.first?["time"]?.string)
    _ = stage.answer("undo", "--by", "laptop 2", "--since", last, "--yes")
    #expect(try titles(stage) == ["Spoilt", "Mop"])
    _ = stage.answer("undo", "--by", "laptop 2", "--since", "2026-01-01", "--yes")
    #expect(try titles(stage) == ["Sweep"])
    _ = stage.answer("undo", "2")
    #expect(try titles(stage) == ["Ruined", "Mop"])
  }

  @Test func `Undo of others: one command is undone by its name in the log`() throws {
    let stage = try pair()
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--title", "Spoilt")
    stage.meet()
    let log = try JSON(parsing: Array(stage.answer("log", "--json").utf8))
    let last = try #require(log.array?.first)
    let name = "\(last["device"]?.string ?? "-"):\(last["sequence"]?.integer ?? 0)"
    _ = stage.answer("undo", "--command", name)
    #expect(try titles(stage) == ["Sweep", "Mop"])
    _ = stage.answer("undo")
    #expect(try titles(stage) == ["Spoilt", "Mop"])
    for unknown in ["laptop 2:999", "nobody:1", "Sweep"] {
      #expect(stage.run("undo", "--command", unknown).code == .refused)
    }
    #expect(stage.run("undo", "--command", name, "--by", "laptop").code == .refused)
  }

  @Test
  func `Undo of others: an earlier command of this device is undone by number, but only once`()
    throws
  {
    let stage = try pair()
    let edit = stage.answer("edit", "Sweep", "--title", "Wipe")
    #expect(edit.hasPrefix("Edited"))
    let log = try JSON(parsing: Array(stage.answer("log", "--json").utf8))
    let number = "\(try #require(log.array?.first?["sequence"]?.integer))"
    _ = stage.answer("add", "todo", "Cook")
    _ = stage.answer("undo", "--command", number)
    #expect(try titles(stage) == ["Sweep", "Mop", "Cook"])
    let again = stage.run("undo", "--command", number)
    #expect(again.code == .refused)
    #expect(again.error.contains("is already undone"))
    _ = stage.answer("redo")
    #expect(try titles(stage) == ["Wipe", "Mop", "Cook"])
  }

  @Test func `Undo of others: in a forked log the branch is named and required`()
    throws
  {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    _ = stage.answer("add", "todo", "one")
    _ = stage.answer("sync", "stick")
    let copy = stage.machine.disk.files.filter { $0.key.string.contains("/daybook/") }
    _ = stage.answer("add", "todo", "two")
    _ = stage.answer("sync", "stick")
    // Replace the book with an older copy.
    for path in stage.machine.disk.files.keys where path.string.contains("/daybook/") {
      if copy[path] == nil { try stage.disk.remove(path) }
    }
    for (path, bytes) in copy { try stage.disk.replace(path, with: bytes) }
    _ = stage.answer("add", "todo", "three")
    _ = stage.answer("sync", "stick")
    let log = stage.answer("log")
    #expect(log.contains("laptop, branch 1:3") && log.contains("laptop, branch 2:3"))
    #expect(!log.contains(" laptop:3"))
    #expect(
      stage.run("undo", "--command", "laptop:3").error.contains(
        "that device has 2 logs. Use one of these in place of its name: 'laptop, branch 1', "
          + "'laptop, branch 2'.\n"))
    #expect(stage.run("undo").error.contains("has begun a new log"))
    let named = log.split(separator: "\n").first { $0.contains("three") }
    let command = try #require(named?.split(separator: "  ").dropFirst().first)
    #expect(stage.answer("undo", "--command", String(command)).hasPrefix("Undone: deleted todo "))
    #expect(!stage.answer("list", "todos").contains("three"))
    #expect(stage.answer("list", "todos").contains("two"))
  }
}
