import Bytes
import Console
import Phrasing
import Testing

/// The reports of commands on repeating to-dos.
///
/// Today is Thursday, 26 November 2026.
struct RepeatReceiptTests {
  @Test(arguments: [
    (["--repeat", "every mon"], "due Mon 2026-11-30 (in 4 days), repeats every Mon"),
    (["--repeat", "daily"], "due Thu 2026-11-26 (today), repeats every day"),
    (
      ["--repeat", "every mon", "--due", "tomorrow"],
      "due Fri 2026-11-27 (tomorrow), repeats every Mon"
    ),
    (
      ["--repeat", "each 1st until 2027-06-30", "--time", "17:00"],
      "due Tue 2026-12-01 17:00 (in 5 days), repeats each month on the 1st until 2027-06-30"
    ),
    (
      ["--repeat", "every mon", "--until", "2027-06-30"],
      "due Mon 2026-11-30 (in 4 days), repeats every Mon until 2027-06-30"
    ),
    (
      ["--until", "none", "--repeat", "every mon until 2027-06-30"],
      "due Mon 2026-11-30 (in 4 days), repeats every Mon"
    ),
    (
      ["--repeat", "jeden Montag", "--start", "-2d"],
      "due Mon 2026-11-30 (in 4 days), hidden until Sat 2026-11-28 (in 2 days), repeats every Mon"
    ),
    (["--repeat", "FREQ=WEEKLY;INTERVAL=2"], "due Thu 2026-11-26 (today), repeats every 2 weeks"),
    (["--repeat", "none", "--due", "tomorrow"], "due Fri 2026-11-27 (tomorrow)"),
  ])
  func `Add: the receipt has the first date and the rule`(words: [String], expected: String) {
    let outcome = Stage.onThursday().run(["add", "todo", "Bins"] + words)
    #expect(outcome.output.hasSuffix(" Bins, \(expected).\n"), "\(outcome)")
  }

  @Test(arguments: [
    (["--repeat", "now and then"], "cannot read 'now and then' as a repeat rule."),
    (["--repeat", "every mon until 2020-01-01"], "the repeats end on 2020-01-01"),
    (["--repeat", "every mon", "--until", "2026-11-27"], "end on 2026-11-27"),
    (["--until", "2027-06-30"], "Add --repeat RULE."),
    (["--until", "2027-06-30", "--repeat", "none"], "Add --repeat RULE."),
    (["--repeat", "weekly", "--due", "2026-12"], "A repeating to-do needs a complete date"),
    (["--due", "every mon"], "Use --repeat 'every mon', and use the first day as the date."),
  ])
  func `Add: a rule that cannot be read is refused before anything is written`(
    words: [String], part: String
  ) throws {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "todo", "Mop")
    let outcome = stage.run(["add", "todo", "Bins"] + words)
    #expect(outcome.code == .refused)
    #expect(outcome.error.contains(part), "\(outcome.error)")
    #expect(try stage.todos().count == 1)
  }

  @Test func `Done: each state of a date has its words`() {
    let stage = Stage.onThursday()
    stage.addBins()
    #expect(
      stage.told("done", "bins") == "Done: todo ID Bins of Mon 2026-11-23, next Mon 2026-11-30.\n")
    #expect(
      stage.told("undone", "bins")
        == "Open again: todo ID Bins, due Mon 2026-11-23 (3 days ago).\n")
    #expect(
      stage.told("skip", "bins")
        == "Skipped: todo ID Bins of Mon 2026-11-23, next Mon 2026-11-30.\n")
    #expect(
      stage.told("undo")
        == "Undone: open again: todo ID Bins, due Mon 2026-11-23 (3 days ago).\n")
    #expect(
      stage.told("redo")
        == "Redone: skipped: todo ID Bins of Mon 2026-11-23, next Mon 2026-11-30.\n")
  }

  @Test
  func `Undo: the receipt names the completion that was undone, and redo closes the date again`()
    throws
  {
    let stage = Stage.onThursday()
    stage.addBins()
    _ = stage.answer("done", "bins")
    #expect(
      stage.told("undo")
        == "Undone: open again: todo ID Bins, due Mon 2026-11-23 (3 days ago).\n")
    #expect(try stage.todos().map { $0["due"] } == ["2026-11-23"])
    #expect(
      stage.told("redo") == "Redone: done: todo ID Bins of Mon 2026-11-23, next Mon 2026-11-30.\n")
    #expect(stage.told("undo", "bins").hasPrefix("Undone: open again: todo ID Bins"))
  }

  @Test func `Done: a past date is named by the id of its row`() throws {
    let stage = Stage.onThursday()
    stage.addBins()
    _ = stage.answer("skip", "bins")
    _ = stage.answer("done", "bins")
    let rows = try stage.todos("--done")
    let past = try #require(
      rows.first { $0["due"] == "2026-11-23" }.flatMap { $0["id"]?.string })
    #expect(stage.told("done", past) == "Done: todo ID Bins of Mon 2026-11-23.\n")
    #expect(stage.told("done", past).hasPrefix("Nothing to change: todo ID Bins is"))
    #expect(
      stage.told("undone", past)
        == "Open again: todo ID Bins, due Mon 2026-11-23 (3 days ago).\n")
    #expect(try stage.todos().map { $0["due"] } == ["2026-11-23"])
    let refused = stage.run("delete", try #require(rows.first?["id"]?.string))
    #expect(refused.code == .refused)
    #expect(refused.error.contains("a single date of a repeating to-do cannot be deleted."))
  }

  @Test func `Edit: a past date is named by its own id and its day`() throws {
    let stage = Stage.onThursday()
    stage.addBins()
    _ = stage.answer("done", "bins")
    let past = String(stage.answer("list", "todos", "--done", "--plain").prefix { $0 != "\t" })
    let end = "this date only; --series changes all dates.\n"
    #expect(
      stage.answer("edit", past, "--title", "Big bins")
        == "Edited todo \(past) Big bins of Mon 2026-11-23: title Big bins, \(end)")
    #expect(
      stage.answer("edit", past, "--due", "2026-12-25")
        == "Edited todo \(past) Big bins of Mon 2026-11-23: due Fri 2026-12-25 (in 29 days), \(end)"
    )
    #expect(try stage.record("bins")["due"] == "2026-11-30")
  }

  @Test func `Undone: a past date of a sub-task is named, and is no date of its own repeats`()
    throws
  {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "Pills", "--due", "today", "--repeat", "daily")
    _ = stage.answer("add", "Water", "--under", "pills")
    for title in ["water", "pills"] { _ = stage.answer("done", title) }
    let past = try #require(
      stage.todos("--done").first { $0["title"] == "Water" }?["id"]?.string)
    #expect(stage.told("undone", past) == "Open again: todo ID Water of Thu 2026-11-26.\n")
    #expect(stage.told("done", past) == "Done: todo ID Water of Thu 2026-11-26.\n")
    _ = stage.answer("undone", past)
    #expect(
      stage.told("edit", "water", "--repeat", "daily", "--due", "2026-11-29")
        == "Edited todo ID Water: due Sun 2026-11-29 (in 3 days), repeats every day.\n")
    #expect(try stage.record("water")["due"] == "2026-11-29")
  }

  @Test func `Done: the last date is named as such, and after it nothing is left to close`() throws
  {
    let stage = Stage.onThursday()
    stage.addBins()
    #expect(
      stage.told("edit", "bins", "--repeat", "none")
        == "Edited todo ID Bins: its last date is due Mon 2026-11-23 (3 days ago).\n")
    #expect(stage.told("done", "bins") == "Done: todo ID Bins of Mon 2026-11-23, the last one.\n")
    #expect(try stage.todos().isEmpty)
    #expect(stage.told("done", "bins").hasPrefix("Nothing to change: todo ID Bins is"))
  }

  @Test func `Undone: a cancelled to-do that repeats continues`() throws {
    let stage = Stage.onThursday()
    stage.addBins()
    let due = "due Mon 2026-11-23 (3 days ago), repeats every week"
    _ = stage.answer("cancel", "bins")
    #expect(stage.told("undone", "bins") == "Open again: todo ID Bins, \(due).\n")
    #expect(stage.told("undo") == "Undone: cancelled: todo ID Bins and its repeats.\n")
    _ = stage.answer("undone", "bins")
    _ = stage.answer("edit", "bins", "--due", "fri")
    _ = stage.answer("cancel", "bins")
    #expect(
      stage.told("undone", "bins")
        == "Open again: todo ID Bins, due Fri 2026-11-27 (tomorrow), repeats every week.\n")
    #expect(try stage.todos("--all").map { $0["due"] } == ["2026-11-27"])
    #expect(
      stage.told("done", "bins")
        == "Done: todo ID Bins of Fri 2026-11-27, 1 day early, next Mon 2026-11-30.\n")
    // The most recently closed date is reopened first.
    _ = stage.answer("edit", "bins", "--repeat", "none")
    _ = stage.answer("done", "bins")
    #expect(
      stage.told("undone", "bins")
        == "Open again: todo ID Bins, due Mon 2026-11-30 (in 4 days).\n")
    #expect(try stage.record("bins")["repeat"]?["until"] == "2026-11-30")
  }

  @Test func `Undone: a cancelled to-do that repeats keeps the end that it had`() throws {
    let stage = Stage.onThursday()
    _ = stage.answer(
      "add", "Course", "--repeat", "daily", "--due", "today", "--until", "2026-12-10")
    let due = "due Thu 2026-11-26 (today), repeats every day until"
    for end in ["2026-12-10", "2026-12-04"] {
      _ = stage.answer("edit", "course", "--repeat", "daily until \(end)")
      for _ in 0..<2 {
        _ = stage.answer("cancel", "course")
        #expect(stage.told("undone", "course") == "Open again: todo ID Course, \(due) \(end).\n")
        #expect(try stage.record("course")["repeat"]?["until"] == .string(end))
      }
    }
    _ = stage.answer("edit", "course", "--until", "none")
    _ = stage.answer("cancel", "course")
    #expect(
      stage.told("undone", "course")
        == "Open again: todo ID Course, due Thu 2026-11-26 (today), repeats every day.\n")
  }

  @Test(arguments: [("skip", "skipped"), ("done", "done")])
  func `Undone: the last date of a to-do that ends by itself is opened, and the end stays`(
    verb: String, state: String
  ) throws {
    let stage = Stage.onThursday()
    _ = stage.answer(
      "add", "Course", "--repeat", "daily", "--due", "today", "--until", "2026-11-27")
    for _ in 0..<2 { _ = stage.answer(verb, "course") }
    #expect(
      stage.told("undone", "course")
        == "Open again: todo ID Course, due Fri 2026-11-27 (tomorrow).\n")
    #expect(try stage.record("course")["repeat"]?["until"] == "2026-11-27")
    #expect(stage.told("undo").hasPrefix("Undone: \(state): todo ID Course of Fri 2026-11-27"))
  }

  @Test func `Edit: a to-do that ends after a done date is not called cancelled`() throws {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "Pills", "--repeat", "daily", "--due", "today")
    _ = stage.answer("done", "pills")
    let ended = "dited todo ID Pills: repeats every day until 2026-11-26, so it has ended.\n"
    #expect(stage.told("edit", "pills", "--until", "2026-11-26") == "E\(ended)")
    #expect(try stage.todos("--all").map { $0["done"] } == [true])
    _ = stage.answer("undo")
    #expect(stage.told("redo") == "Redone: e\(ended)")
    _ = stage.answer("undo")
    #expect(stage.told("cancel", "pills") == "Cancelled: todo ID Pills and its repeats.\n")
    // Without a done date, the end closes the to-do as cancelled.
    _ = stage.answer("add", "Drops", "--repeat", "daily", "--due", "today")
    #expect(
      stage.told("edit", "drops", "--until", "2026-11-20")
        == "Cancelled: todo ID Drops and its repeats.\n")
  }

  @Test func `Cancel and delete: the repeats end, too`() throws {
    let stage = Stage.onThursday()
    stage.addBins()
    #expect(stage.told("cancel", "bins") == "Cancelled: todo ID Bins and its repeats.\n")
    #expect(try stage.todos().isEmpty)
    #expect(stage.told("undo").hasPrefix("Undone: edited todo ID Bins: repeats every week."))
    _ = stage.answer("edit", "bins", "--due", "2026-11-27")
    #expect(stage.told("cancel", "bins") == "Cancelled: todo ID Bins and its repeats.\n")
    _ = stage.answer("undo")
    #expect(stage.told("delete", "bins") == "Deleted todo ID Bins and its repeats.\n")
    #expect(
      stage.told("restore", "bins")
        == "Restored todo ID Bins, due Fri 2026-11-27 (tomorrow), repeats every week.\n")
  }

  @Test func `Skip: a to-do that does not repeat is refused`() {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "todo", "Mop")
    let outcome = stage.run("skip", "mop")
    #expect(outcome.code == .refused)
    #expect(
      outcome.error
        == "daybook: the to-do does not repeat. Add a repeat rule first, such as --repeat weekly.\n"
    )
  }

  @Test func `JSON: a closed date is listed with its to-do`() throws {
    let stage = Stage.onThursday()
    stage.addBins()
    let told = try JSON(parsing: Array(stage.answer("done", "bins", "--json").utf8))
    let change = try #require(told.array?.first)
    #expect(change["record"]?["done"] == true)
    #expect(change["record"]?["title"] == "Bins")
    #expect(change["record"]?["slot"] == "2026-11-23")
    #expect(change["record"]?["series"] == change["todo"]?["id"])
    #expect(change["todo"]?["due"] == "2026-11-30")
  }

  @Test func `Sub-tasks: the sub-tasks of a to-do that repeats are closed for one date`() throws {
    let stage = Stage.onThursday()
    stage.addBins()
    _ = stage.answer("add", "todo", "Rinse", "--under", "bins")
    #expect(stage.told("done", "rinse") == "Done: todo ID Rinse.\n")
    #expect(try stage.record("rinse")["done"] == true)
    #expect(
      stage.told("done", "bins") == "Done: todo ID Bins of Mon 2026-11-23, next Mon 2026-11-30.\n")
    #expect(try stage.record("rinse")["done"] == false)
    #expect(stage.told("delete", "bins").hasPrefix("Deleted todo ID Bins and its repeats"))
  }

  @Test func `Sub-tasks: a sub-task that repeats is closed and deleted with its parent`() throws {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "todo", "Trip")
    _ = stage.answer("add", "todo", "Water", "--under", "trip", "--repeat", "daily")
    _ = stage.answer("done", "water")
    #expect(stage.told("done", "trip") == "Done: todo ID Trip and 1 sub-task.\n")
    #expect(try stage.todos("--done").filter { $0["title"] == "Water" }.count == 2)
    #expect(stage.told("delete", "trip").hasPrefix("Deleted todo ID Trip"))
  }
}
