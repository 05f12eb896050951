import Console
import Phrasing
import Testing

struct EditTests {
  @Test func `Edit: add sets tags, note and list in one step`() throws {
    let stage = Stage()
    _ = stage.answer(
      "add", "todo", "Mop", "--tag", "home,shop", "--tag", "wet", "--note", "Not the attic",
      "--list", "Home")
    let shown = stage.answer("show", "Mop")
    let lines = shown.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(lines.contains("note Not the attic") && lines.contains("tags home, shop, wet"))
    _ = stage.answer("undo")
    #expect(stage.answer("list", "todos") == "")
  }

  @Test(arguments: [
    ["--tags", "home,shop"], ["--tags", "home", "--tags", "shop"],
    ["--tags", " home , shop,"], ["--tag", "home", "--tags", "shop"],
  ])
  func `Edit: tags may be separated by commas or options`(words: [String]) {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop")
    #expect(stage.run(["edit", "Mop", "--tags", "old"]).code == .done)
    let edited = stage.run(["edit", "Mop"] + words)
    #expect(edited.output.hasSuffix(" Mop: tags home, shop.\n"))
    #expect(stage.answer("list", "todos", "--tag", "home", "--tag", "shop").contains("Mop"))
    #expect(stage.answer("list", "todos", "--tag", "old") == "")
    #expect(stage.run("edit", "Mop", "--tags", "").code == .done)
    #expect(!stage.answer("show", "Mop").contains("tags"))
  }

  @Test func `Edit: the list none, as in filters, is no list`() {
    let stage = Stage()
    for title in ["Mop", "Wax"] { _ = stage.answer("add", "todo", title, "--list", "Home") }
    let edit = ["edit", "Mop", "--list", "none"]
    #expect(stage.run(edit + ["-n"]).output.hasSuffix("This would edit 1 to-do: list none.\n"))
    #expect(stage.run(edit).output.hasSuffix(" Mop: list none.\n"))
    #expect(stage.run("move", "Wax", "--to", "none").output.hasSuffix(" Wax off its list.\n"))
    #expect(stage.answer("list", "todos", "--list", "none").split(separator: "\n").count == 2)
  }

  private func told(_ outcome: String) -> Substring { outcome.drop { $0 != ":" }.dropFirst(2) }

  @Test func `Edit: a cleared field is reported with its effective value`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep", "--priority", "high", "--due", "2026-12-24")
    _ = stage.answer("done", "sweep")
    _ = stage.answer("undo")
    #expect(stage.answer("log", "--limit", "1").hasSuffix("todo Sweep: done yes → no\n"))
    #expect(told(stage.answer("edit", "sweep", "--priority", "")) == "priority normal.\n")
    #expect(told(stage.answer("edit", "sweep", "--due", "")) == "due none.\n")
    _ = stage.answer("add", "question", "Lunch?", "Soup:3")
    #expect(told(stage.answer("edit", "soup", "--weight", "")) == "weight 1.\n")
  }

  @Test func `Edit: every written field is reported`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep")
    #expect(told(stage.answer("edit", "sweep", "--position", "5")) == "position 5.\n")
    #expect(stage.answer("log", "--limit", "1").hasSuffix("todo Sweep: position none → 5\n"))
    let both = told(stage.answer("edit", "sweep", "--done", "yes", "--title", "Mop"))
    #expect(both == "title Mop, done yes.\n")
    #expect(stage.answer("edit", "mop", "--done", "no").hasPrefix("Open again: todo "))
  }

  @Test func `Edit: the title option of a different kind is refused, and the right one is named`() {
    let stage = Stage()
    _ = stage.answer("add", "question", "Lunch?", "Soup")
    _ = stage.answer("add", "todo", "Mop", "--list", "Home")
    for (id, option, known) in [
      ("lunch", "name", "content"), ("lunch", "title", "content"), ("mop", "name", "title"),
      ("home", "title", "name"), ("soup", "content", "name"),
    ] {
      #expect(
        stage.run("edit", id, "--\(option)", "x").error.hasSuffix(
          " has no --\(option). Did you mean '--\(known)'?\n"), "\(id) \(option)")
    }
  }

  @Test func `Edit: priorities and colours have aliases`() {
    let stage = Stage()
    for (words, known) in [
      ("h", "high"), ("High", "high"), ("!!!", "high"), ("l", "low"), ("m", "normal"),
      ("medium", "normal"),
    ] {
      let added = stage.answer("add", "todo", "Mop \(words)", "--priority", words)
      #expect(added.contains("\(known) priority") == (known != "normal"), "\(added)")
    }
    for (words, known) in [("#f80", "#ff8800"), ("Red", "#ff0000"), ("teal", "#008080")] {
      _ = stage.answer("add", "list", words, "--colour", words)
      #expect(stage.answer("list", "lists").contains(known), "\(words)")
    }
  }

  @Test func `Edit: records that already have the values are named`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop")
    _ = stage.answer("add", "todo", "Dig")
    let lists = stage.answer("list", "todos").split(separator: "\n").map { $0.prefix { $0 != " " } }
    _ = stage.answer("done", "mop", "dig")
    #expect(
      stage.answer("done", "mop")
        == "Nothing to change: todo \(lists[0]) Mop is already as requested.\n")
    #expect(
      stage.answer("done", "mop", "dig")
        == "Nothing to change: todo \(lists[0]) Mop, todo \(lists[1]) Dig are already as requested.\n"
    )
    #expect(
      stage.answer("edit", "mop", "--title", "Mop")
        == "Nothing to change: todo \(lists[0]) Mop is already as requested.\n")
  }

  @Test func `Edit: a number out of range is refused, and the range is named`() {
    let stage = Stage()
    _ = stage.answer("add", "question", "Lunch?", "Soup:3")
    let weight = stage.run("edit", "soup", "--weight", "9007199254740993").error
    #expect(weight.hasSuffix("Use a whole number from 0 to 9007199254740992.\n"))
    _ = stage.answer("add", "todo", "Sweep")
    #expect(
      stage.run("edit", "sweep", "--position", "first").error
        == "daybook: position cannot be 'first'. Use a whole number.\n")
  }
}
