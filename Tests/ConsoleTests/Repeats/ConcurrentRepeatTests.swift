import Bytes
import Console
import Phrasing
import Testing

/// Dates that two devices have changed, and the undo of completions.
///
/// Today is Thursday, 26 November 2026. Bins repeats from Monday, 23 November.
struct ConcurrentRepeatTests {
  private static let phone = ["-C", "phone"]

  private func pair(_ rule: String = "weekly") throws -> Stage {
    let stage = try Stage.pair()
    stage.goTo(day: 0)
    _ = stage.answer("add", "todo", "Bins", "--due", "2026-11-23", "--repeat", rule)
    stage.meet()
    return stage
  }

  /// Returns the dates of Bins with their states on both devices, which must be the same.
  private func dates(
    _ stage: Stage, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let found = try [[], Self.phone].map { device in
      try stage.todos("--all", on: device).filter { $0["title"] == "Bins" }.map(Self.date)
    }
    #expect(found[0] == found[1], sourceLocation: sourceLocation)
    #expect(stage.answer("conflicts") == "No conflicts.\n", sourceLocation: sourceLocation)
    return found[0]
  }

  /// The due date of a row, and how it was closed.
  private static func date(_ todo: JSON) -> String {
    let mark = todo["done"] == true ? " done" : todo["cancelled"] == true ? " skipped" : ""
    return (todo["due"]?.string ?? "-") + mark
  }

  // MARK: Concurrent commands

  @Test(arguments: ["undone", "undo"])
  func `Concurrent: a completion stays although another device did not know of it`(
    word: String
  ) throws {
    let stage = try pair()
    _ = stage.answer("done", "Bins")
    _ = stage.answer("-C", "phone", "done", "Bins")
    _ = stage.run(Self.phone + (word == "undo" ? [word] : [word, "Bins"]))
    stage.meet()
    #expect(try dates(stage) == ["2026-11-30", "2026-11-23 done"])
  }

  @Test func `Concurrent: a rule that counts from the completion takes the later one`() throws {
    let stage = try pair("every! 3 days")
    _ = stage.answer("done", "Bins")
    stage.goTo(day: 1)
    _ = stage.answer("-C", "phone", "done", "Bins")
    stage.meet()
    #expect(try dates(stage) == ["2026-11-30", "2026-11-23 done"])
  }

  @Test func `Concurrent: two dates closed on one device and one on the other are both closed`()
    throws
  {
    let stage = try pair()
    _ = stage.answer("done", "Bins")
    _ = stage.answer("done", "Bins")
    _ = stage.answer("-C", "phone", "done", "Bins")
    stage.meet()
    #expect(try dates(stage) == ["2026-12-07", "2026-11-23 done", "2026-11-30 done"])
  }

  @Test func `Concurrent: after a completion, the next date follows a rule changed elsewhere`()
    throws
  {
    let stage = try pair()
    _ = stage.answer("done", "Bins")
    _ = stage.answer("-C", "phone", "edit", "Bins", "--repeat", "every 2 weeks")
    stage.meet()
    #expect(try dates(stage) == ["2026-12-07", "2026-11-23 done"])
  }

  @Test func `Concurrent: a last date that is done elsewhere ends the series`() throws {
    let stage = try pair()
    _ = stage.answer("done", "Bins")
    _ = stage.answer("-C", "phone", "edit", "Bins", "--repeat", "none")
    stage.meet()
    #expect(try stage.todos("--open").map { $0["title"] } == ["Sweep"])
    #expect(try dates(stage) == ["2026-11-23 done"])
  }

  @Test func `Concurrent: of two rules, the shown one has the first date of the same device`()
    throws
  {
    let stage = try pair()
    let rules = [("every 2 weeks", "2026-11-24"), ("monthly", "2026-11-25")]
    for (device, (rule, due)) in zip([[], Self.phone], rules) {
      #expect(
        stage.run(device + ["edit", "Bins", "--repeat", rule, "--due", due]).code == .done)
    }
    stage.meet()
    let shown = try stage.record("bins")
    #expect([shown["due"], shown["repeat"]?["words"]] == ["2026-11-25", "every month"])
    #expect(shown["conflicts"]?.array?.count == 2)
  }

  @Test func `Concurrent: a completion of the to-do before it repeated closes the first date`()
    throws
  {
    let stage = try Stage.pair()
    stage.goTo(day: 0)
    _ = stage.answer("add", "todo", "Bins", "--due", "2026-11-23")
    stage.meet()
    _ = stage.answer("edit", "Bins", "--repeat", "weekly", "--due", "2026-11-23")
    _ = stage.answer("-C", "phone", "done", "Bins")
    stage.meet()
    #expect(try dates(stage) == ["2026-11-30"])
  }

  // MARK: Undo

  @Test func `Undo: a date whose completion is undone comes before a next one that was moved`()
    throws
  {
    let stage = try pair()
    _ = stage.answer("done", "Bins")
    let log = try JSON(parsing: Array(stage.answer("log", "--limit", "1", "--json").utf8))
    let number = try #require(log.array?.first?["sequence"]?.integer)
    _ = stage.answer("edit", "Bins", "--due", "2026-12-02")
    _ = stage.answer("undo", "--command", "\(number)")
    stage.meet()
    #expect(try dates(stage) == ["2026-11-23"])
    #expect(
      stage.told("done", "Bins") == "Done: todo ID Bins of Mon 2026-11-23, next Wed 2026-12-02.\n")
  }

  @Test(arguments: [
    ("weekly", "no longer done: todo ID Bins of Mon 2026-11-23.", ["2026-12-07"]),
    (
      "each week", "open again: todo ID Bins, due Mon 2026-11-23 (3 days ago).", ["2026-11-23"]
    ),
  ])
  func `Undo: a date before a closed one opens again only if the rule keeps missed dates`(
    rule: String, told: String, open: [String]
  ) throws {
    let stage = try pair(rule)
    _ = stage.answer("done", "Bins")
    stage.meet()
    _ = stage.answer("-C", "phone", "done", "Bins")
    stage.meet()
    #expect(stage.told("undo") == "Undone: \(told)\n")
    stage.meet()
    #expect(try dates(stage) == open + ["2026-11-30 done"])
  }
}
