import Console
import Phrasing
import Platform
import Testing

/// Titles that equal the short id of a different record.
struct ShortTitleTests {
  @Test(arguments: [true, false])
  func `Ambiguous title: an id that is also another record's title is refused`(
    isUpper: Bool
  ) throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "tax papers")
    let shown = stage.answer("list", "todos", "--plain")
    let id = String(try #require(shown.split(separator: "\t").first))
    let title = isUpper ? id.uppercased() : id
    _ = stage.answer("add", "todo", title)
    let outcome = stage.run("erase", title, "--yes")
    #expect(outcome.code == .refused)
    #expect(outcome.error.contains("matches 2 records"), "\(outcome.error)")
    #expect(stage.answer("list", "todos").contains("tax papers"))
  }

  @Test func `Ambiguous title: an id that is also a deleted record's title is refused`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "tax papers")
    let shown = stage.answer("list", "todos", "--plain")
    let id = String(try #require(shown.split(separator: "\t").first))
    _ = stage.answer("add", "todo", "Second")
    _ = stage.answer("edit", "Second", "--title", id.uppercased())
    let listed = stage.answer("list", "todos", "--plain").split(separator: "\n")
    let other = try #require(
      listed.first { !$0.contains("tax papers") }?.split(separator: "\t").first)
    _ = stage.answer("delete", String(other))
    let outcome = stage.run("erase", id.uppercased(), "--yes")
    #expect(outcome.code == .refused)
    try #require(outcome.error.contains("matches 2 records"), "\(id) \(listed) \(outcome)")
    // Each proposed id names exactly one record.
    let lines = outcome.error.split(separator: "\n")[1].split(separator: ", ")
    for line in lines {
      let proposed = String(try #require(line.split(separator: " ").first))
      #expect(stage.run("log", proposed).code == .done, "\(proposed)")
    }
  }

  @Test func `Erase: without a question, the report names the erased record`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "tax papers")
    let shown = stage.answer("list", "todos", "--plain")
    let id = String(try #require(shown.split(separator: "\t").first))
    let told = stage.answer("erase", id, "--yes")
    #expect(told.hasSuffix("Erased for good: todo \(id) 'tax papers'.\n"))
  }

  @Test func `Erase: a to-do erased with its list is not counted as staying`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Buy Eggos", "--list", "Home")
    _ = stage.answer("add", "todo", "Mop", "--list", "Home")
    let one = stage.run("erase", "Home", "Eggos", "--yes")
    #expect(one.error == "daybook: 1 to-do of the list 'Home' stays and now belongs to no list.\n")
  }
}
