import Bytes
import Phrasing
import Platform
import Testing

@testable import Console

struct AnswerTests {
  private func json(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }

  @Test func `JSON answers: a record has its fields by name, its full id and its uid`() throws {
    let line = """
      {"op": "add", "kind": "birthday", "id": "A1", "firstName": "Ada", "birthdate": "1815-12-10"}

      """
    let stage = Stage(input: line)
    #expect(
      stage.answer("import", "--format", "ops", "-")
        == "Read 1 line: added 1. To undo this import, run 'daybook undo'.\n")
    let list = try json(stage.answer("list", "birthdays", "--json"))
    let ada = try #require(list.array?.first?.members)
    #expect(
      ada.map(\.name) == [
        "id", "uid", "firstName", "lastName", "birthdate", "leapRule", "lead", "note", "tags",
        "extra", "conflicts",
      ])
    #expect(list.array?.first?["uid"] == "A1")
    #expect(list.array?.first?["birthdate"] == "1815-12-10")
    #expect(list.array?.first?["lastName"] == .null)
  }

  @Test func `JSON answers: references are full ids`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Buy Eggos", "--list", "Home")
    let lists = try json(stage.answer("list", "lists", "--json"))
    let todos = try json(stage.answer("list", "todos", "--json"))
    #expect(todos.array?.first?["list"] == lists.array?.first?["id"])
    #expect(todos.array?.first?["priority"] == "normal")
    #expect(todos.array?.first?["done"] == false)
  }

  @Test func `JSON answers: every reading command answers with --json`() throws {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada", "1815-12-10")
    _ = stage.answer("add", "question", "Lunch?", "Noodles:1")
    _ = stage.answer("bundle", "b")
    _ = stage.answer("prove", "ada", "-o", "p")
    let operands = [
      "prove": ["ada", "-o", "q"], "check-proof": ["p"],
      "bundle inspect": ["b"], "bundle verify": ["b"],
      "show": ["ada"], "search": ["ada"], "why": ["ada.birthdate"], "blame": ["ada"],
      "diff": ["2026-01-01"], "picks": ["lunch"], "list picks": ["lunch"],
    ]
    // `watch` is excluded, because it runs until it is stopped and prints one value per line.
    for verb in CommandCatalog.all where verb.reading != .no && verb.words[0] != "watch" {
      let outcome = stage.run(verb.words + (operands[verb.path] ?? []) + ["--json"])
      #expect(outcome.code == .done, "\(verb.path): \(outcome.error)")
      let answer = try json(outcome.output)
      #expect(answer.array != nil || answer.members != nil, "\(verb.path)")
    }
  }

  @Test func `JSON answers: status has the values that users compare between devices`() throws {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada")
    let status = try json(stage.answer("status", "--json"))
    #expect(status["events"] == 1)
    #expect(status["held"] == 2)
    #expect(stage.answer("status").contains("  2, 1 of them about records\n"))
    #expect(status["digest"]?.string?.count == 64)
    #expect(status["version"]?.members?.map(\.value) == [2])
  }

  @Test func `JSON answers: with --json an error is one object`() throws {
    let outcome = Stage().run("list", "todos", "--json")
    #expect(outcome.output == "")
    let error = try json(outcome.error)["error"]
    #expect(error?.members?.map(\.name) == ["code", "message"])
    #expect(error?["code"] == "no-book")
    for words in [["-j"], ["--json"], ["-j", "lst"], ["list", "todos", "--sort", "x", "-j"]] {
      let told = try json(Stage().run(words).error)["error"]
      #expect(told?["message"]?.string != nil, "\(words)")
    }
    #expect(Stage().run("lst", "--", "-j").error.hasPrefix("daybook: unknown command"))
  }

  @Test func `JSON answers: the agenda has all its sections`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep", "--due", "2026-11-01")
    _ = stage.answer("add", "todo", "Post", "--due", "today")
    _ = stage.answer("add", "todo", "Paid", "--due", "today")
    _ = stage.answer("done", "paid")
    _ = stage.answer("add", "todo", "Tax", "--due", "2026-11-27")
    for title in ["Read", "Rest", "Write", "Sing"] { _ = stage.answer("add", "todo", title) }
    _ = stage.answer("add", "birthday", "Ada", "1990-11-21")
    let today = try json(stage.answer("--json"))
    #expect(
      today.members?.map(\.name) == [
        "date", "overdue", "dueToday", "next", "undated", "birthdays", "doneToday", "conflicts",
        "hidden", "counts",
      ])
    #expect(today["date"] == "2026-11-20" && today["conflicts"] == 0)
    #expect(today["overdue"]?.array?.map { $0["title"] } == ["Sweep"])
    #expect(today["dueToday"]?.array?.map { $0["title"] } == ["Post"])
    #expect(today["next"]?.array?.map { $0["title"] } == ["Tax"])
    #expect(today["undated"]?["count"] == 4)
    #expect(today["undated"]?["first"]?.array?.map { $0["title"] } == ["Read", "Rest", "Write"])
    #expect(today["doneToday"]?.array?.map { $0["title"] } == ["Paid"])
    #expect(today["hidden"] == 0)
    #expect(today["birthdays"]?.array?.map { $0["turns"] } == [36])
    #expect(today["counts"]?["todos"] == 8)
    let past = try json(stage.answer("at", "2026-11-20T09:01:30Z", "--json"))
    #expect(past["overdue"]?.array?.map { $0["title"] } == ["Sweep"])
    #expect(past["dueToday"] == .array([]) && past["undated"]?["count"] == 0)
  }

  @Test func `Quiet: a change prints nothing, and a reading command prints its answer`() {
    let stage = Stage()
    let added = stage.run("add", "todo", "Sweep", "-q")
    #expect(added == .init(code: .done, output: "", error: ""))
    #expect(stage.answer("list", "todos", "-q").contains("Sweep"))
  }

  @Test func `Colours: output has no colours unless they are requested`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep", "--due", "2026-11-01")
    #expect(!stage.answer().contains("\u{1B}"))
    #expect(stage.answer("--color").contains("\u{1B}[31m"))
  }

  @Test func `Foreign text: control characters are escaped in terminal output`() {
    let stage = Stage()
    let added = stage.answer("add", "todo", "a\u{1B}[2Jb")
    #expect(added.contains("a\\u{1b}[2Jb"))
    #expect(!stage.answer("list", "todos").contains("\u{1B}"))
    #expect(!stage.run("show", "no\u{1B}thing").error.contains("\u{1B}"))
  }

  @Test func `Export: an existing file is replaced only with --force`() throws {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada", "1815-12-10")
    #expect(
      stage.answer("export", "--format", "ops", "-o", "out")
        == "Wrote 1 operation to /home/ada/out.\n")
    #expect(stage.run("export", "-o", "out").code == .refused)
    #expect(stage.run("export", "-o", "out", "--force", "-q").code == .done)
    let text = stage.answer("export", "--events")
    #expect(try json(String(text.split(separator: "\n")[0]))["op"] == "add")
    #expect(stage.answer("import", "out").hasPrefix("Read 1 line: 1 unchanged."))
  }
}
