import Bytes
import Console
import Phrasing
import Platform
import Testing

/// A device that is waiting for admission.
struct WaitingDeviceTests {
  @Test func `Waiting device: a rename is refused because it would admit the device`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("-C", "tablet", "join", "stick")
    _ = stage.answer("-C", "tablet", "sync", "stick")
    _ = stage.answer("sync", "stick")
    let waiting = try #require(
      try stage.devices().first { $0["standing"]?.string == "waiting" })
    let words = try #require(waiting["fingerprint"]?.string)
    let outcome = stage.run("device", "rename", words, "guest")
    #expect(outcome.code == .refused)
    #expect(outcome.error.contains("is not admitted yet, and naming it would admit it"))
    #expect(try stage.devices().contains { $0["standing"]?.string == "waiting" })
  }

  @Test func `Waiting device: rekey requires confirmation if it would hide events`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("-C", "tablet", "join", "stick")
    let rekeyed = stage.run("-C", "tablet", "device", "rekey")
    #expect(rekeyed.code == .done)
    _ = stage.answer("-C", "tablet", "add", "todo", "Mine")
    let refused = stage.run("-C", "tablet", "device", "rekey")
    #expect(refused.code == .refused)
    #expect(
      refused.error
        == "daybook: Create a new key? 1 event of this device does not count, and will no longer be shown "
        + "on this device. Have another device admit the current key first; otherwise, to write the changes again "
        + "under the new key, run 'daybook export --uncounted -o kept.jsonl', then 'daybook import kept.jsonl'. "
        + "Add --yes to confirm.\n")
    #expect(stage.answer("-C", "tablet", "list", "todos").contains("Mine"))
    _ = stage.answer("-C", "tablet", "device", "rekey", "--yes")
    #expect(!stage.answer("-C", "tablet", "list", "todos").contains("Mine"))
    _ = stage.answer("-C", "tablet", "export", "--uncounted", "-o", "kept.jsonl")
    _ = stage.answer("-C", "tablet", "import", "kept.jsonl")
    #expect(stage.answer("-C", "tablet", "list", "todos").contains("Mine"))
  }
}
