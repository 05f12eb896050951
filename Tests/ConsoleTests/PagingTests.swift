import Bytes
import Console
import Phrasing
import Testing

struct PagingTests {
  private static func json(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }

  /// Creates a stage with to-dos, lists and other records.
  private static func stage() -> Stage {
    let stage = Stage()
    for number in 1...5 { _ = stage.answer("add", "todo", "Milk \(number)", "--list", "Home") }
    for name in ["Ada", "Bo", "Cy"] { _ = stage.answer("add", "birthday", name, "--12-24") }
    for name in ["Shop", "Attic"] { _ = stage.answer("add", "list", name) }
    for name in ["Lunch?", "Tea?", "Where?"] { _ = stage.answer("add", "question", name, "a", "b") }
    for _ in 1...3 { _ = stage.answer("pick", "lunch") }
    return stage
  }

  @Test func `Paging: the pages of each list and search add up to the whole`() throws {
    let stage = Self.stage()
    let lists = [
      ["list", "todos"], ["list", "todos", "--sort", "title"], ["list", "birthdays"],
      ["list", "birthdays", "--sort", "next"], ["list", "lists"], ["list", "questions"],
      ["list", "choices"], ["list", "picks", "lunch"], ["search", "milk"], ["search"],
    ]
    for words in lists {
      let whole = try #require(try Self.json(stage.run(words + ["--json"]).output).array)
      #expect(whole.count > 2, "\(words)")
      var pages: [JSON] = []
      var after: String?
      repeat {
        let start = after.map { ["--after", $0] } ?? []
        let page = try Self.json(stage.run(words + ["--json", "--limit", "2"] + start).output)
        let records = try #require(page["records"]?.array)
        #expect((1...2).contains(records.count))
        pages += records
        after = page["after"]?.string
      } while after != nil && pages.count < whole.count
      #expect(pages == whole, "\(words)")
      #expect(after == nil)
    }
  }

  @Test func `Paging: the command for the next page is reported`() throws {
    let stage = Self.stage()
    let first = stage.run("list", "todos", "--limit", "3")
    #expect(first.output.split(separator: "\n").count == 3)
    let last = try #require(first.output.split(separator: "\n").last?.split(separator: " ").first)
    #expect(
      first.error
        == "daybook: there are more records; to see them, run the same command with --after \(last).\n"
    )
    let second = stage.run("list", "todos", "--limit", "3", "--after", String(last))
    #expect(second.output.split(separator: "\n").count == 2)
    #expect(second.error == "")
    #expect(stage.run("list", "todos", "--limit", "5").error == "")
  }

  @Test func `Paging: a limit of zero or an unknown start is refused`() {
    let stage = Self.stage()
    #expect(stage.run("list", "todos", "--limit", "0").code == .refused)
    #expect(stage.run("list", "todos", "--after", "waffles").code == .refused)
    #expect(stage.run("list", "todos", "--after", "ada").code == .refused)
  }
}
