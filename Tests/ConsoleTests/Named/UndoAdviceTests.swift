import Console
import Phrasing
import Testing

/// Commands in messages about undo and erasure: each does what the message says.
struct UndoAdviceTests {
  @Test func `Advice: an undo continues past an erasure that stopped it`() throws {
    let stage = Stage()
    for title in ["Sweep", "Mop"] { _ = stage.answer("add", "todo", title) }
    _ = stage.answer("erase", "sweep", "--yes")
    try stage.follow("undo --past-erasure", in: stage.run("undo"))
    #expect(stage.answer("list", "todos") == "")
  }

  @Test func `Advice: an undo continues past a device command, or the command is reversed`()
    throws
  {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("device", "rename", "old desk")
    let refused = stage.run("undo")
    try stage.follow("device rename", in: refused, filling: ["NEW": "desk"])
    #expect(stage.answer("devices").contains("desk"))
    _ = stage.answer("add", "todo", "Wipe")
    _ = stage.answer("undo")
    try stage.follow("undo --past-devices", in: stage.run("undo"))
    #expect(!stage.answer("list", "todos").contains("Sweep"))
  }

  @Test func `Advice: an undo by name can itself be undone, and an undone command can be redone`()
    throws
  {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep")
    _ = stage.answer("undo", "--command", "laptop:2")
    try stage.follow("redo", in: stage.run("undo", "--command", "laptop:2"))
    #expect(stage.answer("list", "todos").contains("Sweep"))
    _ = stage.answer("undo", "--command", "laptop:2")
    try stage.follow("undo", in: stage.run("redo"))
    #expect(stage.answer("list", "todos").contains("Sweep"))
    let log = try stage.follow("log", in: stage.run("undo", "--command", "bogus"))
    #expect(log.output.contains("laptop:2"))
  }

  @Test func `Advice: an undone merge names the log of the values that both records keep`() throws {
    let stage = Stage()
    for name in ["Home", "House"] { _ = stage.answer("add", "list", name, "--colour", "teal") }
    _ = stage.answer("merge", "Home", "House", "--keep-both")
    _ = stage.answer("edit", "House", "--note", "n")
    let parted = stage.run("undo", "--command", "laptop:4")
    #expect(try stage.follow("log", in: parted).output.contains("note"))
  }

  @Test func `Advice: merged records that differ are settled by the named commands`() throws {
    let stage = Stage()
    for name in ["Home", "House"] { _ = stage.answer("add", "list", name) }
    try stage.follow("resolve", in: stage.run("merge", "Home", "House", "--keep-both"))
    #expect(stage.answer("conflicts") == "No conflicts.\n")
  }

  @Test func `Undo: the advice about an admitted device uses the name that it has now`() throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("-C", "phone", "device", "rename", "my tablet")
    stage.meet()
    let refused = stage.run("undo")
    #expect(refused.code == .refused)
    #expect(
      refused.error.contains(
        " (now called my tablet) was admitted; "
          + "to remove it permanently, run 'daybook device revoke \"my tablet\"'."),
      "\(refused.error)")
    #expect(stage.run("device", "revoke", "my tablet", "--yes").code == .done)
  }
}
