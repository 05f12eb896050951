import Bytes
import Console
import Testing
import Wording

/// A to-do that one device closes while another device makes it repeat.
struct ClosedFirstTests {
  /// Creates two devices, of which the laptop has closed a to-do, and the phone has made it repeat every day.
  private func stage(closing verb: String = "done", moving isMoved: Bool = false) throws -> Stage {
    let stage = try Stage.pair()
    _ = stage.answer("edit", "Sweep", "--due", "2026-11-30")
    stage.meet()
    _ = stage.answer(verb, "Sweep")
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--repeat", "daily")
    if isMoved { _ = stage.answer("-C", "phone", "edit", "Sweep", "--this", "--due", "2026-12-09") }
    return stage
  }

  /// Syncs both devices, and returns what each reports about the to-do.
  private func told(on stage: Stage) -> [String] {
    let words = [["sync", "stick"], ["-C", "phone", "sync", "stick"], ["sync", "stick"]]
    return words.map { words in
      let lines = stage.run(words).output.split(separator: "\n").map(String.init)
      let told = lines.filter { $0.contains(" made it repeat ") }.map(withoutID)
      return told.joined(separator: "\n")
    }
  }

  /// Returns a line without its indentation and without the id at its end.
  private func withoutID(_ line: String) -> String {
    let line = String(line.drop { $0 == " " })
    return line.replacing(#/cancel [0-9a-z]+$/#, with: "cancel ID")
  }

  /// Returns the row of `show` about the first date, without the time of day.
  private func first(_ stage: Stage) -> String? {
    let lines = stage.answer("show", "Sweep").split(separator: "\n").map(String.init)
    guard let line = lines.first(where: { $0.hasPrefix("  first ") }) else { return nil }
    let words = line.split(separator: " ").dropFirst().joined(separator: " ")
    return words.replacing(#/\d\d:\d\d/#, with: "TIME")
  }

  @Test func `Sync: a to-do done before it repeated is reported once on both devices`() throws {
    let stage = try stage()
    let sentence =
      "laptop marked todo Sweep as done, and laptop 2 made it repeat without having seen that change. "
      + "Its first date, Mon 2026-11-30, counts as done."
    #expect(told(on: stage) == ["", sentence, sentence])
    #expect(told(on: stage) == ["", "", ""])
  }

  @Test func `Sync: a to-do cancelled before it repeated is reported with the way to end it`()
    throws
  {
    let stage = try stage(closing: "cancel")
    let sentence =
      "laptop cancelled todo Sweep, and laptop 2 made it repeat without having seen that change. "
      + "Its first date, Mon 2026-11-30, counts as skipped. To end the repeats, run: daybook cancel ID"
    #expect(told(on: stage) == ["", sentence, sentence])
    #expect(first(stage) == "Mon 2026-11-30, cancelled 2026-11-20")
    _ = stage.answer("cancel", "Sweep")
    #expect(!stage.answer("list", "todos").contains("Sweep"))
  }

  @Test func `Sync: a first date that was moved stays open, and the report says so`() throws {
    let stage = try stage(moving: true)
    let sentence =
      "laptop marked todo Sweep as done, and laptop 2 made it repeat without having seen that change. "
      + "Its first date, Wed 2026-12-09, is still open, because that date has been changed."
    #expect(told(on: stage) == ["", sentence, sentence])
    #expect(
      first(stage) == "Mon 2026-11-30, still open although the to-do was done 2026-11-20 TIME")
    _ = stage.answer("done", "Sweep")
    #expect(first(stage) == "Mon 2026-11-30")
    _ = stage.answer("undone", "Sweep")
    #expect(first(stage) == "Mon 2026-11-30")
  }

  @Test func `Sync: the JSON of a receipt has the devices and the first date`() throws {
    let stage = try stage()
    _ = told(on: stage)
    #expect(try closedFirst(stage) == [])
    let later = try self.stage()
    _ = later.answer("sync", "stick")
    _ = later.answer("-C", "phone", "sync", "stick")
    let expected: [JSON?] = ["Sweep", "laptop", "laptop 2", "2026-11-30", true, false]
    #expect(try closedFirst(later) == [expected])
  }

  private func closedFirst(_ stage: Stage) throws -> [[JSON?]] {
    let json = try JSON(parsing: Array(stage.run("sync", "stick", "--json").output.utf8))
    let todos = try #require(json["closedFirst"]?.array)
    let names = ["closedBy", "repeatedBy", "date", "isDone", "isOpen"]
    return todos.map { todo -> [JSON?] in
      [todo["record"]?["title"]] + names.map { todo[$0] }
    }
  }

  @Test func `Sync: a completion that the other device had seen is not reported`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("edit", "Sweep", "--due", "2026-11-30")
    _ = stage.answer("done", "Sweep")
    stage.meet()
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--repeat", "daily")
    #expect(told(on: stage) == ["", "", ""])
  }

  @Test func `Show: a first date that the to-do itself closed says when, until it is reopened`()
    throws
  {
    let stage = try stage()
    stage.meet()
    #expect(first(stage) == "Mon 2026-11-30, done 2026-11-20 TIME")
    _ = stage.answer("undone", "Sweep")
    #expect(first(stage) == "Mon 2026-11-30")
  }
}
