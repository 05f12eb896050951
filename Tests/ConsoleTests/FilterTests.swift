import Bytes
import Console
import Phrasing
import Testing

struct FilterTests {
  private static func stage() -> Stage {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep", "--due", "2026-11-01", "--list", "Home")
    _ = stage.answer("add", "todo", "Post", "--due", "2026-11-20", "--priority", "high")
    _ = stage.answer("add", "todo", "Bake", "--due", "2026-12-24")
    _ = stage.answer("add", "todo", "Rest")
    _ = stage.answer("edit", "rest", "--tags", "Été")
    _ = stage.answer("add", "todo", "Paid", "--due", "2026-10-01")
    _ = stage.answer("done", "paid")
    return stage
  }

  /// Returns the titles of the listed to-dos, in order.
  private static func titles(_ stage: Stage, _ options: String...) throws -> [String] {
    let outcome = stage.run(["list", "todos", "--json"] + options)
    #expect(outcome.code == .done, "\(options): \(outcome.error)")
    let records = try JSON(parsing: Array(outcome.output.utf8)).array ?? []
    return records.compactMap { $0["title"]?.string }
  }

  @Test func `List filters: to-dos are filtered and sorted by each option`() throws {
    let stage = Self.stage()
    #expect(try Self.titles(stage, "--done") == ["Paid"])
    #expect(try Self.titles(stage, "--overdue") == ["Sweep"])
    #expect(try Self.titles(stage, "--priority", "high") == ["Post"])
    #expect(try Self.titles(stage, "--tag", "ete") == ["Rest"])
    #expect(try Self.titles(stage, "--due", "today") == ["Post"])
    #expect(try Self.titles(stage, "--due", "none") == ["Rest"])
    #expect(try Self.titles(stage, "--due", "any", "--open").count == 3)
    #expect(try Self.titles(stage, "--due", "2026-11", "--sort", "due") == ["Sweep", "Post"])
    #expect(
      try Self.titles(stage, "--due", "..2026-11-01", "--sort", "due", "--all") == [
        "Paid", "Sweep",
      ])
    #expect(try Self.titles(stage, "--due", "tomorrow..") == ["Bake"])
    #expect(
      try Self.titles(stage, "--sort", "title", "--open") == ["Bake", "Post", "Rest", "Sweep"])
  }

  @Test func `List filters: a due month or year is overdue once it is over`() throws {
    let stage = Stage()
    for due in ["2025", "2026", "2026-10", "2026-11"] {
      _ = stage.answer("add", "todo", "in \(due)", "--due", due)
    }
    #expect(try Self.titles(stage, "--overdue", "--sort", "due") == ["in 2025", "in 2026-10"])
    #expect(
      stage.answer("remind") == """
        Overdue since Sat 2026-10-31: in 2026-10.
        Overdue since Wed 2025-12-31: in 2025.

        """)
  }

  /// Today is Thursday, 26 November 2026.
  @Test(
    "List filters: a week, month or year means all its days",
    arguments: [
      ("next week", "30 6"), ("nächste Woche", "30 6"), ("下周", "30 6"), ("W49", "30 6"),
      ("2026-W49", "30 6"), ("KW 49", "30 6"), ("this week", "26 29"), ("diese Woche", "26 29"),
      ("本周", "26 29"), ("next month", "6 31"), ("december", "6 31"),
      ("Dezember", "6 31"), ("im Dezember", "6 31"), ("12月", "6 31"),
      ("this month", "26 29 30"), ("next year", "2027"), ("dec 2027", ""), ("2027", "2027"),
      ("weekend", "29"), ("W49..december", "30 6 31"), ("W49-1", "30"), ("tomorrow", ""),
    ])
  func spans(words: String, titles: String) throws {
    let stage = Stage.onThursday()
    let dates = [
      ("26", "2026-11-26"), ("29", "2026-11-29"), ("30", "2026-11-30"), ("6", "2026-12-06"),
      ("31", "2026-12-31"), ("2027", "2027-05-01"),
    ]
    for (title, due) in dates { _ = stage.answer("add", "todo", "--due", due, "--", title) }
    let found = try Self.titles(stage, "--due", words)
    #expect(Set(found) == Set(titles.split(separator: " ").map(String.init)), "\(found)")
  }

  @Test func `List filters: in the past, overdue is relative to that time`() throws {
    let stage = Self.stage()
    let then = stage.answer("at", "2026-11-20T23:00:00Z", "list", "todos", "--overdue")
    #expect(then.contains("Sweep"))
    #expect(stage.answer("at", "2026-11-20 00:00", "list", "todos", "--overdue") == "")
  }

  @Test func `List filters: contradictory or invalid options are refused`() {
    let stage = Self.stage()
    let wrong: [([String], ExitCode)] = [
      (["--open", "--done"], .usage), (["--overdue", "--due", "today"], .usage),
      (["--overdue", "--done"], .usage), (["--due", "--12-24"], .refused),
      (["--due", "2026-12..2026-11"], .refused), (["--sort", "colour"], .refused),
      (["--priority", "huge"], .refused),
    ]
    for (options, code) in wrong {
      #expect(stage.run(["list", "todos"] + options).code == code, "\(options)")
    }
  }

  @Test func `List filters: birthdays are sorted by their next occurrence`() {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada", "--01-01")
    _ = stage.answer("add", "birthday", "Bo", "--12-24")
    #expect(stage.answer("list", "birthdays").contains("Ada"))
    let lines = stage.answer("list", "birthdays", "--sort", "next").split(separator: "\n")
    #expect(lines.first?.contains("Bo") == true)
  }

  @Test func `Search: results are ranked and limited to a kind or list`() throws {
    let stage = Self.stage()
    _ = stage.answer("add", "list", "Sweepings")
    func found(_ words: String...) -> [String] {
      stage.run(["search"] + words).output.split(separator: "\n").map { line in
        line.split(separator: " ").dropFirst().joined(separator: " ")
      }
    }
    #expect(found("ＳＷＥＥＰ") == ["todo [ ] Sweep Home", "list Sweepings"])
    #expect(found("sweep", "--kind", "list") == ["list Sweepings"])
    #expect(found("", "--list", "Home") == ["todo [ ] Sweep"])
    #expect(found("été") == ["todo [ ] Rest"])
    #expect(found("t", "--list", "none") == ["todo [ ] Post", "todo [ ] Rest"])
    #expect(found().count == 7)
    #expect(stage.run("search", "x", "--kind", "thing").code == .refused)
    #expect(stage.run("search", "x", "--kind", "list", "--list", "Home").code == .usage)
  }
}
