import Bytes
import Console
import Phrasing
import Testing

/// Repeating to-dos, through the program and on two devices.
///
/// Today is Thursday, 26 November 2026.
struct RepeatTests {
  private static let phone = ["-C", "phone"]

  /// Returns the due dates of Bins on both devices, which must be the same.
  private func dues(
    _ stage: Stage, _ filter: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String?] {
    let found = try [[], Self.phone].map { device in
      let answer = stage.run(device + ["list", "todos", "--json"] + filter)
      let list = try #require(try JSON(parsing: Array(answer.output.utf8)).array)
      return list.filter { $0["title"] == "Bins" }.map { $0["due"]?.string }
    }
    #expect(found[0] == found[1], sourceLocation: sourceLocation)
    return found[0]
  }

  // MARK: The numbered examples of the specification

  @Test func `Repeats: a date that two devices close is done once, and the next is current`() throws
  {
    let stage = try Stage.pairWithBins()
    _ = stage.answer("done", "Bins")
    _ = stage.answer("-C", "phone", "done", "Bins")
    stage.meet()
    #expect(try dues(stage, "--done") == ["2026-11-23"])
    #expect(try dues(stage) == ["2026-11-30"])
    #expect(
      stage.told("undo")
        == "Undone: still done: todo ID Bins, which was also marked as done on phone.\n")
    stage.meet()
    #expect(try dues(stage, "--done") == ["2026-11-23"])
    #expect(try dues(stage) == ["2026-11-30"])
  }

  @Test
  func `Repeats: a neglected daily to-do is one row, and done passes over the missed dates`()
    throws
  {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "todo", "Water", "--due", "2026-11-01", "--repeat", "daily")
    #expect(
      stage.answer("list", "todos")
        .hasSuffix("  [ ]  Water  due Sun 2026-11-01 (25 days ago)  ↻\n"))
    #expect(
      stage.told("done", "water")
        == "Done: todo ID Water of Sun 2026-11-01, next Thu 2026-11-26, passed over 24 missed dates.\n"
    )
    #expect(try stage.todos().map { $0["due"] } == ["2026-11-26"])
  }

  @Test func `Repeats: a monthly to-do that keeps missed dates shows the next of them`() throws {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "todo", "Rent", "--due", "2026-10-01", "--repeat", "each month")
    #expect(stage.answer("list", "todos").hasSuffix("  ↻ 1 more missed\n"))
    #expect(
      stage.told("done", "rent") == "Done: todo ID Rent of Thu 2026-10-01, next Sun 2026-11-01.\n")
    #expect(try stage.todos().map { $0["due"] } == ["2026-11-01"])
  }

  @Test func `Repeats: a to-do that counts from its completion follows it`() throws {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "todo", "Shave", "--due", "2026-11-20", "--repeat", "every! 3 days")
    #expect(
      stage.told("done", "shave") == "Done: todo ID Shave of Fri 2026-11-20, next Sun 2026-11-29.\n"
    )
  }

  @Test func `Repeats: before the completion, the earlier date is shown`() throws {
    let stage = Stage.onThursday()
    stage.addBins()
    stage.goTo(day: 1)
    _ = stage.answer("done", "bins")
    let before = stage.run("at", "2026-11-26T12:00:00Z", "list", "todos", "--all", "--json").output
    let then = try #require(try JSON(parsing: Array(before.utf8)).array)
    #expect(then.map { $0["due"] } == ["2026-11-23"])
    #expect(try stage.todos("--open").map { $0["due"] } == ["2026-11-30"])
  }

  // MARK: Concurrent commands

  @Test func `Repeats: a date that is done here and skipped there is done without a conflict`()
    throws
  {
    let stage = try Stage.pairWithBins()
    _ = stage.answer("done", "Bins")
    _ = stage.answer("-C", "phone", "skip", "Bins")
    stage.meet()
    for device in [[], Self.phone] {
      let closed = try stage.todos("--done", on: device)
      #expect(closed.map { [$0["done"], $0["cancelled"]] } == [[true, false]])
      #expect(stage.run(device + ["conflicts"]).output == "No conflicts.\n")
    }
    #expect(try dues(stage) == ["2026-11-30"])
  }

  @Test func `Repeats: a date that is done here and moved there is closed with the other due date`()
    throws
  {
    let stage = try Stage.pairWithBins()
    _ = stage.answer("done", "Bins")
    _ = stage.answer("-C", "phone", "edit", "Bins", "--due", "2026-11-28")
    stage.meet()
    #expect(try dues(stage, "--done") == ["2026-11-28"])
    #expect(try dues(stage) == ["2026-11-30"])
  }

  @Test func `Repeats: a date that is moved on both devices is open, and its due date in conflict`()
    throws
  {
    let stage = try Stage.pairWithBins()
    _ = stage.answer("edit", "Bins", "--due", "2026-11-28")
    _ = stage.answer("-C", "phone", "edit", "Bins", "--due", "2026-11-29")
    stage.meet()
    let listed = stage.answer("list", "todos").split(separator: "\n")
    #expect(listed.filter { $0.hasSuffix("conflict") }.count == 1)
    #expect(listed.contains { $0.contains("  Bins  ") && $0.hasSuffix("conflict") })
    let conflicts = stage.run("conflicts")
    #expect(conflicts.output.contains(" Bins of Mon 2026-11-23\n"))
    #expect(stage.answer("show", "Bins").contains(" Bins of Mon 2026-11-23\n"))
    #expect(
      stage.answer("resolve", "Bins", "due", "--take", "mine").hasPrefix("Settled due of todo"))
    stage.meet()
    #expect(try dues(stage).count == 1)
    #expect(stage.answer("-C", "phone", "conflicts") == "No conflicts.\n")
  }

  @Test func `Repeats: two rules are in conflict with their words`() throws {
    let stage = try Stage.pairWithBins()
    _ = stage.answer("edit", "Bins", "--repeat", "every 2 weeks")
    _ = stage.answer("-C", "phone", "edit", "Bins", "--repeat", "monthly")
    stage.meet()
    let conflicts = stage.answer("conflicts")
    #expect(conflicts.contains("every 2 weeks") && conflicts.contains("every month"))
  }

  @Test func `Repeats: a completion and a deletion of the series are a delete against an edit`()
    throws
  {
    let stage = try Stage.pairWithBins()
    _ = stage.answer("done", "Bins")
    _ = stage.answer("-C", "phone", "delete", "Bins")
    stage.meet()
    #expect(stage.answer("conflicts").contains("keep or delete"))
    #expect(try dues(stage) == ["2026-11-30"])
  }

  @Test func `Repeats: a sync reports a completion as a change to the to-do`() throws {
    let stage = try Stage.pairWithBins()
    _ = stage.answer("done", "Bins")
    let sent = stage.answer("sync", "stick")
    #expect(sent.contains("  sent from laptop: changed 1 todo"), "\(sent)")
    for edit in [["--due", "2026-12-02"], ["--repeat", "every 2 weeks"]] {
      #expect(stage.run(["edit", "Bins"] + edit).code == .done)
      let told = stage.answer("sync", "stick")
      #expect(told.contains("  sent from laptop: changed 1 todo\n"), "\(told)")
    }
  }

  @Test(arguments: [
    ([["done", "Bins"], ["undo"]], "changed 1 todo"),
    (
      [["edit", "Bins", "--due", "2026-12-02"], ["edit", "Bins", "--repeat", "every tue"]],
      "changed 1 todo"
    ),
    ([["done", "Bins"], ["undo"], ["delete", "Bins"]], "deleted 1 todo"),
  ])
  func `Repeats: a sync counts a date that was stored and dropped as a part of its to-do`(
    commands: [[String]], told: String
  ) throws {
    let stage = try Stage.pairWithBins()
    for words in commands { #expect(stage.run(words).code == .done) }
    #expect(Self.changes(stage.answer("sync", "stick")) == ["  sent from laptop: \(told)"])
    #expect(
      Self.changes(stage.answer("-C", "phone", "sync", "stick"))
        == ["  received from laptop: \(told)"])
  }

  @Test func `Repeats: a device that joins counts one to-do, without its dropped dates`() throws {
    let stage = try Stage.pairWithBins()
    for words in [["done", "Bins"], ["undo"], ["edit", "Bins", "--due", "2026-12-02"]] {
      #expect(stage.run(words).code == .done)
    }
    _ = stage.answer("-C", "phone", "edit", "Bins", "--repeat", "every 2 weeks")
    stage.meet()
    _ = stage.answer("edit", "Bins", "--repeat", "every tue")
    stage.meet()
    let told = Self.changes(stage.answer("-C", "tablet", "join", "stick"))
    #expect(
      told.filter { $0.contains("from laptop:") }.map { $0.split(separator: ";")[0] }
        == ["  received from laptop: added 2 todos"])
  }

  /// The lines of a receipt that tell what changed.
  private static func changes(_ receipt: String) -> [String] {
    receipt.split(separator: "\n").map(String.init).filter {
      $0.hasPrefix("  sent from ") || $0.hasPrefix("  received from ")
    }
  }
}
