import Bytes
import Console
import Phrasing
import Testing

/// Edits to repeating to-dos: to one date, or to all.
///
/// Today is Thursday, 26 November 2026.
struct RepeatEditTests {
  private func stage(_ words: String...) -> Stage {
    let stage = Stage.onThursday()
    #expect(
      stage.run(["add", "todo", "Bins", "--due", "2026-11-23", "--repeat", "weekly"] + words).code
        == .done)
    return stage
  }

  @Test func `Edit: due date, time and start change this time only`() throws {
    let stage = stage()
    #expect(
      stage.told("edit", "bins", "--due", "fri")
        == "Edited todo ID Bins: due Fri 2026-11-27 (tomorrow), this date only; --series changes all dates.\n"
    )
    #expect(
      stage.told("edit", "bins", "--time", "17:00")
        == "Edited todo ID Bins: due Fri 2026-11-27 17:00 (tomorrow), this date only; "
        + "--series changes all dates.\n")
    #expect(
      stage.told("edit", "bins", "--start", "tomorrow", "--this")
        == "Edited todo ID Bins: hidden until Fri 2026-11-27 (tomorrow), this date only.\n")
    let moved = try stage.record("bins")
    #expect([moved["due"], moved["dueTime"]] == ["2026-11-27", "17:00"])
    #expect([moved["slot"], moved["firstDue"]] == ["2026-11-23", "2026-11-23"])
    _ = stage.answer("done", "bins")
    let next = try stage.record("bins")
    #expect([next["due"], next["dueTime"], next["start"]] == ["2026-11-30", .null, .null])
  }

  @Test func `Edit: other fields change all dates, even in the same command`() throws {
    let stage = stage()
    _ = stage.answer("done", "bins")
    #expect(
      stage.told("edit", "bins", "--title", "Paper", "--due", "2026-12-01")
        == """
        Edited todo ID Paper: title Paper.
        Edited todo ID Paper: due Tue 2026-12-01 (in 5 days), this date only; --series changes all dates.

        """)
    #expect(try stage.todos("--all").map { $0["title"] } == ["Paper", "Paper"])
  }

  @Test func `Edit: --series moves all dates, and the start with them`() throws {
    let stage = stage("--start", "-2d")
    #expect(
      stage.told("edit", "bins", "--due", "2026-12-01", "--series")
        == "Edited todo ID Bins: due Tue 2026-12-01 (in 5 days), hidden until Sun 2026-11-29 (in 3 days).\n"
    )
    _ = stage.answer("edit", "bins", "--start", "-1d", "--series")
    #expect(try stage.record("bins")["start"] == "2026-11-30")
    _ = stage.answer("done", "bins")
    let next = try stage.record("bins")
    #expect([next["due"], next["start"]] == ["2026-12-08", "2026-12-07"])
  }

  @Test func `Edit: --series replaces a date that was moved separately`() throws {
    let stage = stage()
    _ = stage.answer("edit", "bins", "--due", "2026-12-02")
    #expect(
      stage.told("edit", "bins", "--due", "2026-11-23", "--series")
        == "Edited todo ID Bins: due Mon 2026-11-23 (3 days ago).\n")
    _ = stage.answer("edit", "bins", "--due", "2026-12-02")
    #expect(
      stage.told("edit", "bins", "--due", "2026-12-01", "--series")
        == "Edited todo ID Bins: due Tue 2026-12-01 (in 5 days).\n")
    #expect(
      stage.told("done", "bins")
        == "Done: todo ID Bins of Tue 2026-12-01, 5 days early, next Tue 2026-12-08.\n")
  }

  @Test func `Edit: --series reports that a rule does not fall on the new date`() {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "todo", "Bins", "--repeat", "every mon")
    let outcome = stage.run("edit", "bins", "--due", "2026-12-01", "--series")
    #expect(outcome.code == .done)
    #expect(
      outcome.error
        == "daybook: the rule 'every Mon' has no date on Tue 2026-12-01, so only the first date moves. "
        + "--repeat changes the rule.\n")
  }

  @Test func `Edit: --this gives one date a title of its own`() throws {
    let stage = stage()
    #expect(
      stage.told("edit", "bins", "--title", "Bins and paper", "--this")
        == "Edited todo ID Bins and paper: title Bins and paper, this date only.\n")
    #expect(try stage.todos().map { $0["title"] } == ["Bins and paper"])
    _ = stage.answer("done", "bins")
    #expect(try stage.todos("--all").map { $0["title"] } == ["Bins", "Bins and paper"])
  }

  @Test func `Edit: --series names the title and note that the current date keeps`() throws {
    let stage = stage()
    _ = stage.answer("edit", "bins", "--title", "Paper", "--note", "blue", "--this")
    #expect(
      stage.told("edit", "Paper", "--title", "Rubbish", "--note", "grey", "--series")
        == "Edited todo ID Paper: note grey, title Rubbish. Its current date keeps its own title: Paper. "
        + "Its current date keeps its own note: blue.\n")
    #expect(
      stage.told("why", "Paper.title").hasPrefix(
        "todo ID Paper: title is Rubbish.\nIts current date has its own title: Paper.\n"))
    #expect(stage.told("blame", "Paper").hasPrefix("todo ID Paper\n"))
    #expect(stage.told("show", "Paper").hasPrefix("todo ID Paper\n"))
    #expect(stage.answer("why", "Paper.title", "--json").contains(#""title": "Paper""#))
    _ = stage.answer("done", "Paper")
    #expect(
      stage.told("edit", "Rubbish", "--title", "Bins", "--series")
        == "Edited todo ID Bins: title Bins.\n")
  }

  @Test func `Edit: --series with the id of a past date changes the to-do, and reports it once`()
    throws
  {
    let stage = stage()
    _ = stage.answer("done", "bins")
    let past = try #require(try stage.todos("--done").first?["id"]?.string)
    #expect(
      stage.told("edit", past, "--series", "--title", "Paper")
        == "Edited todo ID Paper: title Paper.\n")
    #expect(stage.told("edit", past, "--time", "none").hasPrefix("Nothing to change: todo"))
  }

  @Test func `Edit: a value that a date inherits is neither written to it nor cleared`() throws {
    let stage = stage("--start", "-1d")
    for words in [["--time", "none"], ["--start", "2026-11-22"], ["--this", "--title", "Bins"]] {
      let outcome = stage.run(["edit", "bins"] + words)
      #expect(outcome.output.hasPrefix("Nothing to change: todo"), "\(outcome)")
    }
    let refused = stage.run("edit", "bins", "--start", "none")
    #expect(
      refused.error
        == "daybook: the start cannot be changed in this way for a single date of a repeating to-do. "
        + "To change it for all dates, use 'edit --series'.\n")
    #expect(stage.answer("log").split(separator: "\n").count == 1)
    // The time of all dates then also applies to this date.
    _ = stage.answer("edit", "bins", "--time", "17:00", "--series")
    #expect(try stage.record("bins")["dueTime"] == "17:00")
  }

  @Test(arguments: [
    (["--list", "", "--this"], "To change it for all dates, use 'edit --series'."),
    (["--due", "none"], "a repeating to-do needs a complete due date."),
    (["--due", "none", "--series"], "a repeating to-do needs a complete due date."),
    (["--due", "2026-12"], "a repeating to-do needs a complete due date."),
    (["--repeat", "now and then"], "cannot read 'now and then' as a repeat rule."),
  ])
  func `Edit: a value that a to-do that repeats cannot have is refused`(
    words: [String], part: String
  ) throws {
    let stage = stage("--list", "Home")
    let before = try stage.record("bins")
    let outcome = stage.run(["edit", "bins"] + words)
    #expect(outcome.code == .refused)
    #expect(outcome.error.contains(part), "\(outcome.error)")
    #expect(try stage.record("bins") == before)
  }

  @Test(arguments: [
    ["edit", "bins", "--this", "--series", "--due", "fri"],
    ["edit", "bins", "--this", "--repeat", "daily"],
  ])
  func `Edit: options that contradict each other are a usage error`(words: [String]) {
    #expect(stage().run(words).code == .usage)
  }

  @Test func `Edit: --this and --series are refused for a to-do that does not repeat`() {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "todo", "Mop")
    _ = stage.answer("add", "birthday", "Ada", "1815-12-10")
    for option in ["--this", "--series"] {
      #expect(stage.run("edit", "mop", option, "--due", "fri").code == .refused)
      #expect(stage.run("edit", "ada", option, "--first-name", "Eva").code != .done)
    }
  }

  @Test(arguments: [
    ("every 2 weeks", "due Mon 2026-11-23 (3 days ago), repeats every 2 weeks"),
    ("every mon", "due Mon 2026-11-23 (3 days ago), repeats every Mon"),
    ("every fri", "due Fri 2026-11-27 (tomorrow), repeats every Fri"),
    ("every 15th", "due Tue 2026-12-15 (in 19 days), repeats every month on the 15th"),
    ("after done 3 days", "due Mon 2026-11-23 (3 days ago), repeats every! 3 days"),
  ])
  func `Edit: a new rule keeps the due date if it can fall on it`(rule: String, expected: String) {
    #expect(
      stage().told("edit", "bins", "--repeat", rule) == "Edited todo ID Bins: \(expected).\n")
  }

  @Test func `Edit: a new rule drops a date that was moved`() throws {
    let stage = stage()
    _ = stage.answer("edit", "bins", "--due", "fri")
    #expect(
      stage.told("edit", "bins", "--repeat", "every mon", "--due", "2026-11-30")
        == "Edited todo ID Bins: due Mon 2026-11-30 (in 4 days), repeats every Mon.\n")
    #expect(try stage.todos().map { $0["due"] } == ["2026-11-30"])
    #expect(stage.told("undo").hasPrefix("Undone: edited todo ID Bins: due Fri 2026-11-27"))
  }

  @Test func `Edit: a plain to-do gets a rule, and loses it`() throws {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "todo", "Mop")
    #expect(
      stage.told("edit", "mop", "--repeat", "every sat")
        == "Edited todo ID Mop: due Sat 2026-11-28 (in 2 days), repeats every Sat.\n")
    #expect(
      stage.told("edit", "mop", "--until", "2027-01-31")
        == "Edited todo ID Mop: repeats every Sat until 2027-01-31.\n")
    _ = stage.answer("edit", "mop", "--repeat", "none")
    _ = stage.answer("done", "mop")
    #expect(try stage.todos().isEmpty)
    #expect(stage.told("edit", "mop", "--repeat", "none").hasPrefix("Nothing to change"))
  }

  @Test func `Edit: an end of the repeats is refused for a to-do that does not repeat`() throws {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "todo", "Mop")
    let ended = stage.run("edit", "mop", "--until", "2027-01-31")
    #expect(ended.code == .refused)
    #expect(ended.error.contains("the to-do does not repeat. Add a repeat rule first"))
    #expect(stage.told("edit", "mop", "--until", "none").hasPrefix("Nothing to change"))
  }

  @Test func `Edit: several to-dos get a rule together, and a new date applies to this time only`()
    throws
  {
    let stage = stage("--list", "Home")
    _ = stage.answer("add", "todo", "Mop", "--list", "Home", "--due", "2026-11-24")
    let moved = stage.run("edit", "--list", "Home", "--yes", "set", "--due", "tomorrow")
    #expect(
      moved.output.hasSuffix("Edited 2 to-dos: due Fri 2026-11-27 (tomorrow).\n"), "\(moved)")
    #expect(
      moved.error
        == "daybook: 1 of them repeats, and only its current date was changed; --series changes all dates.\n"
    )
    let all = stage.run("edit", "--list", "Home", "--yes", "set", "--repeat", "every tue")
    #expect(all.output.hasSuffix("Edited 2 to-dos: repeat every tue.\n"), "\(all)")
    #expect(
      try stage.todos().map { $0["repeat"]?["rule"] }
        == ["FREQ=WEEKLY;BYDAY=TU", "FREQ=WEEKLY;BYDAY=TU"])
    #expect(try stage.todos().map { $0["due"] } == ["2026-12-01", "2026-12-01"])
  }

  @Test func `Several at once: past dates are opened again, but not edited or deleted`()
    throws
  {
    let stage = stage("--list", "Home")
    _ = stage.answer("done", "--list", "Home", "--yes")
    _ = stage.answer("skip", "--list", "Home", "--yes")
    _ = stage.answer("add", "todo", "Mop", "--list", "Home")
    _ = stage.answer("done", "mop")
    #expect(try stage.todos("--done").count == 3)
    let deleted = stage.run("delete", "--list", "Home", "--done", "--yes")
    #expect(deleted.output.hasSuffix("Deleted 1 to-do.\n"), "\(deleted)")
    #expect(try stage.todos("--done").map { $0["title"] } == ["Bins", "Bins"])
    _ = stage.answer("undone", "--list", "Home", "--yes")
    #expect(try stage.todos().map { $0["due"] } == ["2026-11-23"])
  }
}
