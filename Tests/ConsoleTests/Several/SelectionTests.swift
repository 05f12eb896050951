import Bytes
import Console
import Phrasing
import Testing

/// Commands that change all to-dos that the filters of `list todos` select.
struct SelectionTests {
  @Test func `Several: the selected to-dos are shown, and change after a yes`() throws {
    let stage = Stage.house()
    let outcome = stage.run(["done", "--list", "home"], answering: { "y" })
    #expect(outcome.code == .done)
    #expect(outcome.error == "Mark 2 to-dos as done? [y/N] ")
    let lines = outcome.output.split(separator: "\n")
    #expect(
      Stage.withoutIDs(lines.dropLast().joined(separator: "\n")) == [
        "[ ] Mop Home due Sun 2026-11-01 (19 days ago)", "[ ] Sweep Home #wet",
      ])
    #expect(lines.last == "Marked 2 to-dos as done.")
    #expect(try stage.done() == ["Mop", "Sweep"])
    _ = stage.answer("undo")
    #expect(try stage.done() == [])
  }

  @Test func `Several: to-dos that repeat are said to stay open with their next dates`() {
    let stage = Stage()
    for (title, more) in [
      ("Wax", []), ("Bins", ["--repeat", "daily"]), ("Plants", ["--repeat", "daily"]),
      ("Pills", ["--repeat", "daily", "--until", "2026-11-20"]),
    ] {
      _ = stage.run(["add", title, "--list", "Home", "--due", "today"] + more)
    }
    let report = { (words: String...) in
      stage.run(words + ["--yes"]).output.split(separator: "\n").last
    }
    #expect(
      report("done", "--list", "Home")
        == "Marked 4 to-dos as done. 2 of them repeat, and their next dates are open.")
    _ = stage.answer("delete", "Bins")
    #expect(
      report("done", "--list", "Home")
        == "Marked 1 to-do as done. It repeats, and its next date is open.")
    #expect(report("skip", "--list", "Home") == "Skipped 1 to-do.")
  }

  @Test(arguments: ["n", "", "x"])
  func `Several: any other answer changes nothing`(answer: String) throws {
    let stage = Stage.house()
    let count = try stage.eventCount()
    let outcome = stage.run(["delete", "--overdue"], answering: { answer })
    #expect(outcome.code == .refused)
    #expect(outcome.error == "Delete 2 to-dos? [y/N] daybook: nothing was done.\n")
    #expect(try stage.eventCount() == count)
  }

  @Test func `Several: without a terminal, --yes is needed`() throws {
    let stage = Stage.house()
    let count = try stage.eventCount()
    for words in [["--priority", "high"], ["--priority", "high", "--json"]] {
      let refused = stage.run(["delete"] + words)
      #expect(refused.code == .refused)
      #expect(refused.error.contains("Delete 1 to-do? Add --yes to confirm."))
    }
    #expect(try stage.eventCount() == count)
    let quiet = stage.run("delete", "--priority", "high", "--yes", "--quiet")
    #expect(quiet == .init(code: .done, output: "", error: ""))
    #expect(try stage.titles() == ["Mop", "Rest", "Sweep"])
  }

  @Test func `Several: -n shows the to-dos and changes nothing`() throws {
    let stage = Stage.house()
    let count = try stage.eventCount()
    let shown = stage.run("delete", "--overdue", "-n")
    #expect(shown.code == .done && shown.error == "")
    #expect(
      Stage.withoutIDs(shown.output).map { $0.contains("2026-11-0") } == [true, true, false])
    #expect(shown.output.hasSuffix("\nThis would delete 2 to-dos.\n"))
    #expect(
      try stage.json("delete", "--overdue", "--dry-run").map { $0["title"] } == ["Post", "Mop"])
    let named = stage.run("delete", "rest", "home", "-n")
    #expect(named.code == .done)
    #expect(
      Stage.withoutIDs(named.output).prefix(2) == ["todo Rest", "list Home"])
    #expect(named.output.hasSuffix("\nThis would delete 2 records with 2 to-dos.\n"))
    #expect(
      try stage.json("delete", "rest", "home", "-n").map { $0["kind"] } == ["todo", "list"])
    #expect(try stage.eventCount() == count)
  }

  @Test func `Several: -n counts the sub-tasks, and shows new values`() throws {
    let stage = Stage.house()
    _ = stage.answer("add", "Bucket", "--under", "mop")
    let cases = [
      (["done", "mop", "-n"], "This would mark 1 to-do and 1 sub-task as done.\n"),
      (["done", "mop", "--only", "-n"], "This would mark 1 to-do as done.\n"),
      (["delete", "mop", "-n"], "This would delete 1 to-do and 1 sub-task.\n"),
      (
        ["delete", "home", "--keep-todos", "-n"],
        "This would delete 1 record. 3 to-dos would then be on no list.\n"
      ),
      (
        ["edit", "mop", "--due", "tomorrow", "+late", "-n"],
        "This would edit 1 to-do: due Sat 2026-11-21 (tomorrow), +late.\n"
      ),
      (
        ["edit", "--overdue", "set", "--due", "tomorrow", "-n"],
        "This would edit 2 to-dos: due Sat 2026-11-21 (tomorrow).\n"
      ),
    ]
    for (words, sentence) in cases {
      let shown = stage.run(words)
      #expect(shown.code == .done && shown.output.hasSuffix("\n" + sentence), "\(shown)")
    }
  }

  @Test func `Several: if no to-do matches, that is reported`() throws {
    let stage = Stage.house()
    let none = "No to-do matches, so nothing was changed.\n"
    for words in [
      ["done", "--tag", "dry"], ["undone", "--list", "home"], ["restore", "--overdue"],
      ["move", "--due", "none", "--tag", "dry", "--to", "work"],
      ["edit", "--tag", "dry", "set", "--due", "tomorrow"],
    ] {
      #expect(stage.run(words) == .init(code: .done, output: none, error: ""), "\(words)")
    }
    #expect(try stage.json("done", "--tag", "dry") == [])
  }

  @Test func `Several: neither IDs nor a filter is a usage error, and so are both`() {
    let stage = Stage.house()
    for command in ["done", "undone", "skip", "cancel", "edit", "move", "delete", "restore"] {
      let more = ["edit": ["set", "--due", "fri"], "move": ["--to", "home"]][command] ?? []
      let none = stage.run([command] + more)
      #expect(none.code == .usage)
      #expect(
        none.error.hasPrefix("daybook: ID, or a filter such as --list NAME, is missing.\nusage: "),
        "\(none.error)")
    }
    #expect(
      stage.run("done", "mop", "--list", "home")
        == .init(
          code: .usage, output: "",
          error:
            "daybook: 'mop' and '--list' contradict each other. Use only one of them.\n"))
  }

  @Test(arguments: [
    ["done", "--done", "--yes"], ["undone", "--open", "--yes"], ["undone", "--overdue", "--yes"],
    ["delete", "--open", "--done"], ["delete", "--list", "home", "--keep-todos"],
    ["delete", "--list", "home", "--if-empty"],
  ])
  func `Several: a filter that contradicts the command is a usage error`(words: [String]) throws {
    let stage = Stage.house()
    let outcome = stage.run(words)
    #expect(outcome.code == .usage && outcome.error.contains("contradict each other"))
    #expect(try stage.titles() == ["Mop", "Post", "Rest", "Sweep"])
  }

  @Test func `Several: an unknown list, priority or day is refused as by list todos`() {
    let stage = Stage.house()
    for options in [["--list", "nowhere"], ["--priority", "urgent"], ["--due", "someday"]] {
      #expect(
        stage.run(["done"] + options + ["--yes"]).error
          == stage.run(["list", "todos"] + options).error)
    }
  }

  @Test func `Several: done selects open to-dos, and undone those that are done`() throws {
    let stage = Stage.house()
    _ = stage.answer("done", "mop")
    #expect(
      stage.run("done", "--list", "home", "--yes").output.hasSuffix("Marked 1 to-do as done.\n"))
    let undone = stage.run("undone", "--list", "home", "--yes")
    #expect(undone.output.hasSuffix("Marked 2 to-dos as open again.\n"))
    #expect(try stage.done() == [])
    _ = stage.answer("undo", "2")
    #expect(try stage.done() == ["Mop"])
  }

  @Test func `Several: to-dos are cancelled with a filter, in one step`() throws {
    let stage = Stage.house()
    let cancelled = stage.run("cancel", "--list", "home", "--yes")
    #expect(cancelled.code == .done && cancelled.error == "")
    #expect(cancelled.output.hasSuffix("Cancelled 2 to-dos.\n"))
    #expect(try stage.done() == ["Mop", "Sweep"])
    _ = stage.answer("undo")
    #expect(try stage.done() == [])
  }

  @Test func `Several: to-dos are deleted and restored with a filter`() throws {
    let stage = Stage.house()
    let deleted = stage.run("delete", "--list", "home", "--yes")
    #expect(deleted.output.hasSuffix("Deleted 2 to-dos.\n"))
    #expect(try stage.titles() == ["Post", "Rest"])
    let overdue = stage.run("restore", "--overdue", "-n")
    #expect(
      Stage.withoutIDs(overdue.output) == [
        "[ ] Mop Home due Sun 2026-11-01 (19 days ago)", "would restore 1 to-do.",
      ])
    #expect(stage.run("restore", "--tag", "wet", "--yes").output.hasSuffix("Restored 1 to-do.\n"))
    #expect(try stage.titles() == ["Post", "Rest", "Sweep"])
    #expect(stage.run("restore", "--list", "home", "--yes").output.hasSuffix("Restored 1 to-do.\n"))
    _ = stage.answer("undo", "2")
    #expect(try stage.titles() == ["Post", "Rest"])
    _ = stage.answer("undo")
    #expect(try stage.titles() == ["Mop", "Post", "Rest", "Sweep"])
  }

  @Test func `Several: to-dos are moved with a filter`() throws {
    let stage = Stage.house()
    let moved = stage.run("move", "--list", "home", "--to", "Work", "--bottom", "--yes")
    #expect(moved.output.hasSuffix("Moved 2 to-dos to list Work, to the bottom.\n"))
    #expect(
      moved.error
        == "daybook: 'daybook list todos --sort position' shows the new order; by default, to-dos are listed by urgency.\n"
    )
    func order() throws -> [String?] {
      let rows = try stage.json("list", "todos", "--list", "work", "--sort", "position")
      return rows.map { $0["title"]?.string }
    }
    #expect(try order() == ["Post", "Mop", "Sweep"])
    #expect(
      stage.run("move", "--tag", "wet", "--to", "", "--yes").output.hasSuffix(
        "Moved 1 to-do to no list.\n"))
    _ = stage.answer("undo", "2")
    #expect(try order() == ["Post"])
    #expect(
      stage.run("move", "--overdue", "--top", "--yes").error
        == "daybook: the position cannot be 'the top or bottom'. The to-dos are not all on the same list; "
        + "add --to LIST.\n")
  }

  @Test func `Several: the answer as JSON has the changes`() throws {
    let stage = Stage.house()
    let changes = try stage.json("done", "--list", "home", "--yes")
    #expect(changes.map { $0["verb"] } == ["edit", "edit"])
    #expect(changes.map { $0["record"]?["title"] } == ["Mop", "Sweep"])
    #expect(changes.map { $0["record"]?["done"] } == [true, true])
    let asked = stage.run(["undone", "--list", "home", "--json"], answering: { "yes" })
    #expect(asked.error.contains("Mop") && asked.error.hasSuffix("as open again? [y/N] "))
    #expect(try JSON(parsing: Array(asked.output.utf8)).array?.count == 2)
  }

  @Test func `Several: a thousand to-dos change in one step, and twenty are shown`() throws {
    let lines = (1...1_000).map {
      "{\"op\": \"add\", \"kind\": \"todo\", \"id\": \"A\($0)\", \"title\": \"n\($0)\"}\n"
    }
    let stage = Stage(input: lines.joined())
    _ = stage.answer("import", "-")
    let outcome = stage.run("done", "--open", "--yes")
    let told = outcome.output.split(separator: "\n")
    #expect(outcome.code == .done && told.count == 22)
    #expect(told.suffix(2) == ["  and 980 more", "Marked 1000 to-dos as done."])
    #expect(try stage.done().count == 1_000)
    _ = stage.answer("undo", "-q")
    #expect(try stage.done() == [])
    _ = stage.answer("redo", "-q")
    #expect(try stage.done().count == 1_000)
  }

  @Test func `Several: the reason is kept`() throws {
    let stage = Stage.house()
    _ = stage.answer("delete", "--overdue", "--yes", "--because", "moved house")
    #expect(stage.answer("log").contains("moved house"))
  }
}
