import Bytes
import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// Reports about events of this device that do not count here or on other devices.
struct OwnEventsTests {
  @Test func `Own events: events of a revoked former key are reported and can be restored`() throws
  {
    let stage = try Stage.pairOfTodos()
    let old = try #require(try stage.devices().first { $0["isThis"] == false })
    _ = stage.answer("-C", "phone", "add", "todo", "Late")
    _ = stage.answer("-C", "phone", "device", "rekey", "--yes")
    _ = stage.answer(
      "device", "revoke", try #require(old["fingerprint"]?.string), "--yes")
    _ = stage.answer("sync", "stick")
    let told = stage.run("-C", "phone", "sync", "stick")
    #expect(
      told.error.contains(
        "1 event that this device wrote under a former key no longer counts, and is not "
          + "shown; to write the same changes again, run 'daybook export --uncounted -o kept.jsonl', "
          + "then 'daybook import kept.jsonl'"))
    #expect(
      stage.answer("-C", "phone", "status").contains(
        "1 event written under former keys of this device"))
    // The key is that of a revoked device, so it is admitted by its words only.
    _ = stage.answer("sync", "stick")
    let new = try #require(try stage.devices().first { $0["standing"] == "waiting" })
    _ = stage.answer("device", "admit", try #require(new["fingerprint"]?.string))
    _ = stage.answer("sync", "stick")
    _ = stage.answer("-C", "phone", "sync", "stick")
    #expect(
      stage.answer("list", "todos", "--plain")
        == stage.answer("-C", "phone", "list", "todos", "--plain"))
    #expect(stage.run("-C", "phone", "export", "--uncounted", "--events").code == .usage)
    #expect(stage.run("-C", "phone", "export", "--uncounted", "--list", "Home").code == .usage)
    #expect(stage.run("-C", "phone", "export", "--uncounted", "--format", "ics").code != .done)
    _ = stage.answer("-C", "phone", "export", "--uncounted", "-o", "kept.jsonl")
    _ = stage.answer("-C", "phone", "import", "kept.jsonl")
    _ = stage.answer("-C", "phone", "sync", "stick")
    _ = stage.answer("sync", "stick")
    #expect(stage.answer("list", "todos").contains("Late"))
    #expect(!stage.run("-C", "phone", "sync", "stick").error.contains("former key"))
  }

  @Test func `Own events: erasures that do not count are reported when exporting`() throws {
    let stage = try Stage.pairOfTodos()
    let phone = try #require(try stage.devices().first { $0["isThis"] == false })
    _ = stage.answer("device", "revoke", try #require(phone["fingerprint"]?.string), "--yes")
    _ = stage.answer("sync", "stick")
    _ = stage.answer("-C", "phone", "erase", "Sweep", "--yes")
    _ = stage.run("-C", "phone", "sync", "stick")
    let outcome = stage.run("-C", "phone", "export", "--uncounted", "-o", "kept.jsonl")
    #expect(
      outcome.error.contains(
        "operations have no place for the following, so it was left out: 1 erasure.\n"),
      "\(outcome.error)")
  }

  @Test func `Own events: a digest that excludes an erasure is reported as not comparable`() throws
  {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("-C", "phone", "erase", "Sweep", "--yes")
    _ = stage.answer("device", "revoke", "laptop 2", "--yes")
    _ = stage.answer("sync", "stick")
    let synced = stage.run("-C", "phone", "sync", "stick")
    #expect(
      synced.error.contains(
        "daybook: do not compare this digest, because it excludes 1 event that takes "
          + "effect only on this device.\n"), "\(synced.error)")
    #expect(stage.answer("list", "todos").contains("Sweep"))
    #expect(!stage.answer("-C", "phone", "list", "todos").contains("Sweep"))
    #expect(!stage.run("status").error.contains("do not compare"))
  }

  @Test func `Own events: a digest that excludes events is reported as not comparable`()
    throws
  {
    let stage = try Stage.pairOfTodos()
    let sentence =
      "daybook: do not compare this digest, because it excludes 1 event that takes "
      + "effect only on this device.\n"
    _ = stage.answer("-C", "tablet", "join", "stick")
    #expect(!stage.run("-C", "tablet", "status").error.contains("do not compare"))
    _ = stage.answer("-C", "tablet", "add", "todo", "Alone")
    for words in [["status"], ["sync", "stick"], ["at", "2100-01-01", "status"]] {
      #expect(stage.run(["-C", "tablet"] + words).error.contains(sentence), "\(words)")
      let answer = stage.run(["-C", "tablet"] + words + ["--json"]).output
      #expect(try JSON(parsing: Array(answer.utf8))["shownAlone"] == .integer(1), "\(words)")
    }
    _ = stage.answer("sync", "stick", "--admit")
    _ = stage.answer("-C", "tablet", "sync", "stick")
    #expect(!stage.run("-C", "tablet", "status").error.contains("do not compare"))
  }
}
