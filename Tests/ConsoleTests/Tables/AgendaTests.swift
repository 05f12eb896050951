import Phrasing
import Platform
import SimulatedPlatform
import Testing

@testable import Console

/// The agenda, which `daybook` shows without a command.
struct AgendaTests {
  /// Creates a machine whose clock shows nine in the morning on Thu 2026-11-26.
  private func stage() -> Stage {
    let stage = Stage()
    stage.machine.timekeeper.set(Moment(milliseconds: 1_795_683_600_000))
    return stage
  }

  /// Returns the lines, with ID for each short id.
  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { line in
      String(line).replacing(/^  [a-z2-9]{2,8} +\[/) { _ in "  ID  [" }
    }
  }

  @Test func `Agenda: sections are in order, with what was done today and the counts`() {
    let stage = stage()
    for title in ["Pay rent", "Call bank"] {
      _ = stage.answer("add", "todo", title)
      _ = stage.answer("done", title)
    }
    _ = stage.answer("add", "todo", "Water plants", "--due", "2026-11-24", "--priority", "low")
    _ = stage.answer("add", "todo", "Bake", "--due", "today", "--priority", "low")
    _ = stage.answer("add", "todo", "Post", "--due", "today", "--priority", "high")
    _ = stage.answer("add", "todo", "Tax", "--due", "2026-12-03", "--priority", "high")
    _ = stage.answer("add", "todo", "Books", "--due", "tomorrow", "--priority", "low")
    _ = stage.answer("add", "todo", "Later", "--due", "2026-12-04")
    _ = stage.answer("add", "todo", "Old", "--priority", "low")
    _ = stage.answer("add", "todo", "Urgent", "--priority", "high")
    _ = stage.answer("add", "birthday", "Ada", "1815-12-10")
    _ = stage.answer("add", "birthday", "Far", "1815-12-11")
    #expect(
      lines(stage.answer()) == [
        "Thu 2026-11-26",
        "Overdue", "  ID  [ ]  !  Water plants  due Tue 2026-11-24 (2 days ago)",
        "Today", "  ID  [ ]  !!!  Post", "  ID  [ ]  !    Bake",
        "Next 7 days", "  ID  [ ]  !    Books  due Fri 2026-11-27 (tomorrow)",
        "  ID  [ ]  !!!  Tax    due Thu 2026-12-03 (in 7 days)",
        "Undated (2)", "  ID  [ ]  !!!  Urgent", "  ID  [ ]  !    Old",
        "Birthdays", "  Thu 2026-12-10  Ada  turns 211 in 14 days",
        "Done today: 2 (Pay rent, Call bank)", "8 open, 2 done",
      ])
  }

  @Test
  func `Agenda: sections are sorted by day, time and priority, and the last one by age`() {
    let stage = stage()
    let todos: [(String, [String])] = [
      ("O1", ["--due", "2026-11-24", "--priority", "low"]),
      ("O2", ["--due", "2026-11-24", "--priority", "high"]),
      ("O3", ["--due", "2026-11-24 10:00", "--priority", "low"]), ("O4", ["--due", "2026-11-23"]),
      ("N1", ["--due", "2026-11-28 18:00"]), ("N2", ["--due", "2026-11-28", "--priority", "high"]),
      ("N3", ["--due", "2026-11-28 8:00", "--priority", "low"]), ("N4", ["--due", "2026-11-27"]),
      ("U1", []), ("U2", ["--priority", "high"]), ("U3", []),
    ]
    for (title, options) in todos {
      #expect(stage.run(["add", "todo", title] + options).code == .done)
    }
    let titles = lines(stage.answer()).compactMap { line in
      line.firstMatch(of: /[ONU][1-4]/).map { String($0.output) }
    }
    #expect(titles == ["O4", "O3", "O2", "O1", "N4", "N3", "N1", "N2", "U2", "U1", "U3"])
  }

  @Test(arguments: [
    ("today", 8, "--due today"), ("tomorrow", 5, "--due 2026-11-27..2026-12-03"),
    ("yesterday", 5, "--overdue"), ("none", 3, "--due none"),
  ])
  func `Agenda: each section has a limit, and the command that lists the rest`(
    due: String, limit: Int, options: String
  ) {
    let stage = stage()
    for number in 1...10 { _ = stage.answer("add", "todo", "Task \(number)", "--due", due) }
    let shown = lines(stage.answer())
    #expect(shown.count { $0.contains("Task") } == limit)
    #expect(shown.contains("  and \(10 - limit) more: daybook list todos \(options)"))
    let words = ["list", "todos"] + options.split(separator: " ").map(String.init)
    #expect(stage.run(words).output.split(separator: "\n").count == 10)
  }

  @Test func `Agenda: limits fall until it has 24 lines`() {
    let stage = stage()
    for number in 1...9 {
      _ = stage.answer("add", "todo", "Late \(number)", "--due", "2026-11-01")
      _ = stage.answer("add", "todo", "Now \(number)", "--due", "today")
      _ = stage.answer("add", "todo", "Soon \(number)", "--due", "tomorrow")
      _ = stage.answer("add", "todo", "Ever \(number)")
      _ = stage.answer("add", "birthday", "Person \(number)", "--12-0\(number)")
    }
    let shown = lines(stage.answer())
    #expect(shown.count == 24)
    #expect(
      shown.filter { !$0.hasPrefix("  ID") && !$0.hasPrefix("  Tue") } == [
        "Thu 2026-11-26",
        "Overdue", "  and 8 more: daybook list todos --overdue",
        "Today", "  and 1 more: daybook list todos --due today",
        "Next 7 days", "  and 8 more: daybook list todos --due 2026-11-27..2026-12-03",
        "Undated (9)", "  and 8 more: daybook list todos --due none",
        "Birthdays", "  and 8 more: daybook upcoming --days 14",
        "36 open",
      ])
    _ = stage.answer("done", "Now 9")
    #expect(lines(stage.answer()).count == 24)
  }

  @Test func `Agenda: the limits of short agendas stay`() {
    let stage = stage()
    for number in 1...6 {
      _ = stage.answer("add", "todo", "Late \(number)", "--due", "2026-11-01")
      _ = stage.answer("add", "todo", "Ever \(number)")
    }
    let shown = lines(stage.answer())
    #expect(shown.count { $0.contains("Late") } == 5)
    #expect(shown.count { $0.contains("Ever") } == 3)
    #expect(shown.contains("  and 1 more: daybook list todos --overdue"))
    #expect(shown.contains("  and 3 more: daybook list todos --due none"))
  }

  @Test func `Agenda: rows beyond a hundred are not counted`() {
    let stage = Stage(
      input: (1...110).map { "(A) Late \($0) due:2026-11-01\n" }.joined())
    stage.machine.timekeeper.set(Moment(milliseconds: 1_795_683_600_000))
    _ = stage.answer("import", "--format", "todotxt", "-")
    #expect(
      lines(stage.answer()).contains(
        "  and more than 100 more: daybook list todos --overdue"))
  }

  private func section(_ part: AgendaSection.Part, rows: Int) -> AgendaSection {
    let cells = (0..<rows).map { [Cell("  \(part) \($0)")] }
    return AgendaSection(
      part, "\(part)", cells, of: .exactly(rows), command: "x", fitting: nil)
  }

  @Test func `Agenda: a row is not replaced by the line that counts it`() {
    var sections = [section(.today, rows: 3), section(.undated, rows: 2)]
    AgendaSection.shorten(&sections, to: 6)
    #expect(
      sections.map(\.lines) == [
        ["today", "  today 0", "  and 2 more: x"], ["undated", "  undated 0", "  undated 1"],
      ])
    AgendaSection.shorten(&sections, to: 1)
    #expect(sections.map(\.limit) == [1, 2])
  }

  @Test func `Agenda: limits fall in the order undated, next, birthdays, overdue, today`() {
    let whole = [
      section(.overdue, rows: 5), section(.today, rows: 8), section(.next, rows: 5),
      section(.undated, rows: 3), section(.birthdays, rows: 3),
    ]
    func limits(_ most: Int) -> [Int] {
      var sections = whole
      AgendaSection.shorten(&sections, to: most)
      return sections.map(\.limit)
    }
    #expect(limits(29) == [5, 8, 5, 3, 3])
    #expect(limits(28) == [5, 8, 5, 1, 3])
    #expect(limits(27) == [5, 8, 3, 1, 3])
    #expect(limits(25) == [5, 8, 1, 1, 3])
    #expect(limits(24) == [5, 8, 1, 1, 1])
    #expect(limits(23) == [3, 8, 1, 1, 1])
    #expect(limits(20) == [1, 6, 1, 1, 1])
    #expect(limits(1) == [1, 1, 1, 1, 1])
  }

  @Test func `Agenda: if nothing is due, it says so, and undated to-dos still show`() {
    let stage = stage()
    _ = stage.answer("add", "list", "Home")
    #expect(stage.answer() == "Thu 2026-11-26\nNothing is due.\n1 list\n")
    _ = stage.answer("add", "todo", "Old", "--priority", "low")
    #expect(
      lines(stage.answer()) == [
        "Thu 2026-11-26", "Nothing is due.", "Undated (1)", "  ID  [ ]  !  Old", "1 open",
      ])
    _ = stage.answer("done", "old")
    #expect(
      stage.answer()
        == "Thu 2026-11-26\nNothing is due.\nDone today: 1 (Old)\n0 open, 1 done\n")
    stage.machine.timekeeper.advance(milliseconds: 86_400_000)
    #expect(stage.answer() == "Fri 2026-11-27\nNothing is due.\n0 open, 1 done\n")
  }

  @Test func `Agenda: the line about what was done names five, and fits the terminal`() {
    let stage = stage()
    for number in 1...6 {
      _ = stage.answer("add", "todo", "Task \(number)")
      _ = stage.answer("done", "Task \(number)")
    }
    let line = "Done today: 6 (Task 1, Task 2, Task 3, Task 4, Task 5, …)"
    #expect(lines(stage.answer()).contains(line))
    let narrow = stage.run([], adjust: { $0.streams.size = (30, 24) })
    #expect(lines(narrow.output).contains("Done today: 6 (Task 1, Task 2…"))
  }

  @Test func `Agenda: after at, it is the agenda of the given day`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop", "--due", "2026-11-25", "--priority", "low")
    _ = stage.answer("add", "todo", "Rest", "--priority", "low")
    _ = stage.answer("done", "rest")
    stage.machine.timekeeper.advance(milliseconds: 10 * 86_400_000)
    _ = stage.answer("done", "mop")
    #expect(
      lines(stage.answer("at", "2026-11-23 10:00")) == [
        "Mon 2026-11-23, as it was at 10:00", "Next 7 days",
        "  ID  [ ]  !  Mop  due Wed 2026-11-25 (in 2 days)",
        "1 open, 1 done",
      ])
    #expect(
      lines(stage.answer("at", "2026-11-20 23:00")).suffix(2) == [
        "Done today: 1 (Rest)", "1 open, 1 done",
      ])
    #expect(
      lines(stage.answer("at", "2026-11-26")) == [
        "Thu 2026-11-26, as it was at 23:59", "Overdue",
        "  ID  [ ]  !  Mop  due Wed 2026-11-25 (yesterday)",
        "1 open, 1 done",
      ])
    #expect(stage.run("at", "soon").code == .refused)
  }

  @Test func `Agenda: today is in the order of times, and a past time is overdue`() {
    let stage = stage()
    _ = stage.answer("add", "todo", "Any", "--due", "today", "--priority", "high")
    _ = stage.answer("add", "todo", "Late", "--due", "today 17:00", "--priority", "low")
    _ = stage.answer("add", "todo", "Soon", "--due", "today 14:30")
    _ = stage.answer("add", "todo", "Call", "--due", "today 8:15", "--priority", "low")
    #expect(
      lines(stage.answer()) == [
        "Thu 2026-11-26",
        "Overdue", "  ID  [ ]  !  Call  due Thu 2026-11-26 08:15 (today)",
        "Today", "  ID  [ ]       Soon  14:30", "  ID  [ ]  !    Late  17:00",
        "  ID  [ ]  !!!  Any", "4 open",
      ])
    #expect(stage.answer("list", "todos", "--overdue").contains("Call"))
    #expect(!stage.answer("list", "todos", "--overdue").contains("Late"))
  }

  @Test func `Agenda: a time of another zone is under its local day, in the order of local times`()
  {
    let stage = stage()
    // 07:30 and 14:30 in UTC.
    let words = ["add", "todo", "Early", "--due", "2026-11-26 13:00", "--due-zone", "Asia/Kolkata"]
    _ = stage.run(words)
    _ = stage.run(["add", "todo", "Far", "--due", "2026-11-26 20:00", "--due-zone", "Asia/Kolkata"])
    _ = stage.answer("add", "todo", "Here", "--due", "today 16:00")
    // 20:00 in UTC.
    _ = stage.run([
      "add", "todo", "Night", "--due", "2026-11-27 01:30", "--due-zone", "Asia/Kolkata",
    ])
    let titles = lines(stage.answer()).map { $0.replacing(/^  ID  \[ \]  (!+ +)?/) { _ in "" } }
    #expect(
      titles == [
        "Thu 2026-11-26", "Overdue", "Early  due Thu 2026-11-26 07:30 (today)",
        "Today", "Far    14:30", "Here   16:00", "Night  20:00", "4 open",
      ])
  }

  @Test func `Agenda: hidden to-dos are counted separately`() {
    let stage = stage()
    _ = stage.answer("add", "todo", "Seen", "--priority", "low")
    _ = stage.answer("add", "todo", "Hidden", "--start", "tomorrow")
    _ = stage.answer("add", "todo", "Dropped")
    _ = stage.answer("cancel", "dropped")
    #expect(
      lines(stage.answer()) == [
        "Thu 2026-11-26", "Nothing is due.", "Undated (1)", "  ID  [ ]  !  Seen",
        "1 open, 1 hidden, 1 cancelled",
      ])
  }

  @Test func `Agenda: a month is due on its last day`() {
    let stage = stage()
    _ = stage.answer("add", "todo", "Report", "--due", "2026-11", "--priority", "low")
    _ = stage.answer("add", "todo", "Plan", "--due", "2026-12", "--priority", "low")
    #expect(
      lines(stage.answer()) == [
        "Thu 2026-11-26", "Next 7 days", "  ID  [ ]  !  Report  due 2026-11", "2 open",
      ])
  }
}
