import Bytes
import Console
import Phrasing
import Platform
import Testing

/// To-dos that one device has done and another has cancelled.
struct DoneAndCancelledTests {
  @Test func `Why and blame: a to-do that is done and cancelled is not called cancelled`() throws {
    let stage = try stage()
    let lines = stage.answer("why", "Sweep.cancelled").split(separator: "\n")
    #expect(lines[0].hasSuffix(": cancelled is no."))
    #expect(lines[1] == "It was set to yes, which is ignored because the to-do is also done.")
    let json = try JSON(parsing: Array(stage.answer("why", "Sweep.cancelled", "--json").utf8))
    #expect(json["value"] == false)
    #expect(json["writes"]?.array?.map { $0["value"] } == [true])
    let row = stage.answer("blame", "Sweep").split(separator: "\n").first {
      $0.hasPrefix("  cancelled ")
    }
    #expect(try #require(row).contains("  yes (ignored because the to-do is also done)  "))
  }

  /// Two devices, of which one has done the to-do Sweep and the other has cancelled it.
  private func stage() throws -> Stage {
    let stage = try Stage.pair()
    _ = stage.answer("done", "Sweep")
    _ = stage.answer("-C", "phone", "cancel", "Sweep")
    stage.meet()
    return stage
  }

  @Test func `Show: the ignored cancellation of a to-do that is done has a row`() throws {
    let stage = try stage()
    let row = { (device: String) in
      stage.answer("-C", device, "show", "Sweep").split(separator: "\n").first {
        $0.hasPrefix("  cancelled ")
      }
    }
    let words = "  no: the cancellation is ignored because the to-do is also done"
    #expect(try #require(row("phone")).hasSuffix(words))
    _ = stage.answer("-C", "phone", "undo")
    #expect(row("phone") == nil)
  }

  @Test func `Undo: the undone one of a completion and a cancellation is named`() throws {
    let stage = try stage()
    #expect(
      stage.answer("-C", "phone", "undo").hasPrefix(
        "Undone: no longer cancelled, but still done: todo "))
    #expect(
      stage.answer("-C", "phone", "redo").hasPrefix("Redone: cancelled, but still done: todo "))
    #expect(
      stage.answer("undo").hasPrefix("Undone: no longer done, but still cancelled: todo "))
    #expect(stage.answer("redo").hasPrefix("Redone: done: todo "))
  }
}
