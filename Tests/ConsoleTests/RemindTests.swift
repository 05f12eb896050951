import Bytes
import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// Each reminder is given once per device, even if its clock is set.
///
/// Today is Friday, 20 November 2026.
struct RemindTests {
  private static let day: Int64 = 86_400_000

  /// Advances the clock to this number of days after that Friday.
  private func wait(_ days: Int64, _ stage: Stage) {
    stage.machine.timekeeper.set(Moment(milliseconds: 1_795_165_200_000 + days * Self.day))
  }

  private func stage() -> Stage {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada Lovelace", "1815-11-25")
    _ = stage.answer("add", "birthday", "Grandma", "--11-20")
    _ = stage.answer("add", "birthday", "Far Away", "1990-05-01")
    _ = stage.answer("add", "todo", "Post", "--due", "today", "--list", "Home")
    _ = stage.answer("add", "todo", "Sweep", "--due", "2026-11-01")
    _ = stage.answer("add", "todo", "Bake", "--due", "2026-11-22")
    _ = stage.answer("add", "todo", "Rest")
    return stage
  }

  @Test func `Remind: each reminder is given once, and without any nothing is printed`() {
    let stage = stage()
    #expect(
      stage.answer("remind") == """
        Grandma has a birthday today.
        Ada Lovelace turns 211 in 5 days, on Wed 2026-11-25.
        Due today: Post, in list Home.
        Overdue since Sun 2026-11-01: Sweep.

        """)
    #expect(stage.run("remind") == .init(code: .done, output: "", error: ""))
    wait(2, stage)
    #expect(stage.answer("remind") == "Due today: Bake.\n")
    wait(4, stage)
    _ = stage.answer("done", "bake")
    #expect(stage.answer("remind") == "Ada Lovelace turns 211 tomorrow, on Wed 2026-11-25.\n")
    wait(5, stage)
    #expect(stage.answer("remind") == "Ada Lovelace turns 211 today.\n")
    #expect(
      stage.answer("remind", "--again") == """
        Ada Lovelace turns 211 today.
        Overdue since Fri 2026-11-20: Post, in list Home.
        Overdue since Sun 2026-11-01: Sweep.

        """)
  }

  @Test func `Remind: after a pause, missed reminders are given once with their day`() {
    let stage = stage()
    _ = stage.answer("remind")
    wait(8, stage)
    #expect(
      stage.answer("remind") == """
        Ada Lovelace turned 211 3 days ago, on Wed 2026-11-25.
        Overdue since Sun 2026-11-22: Bake.

        """)
    wait(9, stage)
    #expect(stage.answer("remind") == "")
  }

  @Test(arguments: [[0, 5, 4, 5, 0], [0, 3, 1, 2, 3], [5, 0, 5]])
  func `Remind: a clock set back repeats no reminder`(days: [Int64]) {
    let stage = stage()
    var told: [Substring] = []
    for day in days {
      wait(day, stage)
      told += stage.answer("remind").split(separator: "\n")
    }
    #expect(Set(told).count == told.count, "\(told)")
  }

  @Test func `Remind: a postponed or added record is reminded again`() {
    let stage = stage()
    _ = stage.answer("remind")
    _ = stage.answer("edit", "sweep", "--due", "today")
    _ = stage.answer("add", "birthday", "Alan Turing", "1912-11-21")
    #expect(
      stage.answer("remind")
        == "Alan Turing turns 114 tomorrow, on Sat 2026-11-21.\nDue today: Sweep.\n")
  }

  @Test func `Remind: lead times are set per person or for all`() throws {
    let stage = stage()
    _ = stage.answer("edit", "ada", "--lead", "2,0")
    _ = stage.answer("edit", "grandma", "--lead", "none")
    #expect(!stage.answer("remind").contains("birthday"))
    wait(3, stage)
    #expect(stage.answer("remind").hasPrefix("Ada Lovelace turns 211 in 2 days"))
    let outcome = stage.run("edit", "ada", "--lead", "soon")
    #expect(
      outcome.error
        == "daybook: the lead cannot be 'soon'. Use days or weeks (at most 366 days), separated by commas, "
        + "such as 7,1,0 or 2w,0, or the word 'none'.\n"
    )
    let config = Path("/home/ada/.config/daybook/config")
    try stage.disk.makeDirectories(config.parent)
    try stage.disk.replace(config, with: Array("remind.lead = 26w\n".utf8))
    #expect(stage.answer("remind").hasPrefix("Far Away turns 37 in 5 months, on Sat 2027-05-01."))
  }

  @Test func `Remind: a birthday on 29 February follows the leap rule`() {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Larry", "1952-02-29")
    wait(100, stage)
    #expect(stage.answer("remind") == "Larry turns 75 today (born on 29 February).\n")
  }

  @Test func `Remind: each device reminds independently, as text and as JSON`() throws {
    let stage = stage()
    _ = stage.answer("remind")
    let other = ["XDG_STATE_HOME": "/home/ada/other"]
    let outcome = stage.run(["remind", "--json"], environment: other)
    let told = try #require(try JSON(parsing: Array(outcome.output.utf8)).array)
    #expect(told.count == 4)
    #expect(
      told[1].members?.map(\.name) == [
        "id", "kind", "title", "date", "inDays", "turns", "stage", "time", "dueAt", "slot",
        "missed",
      ])
    #expect(told[1]["turns"] == 211 && told[1]["inDays"] == 5 && told[1]["stage"] == "7")
    #expect(stage.answer("remind", "--json") == "[]\n")
  }

  @Test func `Remind: an unreadable record of reminders is reported and replaced`() throws {
    let stage = stage()
    _ = stage.answer("remind")
    let folder = Path("/home/ada/.local/state/daybook/reminded")
    let name = try #require(try stage.disk.list(folder).first { $0 != "lock" })
    try stage.disk.replace(folder / name, with: Array("daybook reminded 1\nx\n".utf8))
    let outcome = stage.run("remind")
    #expect(outcome.code == .done)
    #expect(outcome.output.split(separator: "\n").count == 4)
    #expect(outcome.error.hasPrefix("daybook: cannot read the earlier reminders in \(folder)"))
    #expect(stage.answer("remind") == "")
  }

  @Test func `Remind: many overdue to-dos are summarized as a count`() {
    let stage = Stage()
    for number in 1...25 { _ = stage.answer("add", "todo", "n\(number)", "--due", "2026-11-01") }
    let lines = stage.answer("remind").split(separator: "\n")
    #expect(lines.count == 21)
    #expect(
      lines.last == "and 5 more are overdue; 'daybook list todos --overdue' lists all of them.")
    #expect(stage.answer("remind") == "")
  }
  @Test(arguments: [
    ([], "the list of reminders that were shown", "XDG_STATE_HOME"),
    (["--install"], "the folder for timers", "XDG_CONFIG_HOME"),
  ])
  func `Remind: if HOME is not an absolute path, the error names the variable that helps`(
    _ options: [String], _ what: String, _ variable: String
  ) {
    let stage = stage()
    let words = ["-C", "/home/ada/.local/share/daybook/default", "remind"] + options
    let outcome = stage.run(words, environment: ["HOME": "ada"])
    #expect(outcome.code == .refused)
    #expect(
      outcome.error
        == "daybook: cannot locate \(what), because neither HOME nor \(variable) is set to an absolute path. "
        + "Set one of them.\n")
  }
}
