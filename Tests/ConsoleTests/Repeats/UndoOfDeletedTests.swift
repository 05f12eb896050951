import Bytes
import Console
import Phrasing
import Testing

/// Undo of a change that kept a record which another device has deleted, and of a date that had its own title.
///
/// Today is Thursday, 26 November 2026.
struct UndoOfDeletedTests {
  private static let phone = ["-C", "phone"]

  /// Creates two devices; the laptop has deleted Bins, which repeats, and the phone has changed it at the same time.
  private func stage(deleting title: String, whileRunning words: [String]) throws -> Stage {
    let stage = try Stage.pairWithBins()
    _ = stage.answer("delete", title)
    _ = stage.run(Self.phone + words)
    stage.meet()
    return stage
  }

  @Test func `Undo: a completion that kept a deleted series is not said to be open again`() throws {
    let stage = try stage(deleting: "Bins", whileRunning: ["done", "Bins"])
    let undone = stage.told("-C", "phone", "undo")
    #expect(
      undone == """
        Undone: deleted again, because laptop deleted it: todo ID Bins and its repeats.
        Undone: no longer done: todo ID Bins of Mon 2026-11-23, which is deleted.

        """)
    #expect(stage.run("-C", "phone", "show", "Bins").error.contains("is deleted"))
  }

  @Test func `Undo: an edit that kept a deleted record leaves it deleted`() throws {
    let stage = try stage(deleting: "Sweep", whileRunning: ["edit", "Sweep", "--note", "x"])
    #expect(
      stage.told("-C", "phone", "undo") == """
        Undone: edited todo ID Sweep: note none.
        Undone: deleted todo ID Sweep.

        """)
    let other = try self.stage(deleting: "Sweep", whileRunning: ["done", "Sweep"])
    #expect(
      other.told("-C", "phone", "undo") == """
        Undone: no longer done: todo ID Sweep.
        Undone: deleted todo ID Sweep.

        """)
  }

  @Test func `Undo: a record that only this device has deleted is just deleted`() throws {
    let stage = try Stage.pairWithBins()
    _ = stage.answer("delete", "Bins")
    _ = stage.answer("restore", "Bins")
    #expect(stage.told("undo") == "Undone: deleted todo ID Bins and its repeats.\n")
    _ = stage.answer("undo")
    stage.meet()
    _ = stage.answer("-C", "phone", "delete", "Bins")
    stage.meet()
    _ = stage.answer("restore", "Bins")
    #expect(stage.told("undo") == "Undone: deleted todo ID Bins and its repeats.\n")
  }

  @Test func `Undo: a date without its own title is named as lists show it`() throws {
    let stage = try Stage.pairWithBins()
    _ = stage.answer("edit", "Bins", "--title", "Bins and paper", "--this")
    #expect(
      stage.told("undo")
        == "Undone: edited todo ID Bins: this date is like the others again.\n")
  }

  @Test func `Undo: JSON names what stays unchanged, and commands without a visible effect`() throws
  {
    let stage = try Stage.pairWithBins()
    _ = stage.answer("edit", "Sweep", "--title", "Mop")
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--title", "Mop")
    stage.meet()
    let left = try JSON(parsing: Array(stage.answer("undo", "--json").utf8)).array ?? []
    #expect(left.map { $0["verb"] } == ["leave"])
    #expect(left.first?["field"] == "title" && left.first?["reason"] == "unchanged")
    #expect(left.first?["record"]?["title"] == "Mop")
    _ = stage.answer("done", "Bins")
    _ = stage.answer("-C", "phone", "done", "Bins")
    stage.meet()
    let closed = try JSON(parsing: Array(stage.answer("undo", "--json").utf8)).array ?? []
    #expect(closed.first?["record"]?["done"] == true && closed.first?["remains"] == true)
  }
}
