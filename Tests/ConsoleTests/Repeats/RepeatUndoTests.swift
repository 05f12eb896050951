import Bytes
import Console
import Phrasing
import Testing

/// Undo of changes to a date of a repeating to-do, after another device has edited the same date.
///
/// Today is Thursday, 26 November 2026.
struct RepeatUndoTests {
  private static let phone = ["-C", "phone"]

  /// Returns the dates of the series, as both devices show them: title, due date and state.
  private func dates(
    _ stage: Stage, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    stage.meet()
    let found = try [[], Self.phone].map { device in
      try stage.todos("--all", on: device).filter { $0["title"] != "Sweep" }.map { todo in
        let state = todo["done"] == true ? " done" : todo["cancelled"] == true ? " skipped" : ""
        return "\(todo["title"]?.string ?? "-") \(todo["due"]?.string ?? "-")\(state)"
      }
    }
    #expect(found[0] == found[1], sourceLocation: sourceLocation)
    return found[0]
  }

  /// Returns the id of the only closed date.
  private func closed(_ stage: Stage) throws -> String {
    let rows = try stage.todos("--done")
    #expect(rows.count == 1)
    return try #require(rows.first?["id"]?.string)
  }

  private func renameClosed(_ stage: Stage) throws {
    stage.meet()
    _ = stage.answer("-C", "phone", "edit", try closed(stage), "--title", "Bins and paper")
    stage.meet()
  }

  @Test func `Undo of dates: a date that another device has edited is open again, with the edit`()
    throws
  {
    let stage = try Stage.pairWithBins()
    _ = stage.answer("done", "Bins")
    try renameClosed(stage)
    #expect(try dates(stage) == ["Bins 2026-11-30", "Bins and paper 2026-11-23 done"])
    #expect(
      stage.told("undo")
        == "Undone: open again: todo ID Bins and paper, due Mon 2026-11-23 (3 days ago).\n")
    #expect(try dates(stage) == ["Bins and paper 2026-11-23"])
    #expect(
      stage.told("redo")
        == "Redone: done: todo ID Bins and paper of Mon 2026-11-23, next Mon 2026-11-30.\n")
    #expect(try dates(stage) == ["Bins 2026-11-30", "Bins and paper 2026-11-23 done"])
    // The edit is older than the redo, but stays.
    _ = stage.answer("undo")
    #expect(try dates(stage) == ["Bins and paper 2026-11-23"])
  }

  @Test func `Undo of dates: a date that was moved is back, with another device's edit`() throws {
    let stage = try Stage.pairWithBins()
    _ = stage.answer("edit", "Bins", "--due", "2026-11-28")
    stage.meet()
    _ = stage.answer("-C", "phone", "edit", "Bins", "--title", "Bins and paper", "--this")
    #expect(try dates(stage) == ["Bins and paper 2026-11-28"])
    #expect(stage.told("undo").hasPrefix("Undone: edited todo ID Bins and paper: due Mon"))
    #expect(try dates(stage) == ["Bins and paper 2026-11-23"])
  }

  @Test func `Undo of dates: a date that two devices have closed stays closed, with an edit`()
    throws
  {
    let stage = try Stage.pairWithBins()
    _ = stage.answer("done", "Bins")
    _ = stage.answer("-C", "phone", "done", "Bins")
    try renameClosed(stage)
    #expect(
      stage.told("undo")
        == "Undone: still done: todo ID Bins and paper, which was also marked as done on phone.\n")
    #expect(try dates(stage) == ["Bins 2026-11-30", "Bins and paper 2026-11-23 done"])
    // The phone undoes its change of the title, and then its completion.
    #expect(
      stage.told("-C", "phone", "undo")
        == "Undone: edited todo ID Bins of Mon 2026-11-23: title Bins, this date only.\n")
    #expect(
      stage.told("-C", "phone", "undo")
        == "Undone: open again: todo ID Bins, due Mon 2026-11-23 (3 days ago).\n"
        + "Undone: edited todo ID Bins: this date keeps the changes by other devices.\n")
    #expect(try dates(stage) == ["Bins 2026-11-23"])
  }

  @Test func `Undo of dates: a date that another device has opened and closed again stays`() throws
  {
    let stage = try Stage.pairWithBins()
    _ = stage.answer("done", "Bins")
    let id = try closed(stage)
    stage.meet()
    _ = stage.answer("-C", "phone", "undone", id)
    _ = stage.answer("-C", "phone", "done", "Bins")
    stage.meet()
    let refused = stage.run("undo")
    #expect(refused.code == .refused)
    #expect(refused.error.contains("phone has set the done of todo "), "\(refused)")
    #expect(try dates(stage) == ["Bins 2026-11-30", "Bins 2026-11-23 done"])
    _ = stage.answer("undo", "--force")
    #expect(try dates(stage) == ["Bins 2026-11-23"])
  }

  @Test func `Undo of dates: a date that another device skipped, opened and closed again stays`()
    throws
  {
    let stage = try Stage.pairWithBins()
    _ = stage.answer("done", "Bins")
    _ = stage.answer("-C", "phone", "skip", "Bins")
    stage.meet()
    _ = stage.answer("-C", "phone", "undone", try closed(stage))
    _ = stage.answer("-C", "phone", "done", "Bins")
    let shown = ["Bins 2026-11-30", "Bins 2026-11-23 done"]
    #expect(try dates(stage) == shown)
    let refused = stage.run("undo")
    #expect(refused.code == .refused)
    #expect(refused.error.contains("phone has set the done of todo "), "\(refused)")
    #expect(try dates(stage) == shown)
    _ = stage.answer("undo", "--force")
    #expect(try dates(stage) == ["Bins 2026-11-23"])
  }

  @Test func `Undo of dates: if another device has moved a date, only its completion is undone`()
    throws
  {
    let stage = try Stage.pairWithBins()
    _ = stage.answer("done", "Bins")
    stage.meet()
    _ = stage.answer("-C", "phone", "edit", try closed(stage), "--due", "2026-11-27")
    #expect(try dates(stage) == ["Bins 2026-11-30", "Bins 2026-11-27 done"])
    #expect(
      stage.told("undo")
        == "Undone: open again: todo ID Bins, due Fri 2026-11-27 (tomorrow).\n")
    #expect(try dates(stage) == ["Bins 2026-11-27"])
  }
  @Test func `Redo: a moved date of a repeating to-do is reported as an edit`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("add", "todo", "Bins", "--repeat", "weekly", "--due", "2026-11-27")
    let moved = stage.answer("edit", "Bins", "--this", "--due", "2026-11-28")
    _ = stage.answer("undo")
    let redone = stage.answer("redo")
    #expect(redone.hasPrefix("Redone: edited todo "), "\(redone)")
    #expect(redone.contains("due Sat 2026-11-28"), "\(redone)")
    #expect(redone.hasSuffix(", this date only.\n"), "\(redone)")
    #expect(moved.contains("due Sat 2026-11-28"), "\(moved)")
  }

  @Test func `Redo: a moved date that another device has skipped is reported as an edit`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("add", "todo", "Bins", "--repeat", "weekly", "--due", "2026-11-27")
    stage.meet()
    _ = stage.answer("edit", "Bins", "--this", "--due", "2026-11-28")
    _ = stage.answer("-C", "phone", "skip", "Bins")
    stage.meet()
    for verb in ["undo", "redo"] {
      let answer = stage.answer(verb)
      #expect(!answer.contains("skipped"), "\(answer)")
      #expect(answer.contains(" this date "), "\(answer)")
    }
  }

  @Test(arguments: [("done", "done"), ("skip", "skipped")])
  func `Undo: a date is closed again if an undo of another device's command is undone`(
    _ verb: String, _ state: String
  ) throws {
    let stage = try Stage.pair()
    _ = stage.answer("add", "todo", "Bins", "--repeat", "weekly", "--due", "2026-11-27")
    _ = stage.answer(verb, "Bins")
    stage.meet()
    let log = try JSON(parsing: Array(stage.answer("-C", "phone", "log", "--json").utf8))
    let last = try #require(log.array?.first)
    let name = "\(last["device"]?.string ?? "-"):\(last["sequence"]?.integer ?? 0)"
    let opened = stage.answer("-C", "phone", "undo", "--command", name)
    #expect(opened.hasPrefix("Undone: open again: "), "\(opened)")
    let closed = stage.answer("-C", "phone", "undo")
    #expect(closed.hasPrefix("Undone: \(state): todo "), "\(closed)")
    #expect(!closed.contains("also"), "\(closed)")
  }
}
