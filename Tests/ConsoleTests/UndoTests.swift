import Bytes
import Console
import Phrasing
import Testing

struct UndoTests {
  private func titles(_ stage: Stage) throws -> [String?] {
    let list = try JSON(parsing: Array(stage.answer("list", "todos", "--json").utf8))
    return try #require(list.array).map { $0["title"]?.string }
  }

  @Test func `Undo: several edits of one field are undone and redone in order`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "A")
    _ = stage.answer("edit", "A", "--title", "B")
    _ = stage.answer("edit", "B", "--title", "C")
    _ = stage.answer("edit", "C", "--title", "D")
    for title in ["C", "B", "A"] {
      _ = stage.answer("undo")
      #expect(try titles(stage) == [title])
    }
    _ = stage.answer("undo")
    #expect(try titles(stage) == [])
    #expect(stage.run("undo").code == .refused)
    _ = stage.answer("redo")
    for title in ["B", "C", "D"] {
      _ = stage.answer("redo")
      #expect(try titles(stage) == [title])
    }
    #expect(stage.run("redo").code == .refused)
    _ = stage.answer("undo", "2")
    #expect(try titles(stage) == ["B"])
    _ = stage.answer("redo")
    #expect(try titles(stage) == ["C"])
    _ = stage.answer("edit", "C", "--title", "E")
    _ = stage.answer("undo", "3")
    #expect(try titles(stage) == ["A"])
  }

  @Test func `Undo: each of several steps is reported with the state after it`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop", "--priority", "low")
    for words in [["cancel", "mop"], ["undone", "mop"]] { _ = stage.run(words) }
    #expect(
      stage.told("undo", "2")
        == "Undone: cancelled: todo ID Mop.\nUndone: open again: todo ID Mop.\n")
    for priority in ["normal", "high"] { _ = stage.answer("edit", "mop", "--priority", priority) }
    #expect(
      stage.told("undo", "2")
        == "Undone: edited todo ID Mop: priority normal.\n"
        + "Undone: edited todo ID Mop: priority low.\n")
  }

  @Test func `Undo: two steps restore a field that was set and cleared`() throws {
    let stage = Stage()
    _ = stage.answer("add", "list", "Home")
    _ = stage.answer("edit", "home", "--name", "House", "--colour", "#ff0000")
    _ = stage.answer("edit", "house", "--colour", "")
    _ = stage.answer("undo", "2")
    #expect(stage.answer("list", "lists").hasSuffix("Home  #2f6f6a  0 of 0 open\n"))
    #expect(!stage.answer("list", "lists").contains("#ff0000"))
  }

  @Test func `Undo: the log distinguishes undo from redo`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep", "--list", "Home")
    _ = stage.answer("undo")
    _ = stage.answer("redo")
    let log = try JSON(parsing: Array(stage.answer("log", "--json").utf8))
    let marks = try #require(log.array).map { [$0["isUndo"], $0["isRedo"]] }
    #expect(
      marks == [
        [false, true], [false, true], [true, false], [true, false], [false, false],
        [false, false],
      ])
    let words = stage.answer("log")
    #expect(words.contains("undo: deleted"))
    #expect(words.contains("redo: restored"))
  }

  @Test func `Undo: a redone import counts as imported, but an undone one does not`() throws {
    let lines = """
      {"op": "add", "kind": "birthday", "id": "A1", "firstName": "Ada"}
      {"op": "delete", "kind": "birthday", "id": "A1"}
      {"op": "restore", "kind": "birthday", "id": "A1"}

      """
    let stage = Stage(input: lines)
    _ = stage.answer("import", "-")
    _ = stage.answer("undo")
    _ = stage.answer("redo")
    #expect(stage.answer("import", "-").hasPrefix("Nothing to import"))
    _ = stage.answer("undo")
    #expect(stage.answer("import", "-").hasPrefix("Read 3 lines"))
    #expect(stage.answer("list", "birthdays").contains("Ada"))
  }

  @Test func `Undo: commands that cancel each other out are not said to be undone`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop")
    _ = stage.answer("delete", "mop")
    let refused = stage.run("undo", "--since", "2026-11-20", "--yes")
    #expect(refused.code == .refused)
    #expect(refused.error.hasPrefix("daybook: nothing is left to undo, because everything that "))
    #expect(stage.answer("undo").hasPrefix("Undone: restored todo "))
  }

  @Test func `Undo: --since alone undoes the commands of this device from that time on`() throws {
    let stage = Stage()
    for title in ["A", "B"] { _ = stage.answer("add", "todo", title) }
    let asked = stage.run("undo", "--since", "2026-11-20")
    #expect(asked.code == .refused)
    #expect(
      asked.error
        == "daybook: Undo 2 commands of laptop from 2026-11-20 09:01 to 2026-11-20 09:02? "
        + "It would delete 2 records. Add --yes to confirm.\n")
    _ = stage.answer("undo", "--since", "2026-11-20 09:02", "--yes")
    #expect(try titles(stage) == ["A"])
    #expect(stage.run("undo", "--by", "laptop").code == .refused)
  }
}
