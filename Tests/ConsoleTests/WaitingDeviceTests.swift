import Bytes
import Phrasing
import Platform
import Testing

@testable import Console

/// A device that waits to be admitted.
struct WaitingDeviceTests {
  @Test func `Renaming a device that waits: is refused, as it would admit it`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("-C", "tablet", "join", "stick")
    _ = stage.answer("-C", "tablet", "sync", "stick")
    _ = stage.answer("sync", "stick")
    let waiting = try #require(
      try stage.devices().first { $0["standing"]?.string == "waiting" })
    let words = try #require(waiting["fingerprint"]?.string)
    let outcome = stage.run("device", "rename", words, "guest")
    #expect(outcome.code == .refused)
    #expect(outcome.error.contains("waits to be admitted, and to name it would admit it"))
    #expect(try stage.devices().contains { $0["standing"]?.string == "waiting" })
  }
}
