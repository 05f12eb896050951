import Bytes
import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// Due times, on Friday, 20 November 2026, after nine in the morning.
struct DueTimeTests {
  /// Returns the receipt after the title.
  private func receipt(_ outcome: String, of title: String = "Call") -> String {
    outcome.firstRange(of: title).map { String(outcome[$0.upperBound...]) } ?? outcome
  }

  private func titles(_ stage: Stage, _ options: String...) throws -> [String] {
    let outcome = stage.run(["list", "todos", "--json"] + options)
    #expect(outcome.code == .done, "\(options): \(outcome.error)")
    return (try JSON(parsing: Array(outcome.output.utf8)).array ?? [])
      .compactMap { $0["title"]?.string }
  }

  @Test(
    "Due times: a time is given with the date or by itself",
    arguments: [
      ["--due", "tomorrow 17:00"], ["--due", "tomorrow", "--time", "17:00"],
      ["--due", "2026-11-21 17:00"], ["--due", "2026-11-21T17:00"], ["--due", "sat 5pm"],
      ["--due", "Sat at 5 PM"], ["--time", "5:00 pm", "--due", "sat"],
    ])
  func forms(options: [String]) {
    let stage = Stage()
    let added = stage.run(["add", "todo", "Call"] + options).output
    #expect(receipt(added) == ", due Sat 2026-11-21 17:00 (tomorrow).\n")
    #expect(
      stage.answer("list", "todos").hasSuffix("Call  due Sat 2026-11-21 17:00 (tomorrow)\n"))
  }

  @Test(
    "Due times: a time alone is the next such time",
    arguments: [
      ("17:00", "Fri 2026-11-20 17:00 (today)"), ("9:00", "Sat 2026-11-21 09:00 (tomorrow)"),
      ("noon", "Fri 2026-11-20 12:00 (today)"), ("12am", "Sat 2026-11-21 00:00 (tomorrow)"),
    ])
  func timeAlone(words: String, due: String) {
    #expect(receipt(Stage().answer("add", "todo", "Call", "--due", words)) == ", due \(due).\n")
  }

  @Test
  func `Due times: an edit changes the date, the time or both, and undo reverts it in one step`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Call", "--due", "tomorrow 17:00")
    #expect(
      receipt(stage.answer("edit", "call", "--due", "fri"))
        == ": due Fri 2026-11-27 17:00 (in 7 days).\n")
    #expect(
      receipt(stage.answer("edit", "call", "--time", "18:30"))
        == ": due Fri 2026-11-27 18:30 (in 7 days).\n")
    #expect(
      receipt(stage.answer("edit", "call", "--due", "mon 8:00", "--due-zone", "Asia/Kolkata"))
        == ": due Mon 2026-11-23 08:00 Asia/Kolkata (here Mon 2026-11-23 02:30, in 3 days).\n")
    _ = stage.answer("undo")
    #expect(stage.answer("list", "todos").hasSuffix("due Fri 2026-11-27 18:30 (in 7 days)\n"))
  }

  @Test func `Due times: none clears the due date, its time and its zone together`() {
    let stage = Stage()
    _ = stage.answer(
      "add", "todo", "Call", "--due", "tomorrow 17:00", "--due-zone", "Europe/Berlin")
    #expect(receipt(stage.answer("edit", "call", "--due", "none")) == ": due none.\n")
    let shown = stage.answer("show", "call")
    for name in ["due", "time", "zone"] { #expect(!shown.contains(name), "\(shown)") }
    _ = stage.answer("undo")
    #expect(
      receipt(stage.answer("edit", "call", "--time", "none"))
        == ": due Sat 2026-11-21 (tomorrow).\n")
    #expect(!stage.answer("show", "call").contains("Berlin"))
  }

  @Test(
    "Due times: what does not fit together is refused with what to do",
    arguments: [
      (
        ["--time", "17:00"],
        "a to-do without a complete due date cannot have a time. Set the due date as well"
      ),
      (
        ["--due", "2026-12", "--time", "17:00"],
        "a to-do without a complete due date cannot have a time."
      ),
      (
        ["--due", "someday", "--time", "17:00"],
        "a to-do without a complete due date cannot have a time."
      ),
      (
        ["--due", "tomorrow", "--due-zone", "Europe/Berlin"],
        "a to-do without a time cannot have a time zone. Set the time as well, such as 17:00."
      ),
      (["--due", "tomorrow 25:00"], "Use a time from 00:00 to 23:59, such as 17:00"),
      (["--due", "tomorrow", "--time", "soon"], "Use a time from 00:00 to 23:59, such as 17:00"),
      (["--due", "tomorrow", "--time", "13pm"], "Use a time from 00:00 to 23:59, such as 17:00"),
      (
        ["--due", "fri 17:00", "--due-zone", "Europe/Berln"],
        "the time zone cannot be 'Europe/Berln'. Use a name such as Europe/Berlin"
      ),
      (["--remind", "2"], "the reminders cannot be '2'. Use minutes, hours, days or weeks"),
    ])
  func refusals(options: [String], advice: String) {
    let stage = Stage()
    let added = stage.run(["add", "todo", "Call"] + options)
    #expect(added.code == .refused)
    #expect(added.error.contains(advice), "\(added.error)")
    _ = stage.answer("add", "todo", "Mop")
    let edited = stage.run(["edit", "mop"] + options.map { $0 == "someday" ? "none" : $0 })
    #expect(edited.code == .refused)
    #expect(edited.error.contains(advice), "\(edited.error)")
  }

  @Test func `Due times: a command with two times is refused`() {
    let stage = Stage()
    let words = ["todo", "Call", "--due", "fri 17:00", "--time", "18:00"]
    #expect(stage.run(["add"] + words).code == .usage)
    _ = stage.answer("add", "todo", "Call")
    #expect(stage.run(["edit"] + words.dropFirst()).code == .usage)
  }

  @Test func `Due times: a to-do is overdue once its minute has passed`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Soon", "--due", "today 09:30")
    _ = stage.answer("add", "todo", "Later", "--due", "today 17:00")
    _ = stage.answer("add", "todo", "Today", "--due", "today")
    _ = stage.answer("add", "todo", "Old", "--due", "yesterday 23:59")
    #expect(try titles(stage, "--overdue") == ["Old"])
    // The next run begins at 9:30.
    stage.machine.timekeeper.set(Moment(milliseconds: 1_795_165_200_000 + 29 * 60_000))
    #expect(try titles(stage, "--overdue") == ["Old"])
    #expect(try titles(stage, "--overdue", "--sort", "due") == ["Old", "Soon"])
    #expect(try titles(stage, "--due", "today", "--sort", "due") == ["Soon", "Later", "Today"])
    #expect(
      stage.answer("at", "2026-11-20 09:15", "list", "todos", "--overdue").contains("Soon")
        == false)
  }

  @Test func `Due times: JSON has the time, the zone and the instant`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Here", "--due", "fri 17:00")
    _ = stage.answer("add", "todo", "There", "--due", "fri 17:00", "--due-zone", "Asia/Kolkata")
    _ = stage.answer("add", "todo", "Then", "--due", "fri")
    let records =
      try JSON(
        parsing: Array(stage.answer("list", "todos", "--sort", "title", "--json").utf8)
      ).array ?? []
    func values(_ name: String) -> [JSON?] { records.map { $0[name] } }
    #expect(values("title") == ["Here", "Then", "There"])
    #expect(values("due") == ["2026-11-27", "2026-11-27", "2026-11-27"])
    #expect(values("dueTime") == ["17:00", .null, "17:00"])
    #expect(values("zone") == [.null, .null, "Asia/Kolkata"])
    #expect(values("dueAt") == ["2026-11-27T17:00:00Z", .null, "2026-11-27T11:30:00Z"])
  }

  @Test func `Due times: the receipt names the reminders`() {
    let stage = Stage()
    func added(_ leads: String) -> String {
      receipt(stage.answer("add", "todo", "Call", "--due", "tomorrow 17:00", "--remind", leads))
    }
    let due = ", due Sat 2026-11-21 17:00 (tomorrow)"
    #expect(added("0,2h,1d") == "\(due), reminds 1d, 2h before and when due.\n")
    #expect(added("15M") == "\(due), reminds 15m before.\n")
    #expect(added("0") == "\(due), reminds when due.\n")
    #expect(added("none") == "\(due), without a reminder.\n")
  }

  @Test func `Due times: the receipt says that a reminder without a due date never comes`() {
    let stage = Stage()
    let added = stage.answer("add", "todo", "Call", "--remind", "1h")
    #expect(added.hasSuffix(" Call, reminds 1h before, but only once it has a due date.\n"))
    let edited = stage.answer("edit", "call", "--remind", "2h")
    #expect(edited.hasSuffix(" Call: remind 2h, but only once it has a due date.\n"))
    let silent = stage.answer("edit", "call", "--remind", "none")
    #expect(silent.hasSuffix(" Call: remind none.\n"))
    let due = stage.answer("edit", "call", "--remind", "1h", "--due", "tomorrow 17:00")
    #expect(due.contains("remind 1h") && !due.contains("only once"))
  }
}
