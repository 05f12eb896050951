import Bytes
import Console
import Phrasing
import Testing

/// Repeating to-dos in lists, the agenda, show, search, the log and JSON.
///
/// Today is Thursday, 26 November 2026.
struct RepeatShowTests {
  private func stage() -> Stage {
    let stage = Stage.onThursday()
    stage.addBins()
    return stage
  }

  @Test func `Lists: a to-do that repeats has a mark, and the number of missed dates`() {
    let stage = stage()
    _ = stage.answer("add", "todo", "Rent", "--due", "2026-09-01", "--repeat", "each month")
    _ = stage.answer("add", "todo", "Mop")
    let rows = stage.answer("list", "todos", "--sort", "title").split(separator: "\n")
    #expect(rows.map { $0.contains("↻") } == [true, false, true])
    #expect(rows.last?.hasSuffix("  ↻ 2 more missed") == true)
    #expect(stage.answer("list", "todos", "--plain").contains("\t\t↻ 2 more missed\n"))
    let agenda = stage.run([]).output
    #expect(agenda.contains("↻ 2 more missed\n") && agenda.contains("(3 days ago)"))
  }

  @Test func `Lists: past dates are among the closed ones, with the values of the series`() throws {
    let stage = stage()
    _ = stage.answer("add", "list", "Home")
    _ = stage.answer("edit", "bins", "--list", "Home", "--priority", "high", "+out")
    _ = stage.answer("done", "bins")
    let series = try stage.record("bins")
    let past = try #require(try stage.todos("--done").first)
    for name in ["title", "list", "priority", "tags"] {
      #expect(past[name] == series[name], "\(name)")
    }
    #expect(past["series"] == series["id"])
    #expect(stage.answer("list", "todos", "--done").hasSuffix("Home  #out  2026-11-23\n"))
  }

  @Test func `JSON: a to-do that repeats has its rule, its date and its first date`() throws {
    let stage = stage()
    _ = stage.answer("edit", "bins", "--until", "2027-01-31")
    let members = try #require(try stage.todos().first)
    #expect(
      members["repeat"]
        == .object(
          ("rule", "FREQ=WEEKLY"), ("words", "every week until 2027-01-31"),
          ("until", "2027-01-31")))
    #expect(members["until"] == nil)
    #expect([members["slot"], members["firstDue"]] == ["2026-11-23", "2026-11-23"])
    #expect(members["series"] == .null)
    _ = stage.answer("done", "bins")
    let past = try #require(try stage.todos("--done").first)
    #expect([past["repeat"], past["firstDue"]] == [.null, .null])
    #expect([past["slot"], past["due"]] == ["2026-11-23", "2026-11-23"])
    let next = try stage.record("bins")
    #expect([next["slot"], next["due"], next["done"]] == ["2026-11-30", "2026-11-30", false])
  }

  /// Returns the values that `show` prints, by their names.
  private func shown(_ stage: Stage, _ words: String) -> [String: String] {
    var values: [String: String] = [:]
    for line in stage.answer("show", words).split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      if words.count == 2 { values[String(words[0])] = String(words[1].drop { $0 == " " }) }
    }
    return values
  }

  @Test
  func `Show: a to-do that repeats has its rule in words, its dates and the last closed ones`() {
    let stage = stage()
    var values = shown(stage, "bins")
    #expect(values["repeat"] == "every week")
    #expect(values["first"] == "Mon 2026-11-23")
    #expect(values["due"] == "2026-11-23")
    #expect(
      values["next"]
        == "Mon 2026-11-30, Mon 2026-12-07, Mon 2026-12-14, Mon 2026-12-21, Mon 2026-12-28")
    #expect(values["until"] == nil && values["slot"] == nil)
    #expect(!stage.answer("show", "bins").contains("closed last"))
    _ = stage.answer("done", "bins")
    _ = stage.answer("skip", "bins")
    _ = stage.answer("edit", "bins", "--until", "2026-12-14")
    values = shown(stage, "bins")
    #expect([values["due"], values["next"]] == ["2026-12-07", "Mon 2026-12-14"])
    #expect(values["until"] == "Mon 2026-12-14")
    let text = stage.answer("show", "bins")
    #expect(text.contains("  closed last\n"))
    let closed = text.split(separator: "\n").suffix(2)
    #expect(closed.map { $0.contains("[-]") } == [true, false])
    #expect(closed.last?.hasSuffix("Bins  2026-11-23") == true)
  }

  @Test
  func `Show: a next date that depends on the completion says so, and an ended rule has none`() {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "todo", "Shave", "--repeat", "every! 3 days")
    #expect(shown(stage, "shave")["next"] == "Sun 2026-11-29, if it is done today")
    _ = stage.answer("edit", "shave", "--repeat", "none")
    #expect(shown(stage, "shave")["next"] == "none")
    _ = stage.answer("done", "shave")
    #expect(shown(stage, "shave")["next"] == "none, because it has ended")
  }

  @Test func `Show: a past date has its series and its date`() throws {
    let stage = stage()
    _ = stage.answer("done", "bins")
    let past = try #require(try stage.todos("--done").first?["id"]?.string)
    let values = shown(stage, past)
    #expect([values["slot"], values["series"]] == ["2026-11-23", "Bins"])
    #expect(stage.told("show", past).hasPrefix("todo ID Bins of Mon 2026-11-23\n"))
    #expect(stage.answer("why", "\(past).slot").contains("Bins of Mon 2026-11-23: slot is"))
  }

  @Test func `Search: a to-do that repeats is found once, with its mark`() {
    let stage = stage()
    _ = stage.answer("done", "bins")
    _ = stage.answer("add", "todo", "Mop bins")
    #expect(stage.answer("search", "bins").hasSuffix("todo  [ ]  Mop bins\n"))
    let rows = stage.answer("search", "bins").split(separator: "\n")
    #expect(rows.map { $0.hasSuffix("  todo  [ ]  Bins      ↻") } == [true, false])
    #expect(stage.answer("search", "bins", "--plain").contains("\ttodo\tBins\t[ ]\t\t↻\n"))
  }

  @Test func `Log: a change to a date is listed under its to-do`() throws {
    let stage = stage()
    _ = stage.answer("done", "bins")
    #expect(stage.answer("log", "--limit", "1").contains("  done  todo Bins of Mon 2026-11-23\n"))
    #expect(stage.answer("log", "bins").contains("  done   todo Bins of Mon 2026-11-23\n"))
    let log = try JSON(parsing: Array(stage.answer("log", "--limit", "1", "--json").utf8))
    let entry = try #require(log.array?.first)
    #expect(entry["title"] == "Bins")
    #expect(entry["fields"]?["slot"] == "2026-11-23")
    _ = stage.answer("edit", "bins", "--repeat", "every 2 weeks")
    #expect(
      stage.answer("log", "--limit", "1").contains("repeat every week → every 2 weeks"))
    #expect(
      stage.answer("diff", "2026-11-26T09:01:30Z")
        .contains(" Bins of Mon 2026-11-23.\n"))
    _ = stage.answer("edit", "bins", "--title", "Paper")
    #expect(stage.answer("log").contains("  done    todo Paper of Mon 2026-11-23\n"))
  }

  @Test func `Agenda: a completion is among what was done today`() {
    let stage = stage()
    _ = stage.answer("done", "bins")
    #expect(stage.run([]).output.contains("Done today: 1 (Bins)\n"))
  }

  @Test func `Move: past dates have no place in the order`() throws {
    let stage = Stage.onThursday()
    stage.addBins("--list", "Home")
    _ = stage.answer("add", "todo", "Mop", "--list", "Home")
    _ = stage.answer("done", "bins")
    _ = stage.answer("move", "bins", "--bottom")
    #expect(
      try stage.todos("--list", "Home", "--sort", "position").map { $0["title"] }
        == ["Mop", "Bins"])
    #expect(stage.told("delete", "home").hasSuffix(" and with it 2 to-dos.\n"))
  }

  @Test func `Completion: skip is completed with open to-dos`() {
    let stage = stage()
    #expect(stage.answer("__complete", "skip", "B").contains("Bins"))
    #expect(stage.answer("__complete", "add", "Mop", "repeat:d") == "repeat:daily\n")
    #expect(stage.answer("__complete", "edit", "bins", "--repeat", "every m") == "every mon\n")
  }
}
