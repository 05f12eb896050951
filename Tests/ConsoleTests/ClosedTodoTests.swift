import Bytes
import Phrasing
import Testing

/// The to-dos that lists leave out by default, and cancelled to-dos.
struct ClosedTodoTests {
  private func titles(_ outcome: Stage.Outcome) throws -> [String?] {
    try #require(try JSON(parsing: Array(outcome.output.utf8)).array).map { $0["title"]?.string }
  }

  private func record(_ stage: Stage, _ words: String) throws -> JSON {
    try JSON(parsing: Array(stage.answer("show", words, "--json").utf8))
  }

  /// Creates a book with one to-do of each state.
  private func stage() -> Stage {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop", "--list", "Home")
    _ = stage.answer("add", "todo", "Sweep", "--list", "Home")
    _ = stage.answer("add", "todo", "Paint", "--start", "2027-01-01")
    _ = stage.answer("add", "todo", "Old")
    _ = stage.answer("done", "Sweep")
    _ = stage.answer("cancel", "Old")
    return stage
  }

  @Test func `List todos: open ones are shown, and a note counts the rest`() throws {
    let stage = stage()
    let outcome = stage.run("list", "todos", "--json")
    #expect(try titles(outcome) == ["Mop"])
    #expect(
      outcome.error == "daybook: 1 hidden, 1 done, 1 cancelled: daybook list todos --all\n")
    #expect(stage.run("list", "todos", "-q").error == "")
    let told = try #require(outcome.error.split(separator: ": ").last)
    let words = try #require(Shell.words(String(told.dropLast()))).dropFirst() + ["--json"]
    #expect(try titles(stage.run(Array(words))) == ["Mop", "Paint", "Old", "Sweep"])
  }

  @Test func `List todos: the note names the conditions of the list`() throws {
    let stage = stage()
    let outcome = stage.run("list", "todos", "--list", "Home", "--priority", "normal", "--json")
    #expect(try titles(outcome) == ["Mop"])
    #expect(
      outcome.error
        == "daybook: 1 done: daybook list todos --list Home --priority normal --all\n")
    _ = stage.answer("edit", "Sweep", "--tags", "odd one")
    #expect(
      stage.run("list", "todos", "--tag", "odd one").error
        == "daybook: 1 done: daybook list todos --tag \"odd one\" --all\n")
    #expect(
      stage.run("list", "todos", "--any-tag", "odd one,x").error
        == "daybook: 1 done: daybook list todos --any-tag \"odd one,x\" --all\n")
  }

  @Test func `List todos: options select hidden, open, closed and all to-dos without a note`()
    throws
  {
    let stage = stage()
    let lists: [(String, [String])] = [
      ("--hidden", ["Paint"]), ("--open", ["Mop", "Paint"]), ("--done", ["Old", "Sweep"]),
      ("--all", ["Mop", "Paint", "Old", "Sweep"]),
    ]
    for (option, expected) in lists {
      let outcome = stage.run("list", "todos", option, "--json")
      #expect(try titles(outcome) == expected, "\(option)")
      #expect(outcome.error == "", "\(option)")
    }
    for words in [
      ["--all", "--hidden"], ["--done", "--hidden"], ["--open", "--hidden"], ["--all", "--done"],
      ["--all", "--overdue"], ["--hidden", "--overdue"],
    ] {
      #expect(stage.run(["list", "todos"] + words).code == .usage, "\(words)")
    }
    #expect(stage.answer("list", "todos", "--hidden").hasSuffix("Paint  from 2027-01-01\n"))
    _ = stage.answer("edit", "paint", "--due", "2026-12-24")
    #expect(
      stage.answer("list", "todos", "--hidden").hasSuffix(
        "Paint  due Thu 2026-12-24 (in 34 days)  from 2026-12-24\n"))
  }

  @Test func `List todos: a to-do is hidden or shown for the day that is viewed`() throws {
    let stage = stage()
    #expect(
      try titles(stage.run("at", "2027-01-01", "list", "todos", "--json")) == ["Mop", "Paint"])
    #expect(try record(stage, "Paint")["hidden"] == true)
    let then = stage.run("at", "2027-01-01", "show", "Paint", "--json").output
    #expect(try JSON(parsing: Array(then.utf8))["hidden"] == false)
    let rest = stage.run("at", "2027-01-01", "list", "todos", "--list", "Home").error
    #expect(
      rest.split(separator: "\n").last
        == "daybook: 1 done: daybook at 2027-01-01 list todos --list Home --all")
  }

  @Test func `List todos: --list none shows the to-dos on no list`() throws {
    let stage = stage()
    _ = stage.answer("add", "todo", "Loose")
    let outcome = stage.run("list", "todos", "--list", "none", "--json")
    #expect(try titles(outcome) == ["Loose"])
    #expect(
      outcome.error
        == "daybook: 1 hidden, 1 cancelled: daybook list todos --list none --all\n")
  }

  @Test func `Cancel: a to-do is closed, marked in lists, and opened again`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop")
    #expect(stage.answer("cancel", "mop").hasPrefix("Cancelled: todo "))
    #expect(stage.answer("cancel", "mop").hasPrefix("Nothing to change"))
    #expect(stage.answer("list", "todos") == "")
    #expect(stage.answer("list", "todos", "--all").contains("  [-]  Mop\n"))
    #expect(stage.answer("search", "mop").contains("  todo  [-]  Mop\n"))
    #expect(stage.answer("search", "mop", "--plain").hasSuffix("\ttodo\tMop\t[-]\t\n"))
    let record = try record(stage, "mop")
    #expect(record["cancelled"] == true && record["done"] == false)
    #expect(record["closedOn"] == "2026-11-20")
    let shown = stage.answer("show", "mop").split(separator: "\n")
    #expect(shown.contains { $0.contains("cancelled") && $0.hasSuffix("yes") })
    #expect(stage.answer("log", "--limit", "1").contains("todo Mop: cancelled no → yes"))
    #expect(stage.answer("why", "mop.cancelled").contains("cancelled is yes"))
    #expect(stage.answer("diff", "2026-11-20T09:01:30Z").contains("cancelled no → yes"))
    #expect(stage.answer("at", "2026-11-20T09:01:30Z", "list", "todos").contains("[ ]"))
    #expect(stage.answer("undo").hasPrefix("Undone: open again: todo "))
    #expect(stage.answer("redo").hasPrefix("Redone: cancelled: todo "))
    #expect(stage.answer("undone", "mop").hasPrefix("Open again: todo "))
    #expect(stage.answer("list", "todos").contains("[ ]"))
  }

  @Test func `Cancel: done completes a cancelled to-do, and cancel a completed one`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop")
    _ = stage.answer("cancel", "mop", "--because", "No water")
    #expect(stage.answer("done", "mop").hasPrefix("Done: todo "))
    let done = try record(stage, "mop")
    #expect(done["done"] == true && done["cancelled"] == false && done["closedOn"] == .null)
    #expect(stage.answer("cancel", "mop").hasPrefix("Cancelled: todo "))
    let cancelled = try record(stage, "mop")
    #expect(cancelled["done"] == false && cancelled["completedAt"] == .null)
    #expect(cancelled["cancelled"] == true)
    _ = stage.answer("add", "list", "Home")
    #expect(stage.run("cancel", "Home").code == .refused)
  }

  @Test func `Cancel: a completion on another device wins on both`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("done", "Sweep")
    _ = stage.answer("-C", "phone", "cancel", "Sweep")
    stage.meet()
    for folder in [[], ["-C", "phone"]] {
      #expect(stage.run(folder + ["list", "todos", "--all"]).output.contains("[x]"))
      let shown = stage.run(folder + ["show", "Sweep", "--json"]).output
      let record = try JSON(parsing: Array(shown.utf8))
      #expect(record["done"] == true && record["cancelled"] == false)
      #expect(
        stage.run(folder + ["show", "Sweep"]).output.contains(
          "\n  cancelled     no: the cancellation is ignored because the to-do is also done\n"))
      #expect(stage.run(folder + ["conflicts"]).output == "No conflicts.\n")
    }
    _ = stage.answer("undone", "Sweep")
    stage.meet()
    #expect(stage.answer("-C", "phone", "list", "todos").contains("[ ]"))
  }

  @Test func `Cancel: a cancelled to-do neither rings nor counts as a namesake`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop", "--due", "today")
    _ = stage.answer("cancel", "Mop")
    #expect(stage.answer("remind") == "")
    #expect(stage.run("add", "todo", "Mop").error == "")
  }

  @Test func `Search: closed to-dos come after open ones`() throws {
    let stage = Stage()
    for title in ["Milk", "Buy milk", "Milk run"] { _ = stage.answer("add", "todo", title) }
    let ids = try #require(
      try JSON(parsing: Array(stage.answer("list", "todos", "--json").utf8)).array)
    _ = stage.answer("done", try #require(ids.first?["id"]?.string))
    #expect(try titles(stage.run("search", "milk", "--json")) == ["Milk run", "Buy milk", "Milk"])
    #expect(stage.answer("search", "milk").hasSuffix("todo  [x]  Milk\n"))
  }

  @Test(arguments: ["ops", "csv", "todotxt"])
  func `Export: closed to-dos are left out only with --open`(format: String) {
    let stage = stage()
    let all = stage.answer("export", "--format", format)
    #expect(["Mop", "Sweep", "Paint", "Old"].allSatisfy(all.contains))
    let open = stage.answer("export", "--format", format, "--open")
    #expect(["Mop", "Paint"].allSatisfy(open.contains))
    #expect(!open.contains("Sweep") && !open.contains("Old"))
    let home = stage.answer("export", "--format", format, "--open", "--list", "Home")
    #expect(home.contains("Mop") && !home.contains("Paint") && !home.contains("Sweep"))
    #expect(stage.run("export", "--events", "--open").code == .usage)
  }
}
