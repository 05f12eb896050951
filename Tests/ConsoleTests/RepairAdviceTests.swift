import Bytes
import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// Advice about events and keys that a repair or a sync cannot use.
struct RepairAdviceTests {
  private static let book = Path("/home/ada/.local/share/daybook/default")

  @Test func `Verify: a healthy book needs no repair and contacts no peer`() throws {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada")
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    #expect(stage.answer("verify", "--repair", "stick") == stage.answer("verify"))
    #expect(stage.answer("verify").hasPrefix("No faults found: 1 log, 2 events, "))
    #expect(try stage.disk.list(Path("/home/ada/stick")) == [])
  }

  @Test func `Verify: a repair from the folder of a book asks for no events that are held`() throws
  {
    let stage = try Stage.pairOfTodos()
    let own = try #require(try stage.devices().first { $0["isThis"] == true }?["replica"]?.string)
    for file in stage.machine.disk.files.keys
    where file.string.hasPrefix(Self.book.string + "/logs/" + own + "/") {
      try stage.disk.remove(file)
    }
    let outcome = stage.run("verify", "--repair", "phone")
    #expect(outcome.output.contains("Healed: "), "\(outcome.output)")
    #expect(!outcome.error.contains("cannot be trusted"), "\(outcome.error)")
  }

  @Test func `Verify: a repair says how to get events that a copied folder cannot prove`() throws {
    let stage = try Stage.pairOfTodos()
    let own = try #require(try stage.devices().first { $0["isThis"] == true }?["replica"]?.string)
    _ = stage.answer("-C", "phone", "add", "todo", "Unsent")
    for file in stage.machine.disk.files.keys
    where file.string.hasPrefix(Self.book.string + "/logs/" + own + "/") {
      try stage.disk.remove(file)
    }
    let outcome = stage.run("verify", "--repair", "phone")
    #expect(
      outcome.error.contains(" of laptop 2 in that folder cannot be trusted, "), "\(outcome.error)")
    #expect(
      outcome.error.contains("Sync with laptop 2, or use a bundle that it has written.\n"),
      "\(outcome.error)")
  }

  @Test func `Sync: one that could not send all events does not count as finished`() throws {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    _ = stage.answer("add", "todo", "Sweep")
    _ = stage.answer("peer", "add", "stick", "stick")
    let key = try #require(
      stage.machine.disk.files.keys.first {
        $0.string.hasPrefix(Self.book.string + "/keys/") && $0.name.hasSuffix(".pem")
      })
    try stage.disk.remove(key)
    #expect(stage.run("sync", "stick").code == .dataFault)
    #expect(stage.run("peers").output.contains("not synced since it was added"))
  }

  @Test func `Sync: a damaged key is not called a missing one`() throws {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    _ = stage.answer("add", "todo", "Sweep")
    let key = try #require(
      stage.machine.disk.files.keys.first {
        $0.string.hasPrefix(Self.book.string + "/keys/") && $0.name.hasSuffix(".pem")
      })
    try stage.disk.replace(key, with: Array("damaged".utf8))
    let outcome = stage.run("sync", "stick")
    #expect(!outcome.error.contains("is not in keys/"), "\(outcome.error)")
    #expect(outcome.error.contains("cannot be read or used"), "\(outcome.error)")
  }
}
