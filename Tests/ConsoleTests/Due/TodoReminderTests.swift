import Bytes
import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// Reminders of to-dos, each once per device.
///
/// Times are given as days after Friday, 20 November 2026, and hours of that day.
struct TodoReminderTests {
  /// Returns the reminders that are shown at a time.
  private func remind(_ stage: Stage, _ day: Int64, _ hour: Int64, _ minute: Int64 = 0) -> String {
    let midnight: Int64 = 1_795_165_200_000 - 9 * 3_600_000
    // The clock advances by a minute before each run.
    let time = midnight + ((day * 24 + hour) * 60 + minute - 1) * 60_000
    stage.machine.timekeeper.set(Moment(milliseconds: time))
    return stage.answer("remind")
  }

  private func stage(_ words: String...) -> Stage {
    let stage = Stage()
    #expect(stage.run(["add", "todo", "Call"] + words).code == .done)
    return stage
  }

  private func set(_ line: String, _ stage: Stage) throws {
    let path = Path("/home/ada/.config/daybook/config")
    try stage.disk.makeDirectories(path.parent)
    try stage.disk.replace(path, with: Array("\(line)\n".utf8))
  }

  @Test func `To-do reminders: each lead time rings once, at its time`() {
    let stage = stage("--due", "tomorrow 17:00", "--remind", "1d,2h,0")
    #expect(remind(stage, 0, 16, 59) == "")
    #expect(remind(stage, 0, 17) == "Due tomorrow, on Sat 2026-11-21 at 17:00: Call.\n")
    #expect(remind(stage, 0, 17, 5) == "")
    #expect(remind(stage, 1, 14, 59) == "")
    #expect(remind(stage, 1, 15) == "Due today at 17:00: Call.\n")
    #expect(remind(stage, 1, 16, 59) == "")
    #expect(remind(stage, 1, 17) == "Due today at 17:00: Call.\n")
    #expect(remind(stage, 5, 12) == "")
  }

  @Test func `To-do reminders: a to-do that is moved rings again`() {
    let stage = stage("--due", "today 17:00")
    #expect(remind(stage, 0, 17) == "Due today at 17:00: Call.\n")
    _ = stage.answer("edit", "call", "--time", "18:00")
    #expect(remind(stage, 0, 17, 59) == "")
    #expect(remind(stage, 0, 18) == "Due today at 18:00: Call.\n")
    _ = stage.answer("edit", "call", "--due", "2026-11-22")
    #expect(remind(stage, 2, 18) == "Due today at 18:00: Call.\n")
  }

  @Test func `To-do reminders: a to-do due at any time rings at nine`() {
    let stage = stage("--due", "tomorrow", "--remind", "1d,0")
    #expect(remind(stage, 0, 8, 59) == "")
    #expect(remind(stage, 0, 9) == "Due tomorrow, on Sat 2026-11-21: Call.\n")
    #expect(remind(stage, 1, 8, 59) == "")
    #expect(remind(stage, 1, 9) == "Due today: Call.\n")
  }

  @Test func `To-do reminders: after a week off, one report names each to-do once`() {
    let stage = stage("--due", "tomorrow 17:00", "--remind", "1d,2h,0")
    _ = stage.answer("add", "todo", "Post", "--due", "2026-11-23", "--list", "Home")
    _ = stage.answer("add", "todo", "Bake", "--due", "2026-11-27 15:00", "--remind", "2d,1d,1h")
    _ = stage.answer("add", "todo", "Rest", "--due", "2026-12-24")
    #expect(
      remind(stage, 7, 12) == """
        Due today at 15:00: Bake.
        Overdue since Mon 2026-11-23: Post, in list Home.
        Overdue since Sat 2026-11-21 17:00: Call.

        """)
    #expect(remind(stage, 7, 12, 5) == "")
    #expect(remind(stage, 7, 14) == "Due today at 15:00: Bake.\n")
  }

  @Test func `To-do reminders: closed and hidden to-dos do not ring`() {
    let stage = stage("--due", "2026-11-22 17:00", "--remind", "3d,1h")
    _ = stage.answer("edit", "call", "--start", "2026-11-21")
    #expect(remind(stage, 0, 18) == "")
    #expect(remind(stage, 1, 0, 5) == "Due tomorrow, on Sun 2026-11-22 at 17:00: Call.\n")
    _ = stage.answer("done", "call")
    #expect(remind(stage, 2, 17) == "")
    _ = stage.answer("undone", "call")
    #expect(remind(stage, 2, 17, 5) == "Due today at 17:00: Call.\n")
  }

  @Test func `To-do reminders: the setting applies to to-dos without lead times of their own`()
    throws
  {
    let stage = stage("--due", "2026-11-22")
    _ = stage.answer("add", "todo", "Post", "--due", "2026-11-22", "--remind", "none")
    try set("remind.todo = 2d", stage)
    #expect(remind(stage, 0, 9) == "Due in 2 days, on Sun 2026-11-22: Call.\n")
    try set("remind.todo = none", stage)
    #expect(remind(stage, 2, 9) == "")
    try set("remind.todo = soon", stage)
    let outcome = stage.run("remind")
    #expect(outcome.output == "Due today: Call.\n")
    #expect(outcome.error.contains("remind.todo cannot be 'soon'. Use minutes, hours, days"))
  }

  @Test func `To-do reminders: birthdays wait for the morning, and missed ones are shown`() {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada", "1815-11-21")
    #expect(remind(stage, 0, 9) == "Ada turns 211 tomorrow, on Sat 2026-11-21.\n")
    #expect(remind(stage, 1, 0, 5) == "")
    #expect(remind(stage, 1, 7, 59) == "")
    #expect(remind(stage, 1, 8) == "Ada turns 211 today.\n")
    let other = Stage()
    _ = other.answer("add", "birthday", "Ada", "1815-11-21")
    _ = remind(other, 0, 9)
    #expect(remind(other, 1, 7) == "")
    #expect(remind(other, 2, 10) == "Ada turned 211 yesterday, on Sat 2026-11-21.\n")
    #expect(remind(other, 2, 11) == "")
  }

  @Test func `To-do reminders: a reminder from late at night is not repeated in the morning`() {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada", "1815-11-22")
    _ = stage.answer("add", "todo", "Call", "--due", "2026-11-22", "--remind", "1d,0")
    #expect(remind(stage, 1, 6, 59) == "Ada turns 211 tomorrow, on Sun 2026-11-22.\n")
    #expect(remind(stage, 1, 8) == "")
    #expect(
      remind(stage, 2, 0, 5) == "Due today: Call.\n")
    #expect(remind(stage, 2, 8) == "Ada turns 211 today.\n")
    #expect(remind(stage, 2, 9) == "")
  }

  @Test(
    "To-do reminders: a clock that jumps repeats nothing",
    arguments: [[3, -20_000, 3, 4], [3, 0, -1, 3, 100, 3]])
  func jumps(days: [Int64]) {
    let stage = stage("--due", "tomorrow 17:00", "--remind", "1d,0")
    _ = stage.answer("add", "todo", "Post", "--due", "today")
    _ = stage.answer("add", "birthday", "Grandma", "--11-20")
    var told: [Substring] = []
    for day in days { told += remind(stage, day, 18).split(separator: "\n") }
    let todos = told.filter { !$0.contains("Grandma") }
    #expect(todos.filter { $0.contains("Post") }.count == 1, "\(told)")
    #expect(todos.filter { $0.contains("Call") }.count <= 2, "\(told)")
    #expect(Set(told).count == told.count, "\(told)")
  }

  @Test func `To-do reminders: a clock that was years ahead uses up none of the later ones`() {
    let stage = stage("--due", "2026-11-25", "--remind", "1d,0")
    _ = stage.answer("add", "todo", "Post", "--due", "2026-11-01")
    #expect(
      remind(stage, 3_000, 12)
        == "Overdue since Wed 2026-11-25: Call.\nOverdue since Sun 2026-11-01: Post.\n")
    #expect(remind(stage, 3_000, 13) == "")
    let told = [0, 4, 5, 6].map { remind(stage, $0, 12) }
    #expect(told == ["", "Due tomorrow, on Wed 2026-11-25: Call.\n", "Due today: Call.\n", ""])
  }

  @Test(arguments: [6 as Int64, 30, 3_000])
  func `To-do reminders: a clock that was ahead for one run silences no later reminder`(
    ahead: Int64
  ) {
    let stage = stage("--due", "2026-11-25", "--remind", "1d,0")
    #expect(remind(stage, ahead, 12) == "Overdue since Wed 2026-11-25: Call.\n")
    let told = [0, 4, 5, 6].map { remind(stage, $0, 12) }
    #expect(told == ["", "Due tomorrow, on Wed 2026-11-25: Call.\n", "Due today: Call.\n", ""])
  }

  @Test(arguments: [30 as Int64, 3_000])
  func `To-do reminders: after a clock was ahead and then off, an overdue to-do rings once`(
    ahead: Int64
  ) {
    let stage = stage("--due", "2026-11-25", "--remind", "1d,0")
    let days = [ahead, 0, 8, 9, ahead, 9]
    let overdue = "Overdue since Wed 2026-11-25: Call.\n"
    #expect(days.map { remind(stage, $0, 12) } == [overdue, "", overdue, "", "", ""])
  }

  @Test func `To-do reminders: a book that cannot be read forgets nothing`() {
    let stage = stage("--due", "today")
    #expect(remind(stage, 0, 9) == "Due today: Call.\n")
    #expect(stage.run("remind", "-C", "/x").code == .refused)
    #expect(remind(stage, 0, 10) == "")
  }

  @Test func `To-do reminders: a to-do that an earlier version reported is not reported again`()
    throws
  {
    let stage = stage("--due", "2026-11-01")
    #expect(remind(stage, 0, 9) == "Overdue since Sun 2026-11-01: Call.\n")
    let folder = Path("/home/ada/.local/state/daybook/reminded")
    let name = try #require(try stage.disk.list(folder).first { $0 != "lock" })
    let bytes = try stage.disk.contents(of: folder / name, limit: 1_000)
    let text = String(decoding: bytes, as: UTF8.self).replacing(
      " 0 2026-11-20\n", with: " overdue\n")
    try stage.disk.replace(folder / name, with: Array(text.utf8))
    #expect(remind(stage, 0, 10) == "")
  }

  @Test func `To-do reminders: a new local time after a journey is not a new due time`() {
    let stage = stage("--due", "today 17:00")
    #expect(remind(stage, 0, 17) == "Due today at 17:00: Call.\n")
    stage.machine.timekeeper.setLocalOffset(seconds: -18_000)
    #expect(remind(stage, 0, 23) == "")
  }

  @Test func `To-do reminders: a time in a zone rings at its instant`() {
    let stage = stage(
      "--due", "2026-11-21 09:00", "--due-zone", "Pacific/Auckland", "--remind", "0")
    stage.machine.timekeeper.setLocalZone(named: "Pacific/Honolulu")
    #expect(remind(stage, 0, 19, 59) == "")
    #expect(remind(stage, 0, 20) == "Due today at 10:00: Call.\n")
  }

  @Test func `To-do reminders: a day before is counted on the calendar, hours on the clock`() {
    // In the night before 28 March 2027, the clock is put forward in Berlin.
    let due = ["--due", "2027-03-28 17:00", "--due-zone", "Europe/Berlin", "--remind", "1d,24h"]
    let stage = Stage()
    #expect(stage.run(["add", "todo", "Call"] + due).code == .done)
    #expect(remind(stage, 127, 14, 59) == "")
    #expect(remind(stage, 127, 15).hasPrefix("Due tomorrow, on Sun 2027-03-28 at 15:00: Call."))
    let other = Stage()
    #expect(other.run(["add", "todo", "Call"] + due.dropLast() + ["1d"]).code == .done)
    #expect(remind(other, 127, 15, 59) == "")
    #expect(remind(other, 127, 16).hasPrefix("Due tomorrow, on Sun 2027-03-28 at 15:00: Call."))
  }

  @Test func `To-do reminders: JSON has the lead time, the local time and the instant`() throws {
    let stage = stage("--due", "tomorrow 17:00", "--remind", "1d")
    _ = remind(stage, 0, 12)
    stage.machine.timekeeper.set(Moment(milliseconds: 1_795_165_200_000 + 8 * 3_600_000))
    let json = try JSON(parsing: Array(stage.answer("remind", "--json").utf8))
    let told = try #require(json.array?.first)
    #expect((told["date"], told["inDays"], told["stage"]) == ("2026-11-21", 1, "1d"))
    #expect((told["time"], told["dueAt"]) == ("17:00", "2026-11-21T17:00:00Z"))
  }
}
