import Bytes
import Console
import Phrasing
import Platform
import Testing

/// Erasures and revocations that remove what keeps a record although another device has deleted it.
struct PendingDeletionTests {
  /// Two devices: this one has deleted the list Home with Paint, while phone added Mop to it.
  private func disputed() throws -> Stage {
    let stage = try Stage.pair()
    _ = stage.answer("add", "todo", "Paint", "-l", "Home")
    stage.meet()
    _ = stage.answer("delete", "Home")
    _ = stage.answer("-C", "phone", "add", "todo", "Mop", "-l", "Home")
    stage.meet()
    #expect(stage.answer("list", "lists").contains("Home"))
    return stage
  }

  @Test func `Erase: the question names a list that only the erased record keeps`() throws {
    let stage = try disputed()
    let outcome = stage.run("erase", "Mop")
    #expect(outcome.code == .refused)
    #expect(outcome.error.contains("This cannot be undone. This also deletes list "))
    #expect(
      outcome.error.contains(
        "'Home' and its 1 to-do, because it is in conflict with a deletion and nothing else keeps it."
      ))
    #expect(stage.answer("list", "todos").contains("Paint"))
  }

  @Test func `Erase: a list deleted with the erased record is named, and can be restored`() throws {
    let stage = try disputed()
    let home = String(stage.answer("list", "lists").prefix { $0 != " " })
    let outcome = stage.run("erase", "Mop", "--yes", "-q")
    #expect(outcome.code == .done)
    #expect(
      outcome.error
        == "daybook: also deleted: list \(home) 'Home' and its 1 to-do. "
        + "To bring everything back, run: daybook restore \(home)\n")
    _ = stage.answer("restore", home)
    #expect(stage.answer("list", "todos").contains("Paint"))
  }

  @Test func `Erase: a record that something else keeps too is not named`() throws {
    let stage = try disputed()
    _ = stage.answer("add", "todo", "Sand", "-l", "Home")
    #expect(stage.run("erase", "Mop", "--yes").error == "")
    #expect(stage.answer("list", "todos").contains("Paint"))
  }

  @Test func `Erase: the question names a series that only the erased date keeps`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("add", "todo", "Bins", "--repeat", "daily", "--due", "2026-11-20")
    stage.meet()
    _ = stage.answer("delete", "Bins")
    _ = stage.answer("-C", "phone", "done", "Bins")
    stage.meet()
    let done = try JSON(parsing: Array(stage.answer("list", "todos", "--done", "--json").utf8))
    let date = try #require(done.array?.first?["id"]?.string)
    let outcome = stage.run("erase", date)
    #expect(outcome.code == .refused)
    #expect(
      outcome.error.contains(
        "'Bins', because it is in conflict with a deletion and nothing else keeps it."))
  }

  @Test func `Device revoke: the question of --all names a list that only the device keeps`()
    throws
  {
    let stage = try disputed()
    let outcome = stage.run("device", "revoke", "laptop 2", "--all")
    #expect(outcome.code == .refused)
    #expect(outcome.error.contains(" This also deletes list "))
    #expect(
      outcome.error.contains(
        "'Home' and its 1 to-do, because it is in conflict with a deletion and nothing else keeps it."
      ))
    #expect(!stage.run("device", "revoke", "laptop 2").error.contains("This also deletes"))
  }
}
