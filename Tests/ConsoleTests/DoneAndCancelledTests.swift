import Bytes
import Console
import Phrasing
import Platform
import Testing

/// To-dos that one device has done and another has cancelled.
struct DoneAndCancelledTests {
  @Test func `Why and blame: a to-do that is done and cancelled is not called cancelled`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("done", "Sweep")
    _ = stage.answer("-C", "phone", "cancel", "Sweep")
    stage.meet()
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
}
