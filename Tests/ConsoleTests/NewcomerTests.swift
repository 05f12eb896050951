import Bytes
import Console
import Phrasing
import Platform
import SimulatedPlatform
import Syncing
import Testing

/// The first use of a second device.
struct NewcomerTests {
  /// Creates a folder that the laptop has synced with.
  private func stage() throws -> Stage {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    _ = stage.answer("add", "todo", "Sweep")
    _ = stage.answer("sync", "stick")
    return stage
  }

  /// Creates the same folder, with an admitted phone named pocket.
  private func stageWithPocket() throws -> Stage {
    let stage = try stage()
    _ = stage.answer("-C", "phone", "join", "stick")
    let told = "This device is now admitted, so its changes count on all devices.\n"
    #expect(!stage.answer("-C", "phone", "sync", "stick").contains(told))
    _ = stage.answer("sync", "stick", "--admit")
    #expect(stage.answer("-C", "phone", "sync", "stick").contains(told))
    #expect(!stage.answer("-C", "phone", "sync", "stick").contains(told))
    _ = stage.answer("-C", "phone", "device", "rename", "pocket")
    return stage
  }

  @Test func `New device: a folder used to join is remembered for sync`() throws {
    let stage = try stage()
    let joined = stage.answer("-C", "phone", "join", "stick")
    #expect(
      joined.hasSuffix("Remembered stick. 'daybook sync' now syncs with it.\n"))
    _ = stage.answer("add", "todo", "Mop")
    _ = stage.answer("sync", "stick")
    #expect(stage.answer("-C", "phone", "sync").hasPrefix("With stick:\nSent nothing; received 1"))
    // A bundle is not remembered as a peer, and a known peer is not remembered again.
    _ = stage.answer("bundle", "b")
    #expect(!stage.answer("-C", "tablet", "join", "b").contains("remembered"))
    #expect(!stage.answer("-C", "phone", "join", "stick", "--yes").contains("remembered"))
  }

  @Test func `New device: a sync report includes events that are not about a record`() throws {
    let stage = try stageWithPocket()
    let sent = stage.answer("-C", "phone", "sync", "stick")
    #expect(sent.contains("\n  sent from pocket: named a device pocket\n"))
    _ = stage.answer("add", "todo", "Mop")
    _ = stage.answer("device", "rename", "desk")
    let both = stage.answer("sync", "stick")
    #expect(both.contains("\n  sent from desk: added 1 todo; named a device desk\n"))
    let json = try JSON(
      parsing: Array(stage.answer("-C", "phone", "sync", "stick", "--json").utf8))
    #expect(json["came"]?.array?.first?["others"] == 1)
  }

  @Test func `New device: a different book in the folder is reported once`() throws {
    let stage = try stage()
    _ = stage.answer("-C", "other", "add", "todo", "Dig")
    let book = try #require(try stage.disk.list(Path("/home/ada/stick")).first)
    let first = stage.run("-C", "other", "sync", "stick")
    #expect(first.code == .done)
    #expect(
      first.error.hasPrefix(
        "daybook: /home/ada/stick contains another book, \(book). This device's book is stored in the same folder, "
          + "and the other book is not read. To merge the two, run: "
          + "daybook join /home/ada/stick --book \(book.prefix(8))\n"))
    #expect(!stage.run("-C", "other", "sync", "stick").error.contains("another book"))
    #expect(!stage.run("sync", "stick").error.contains("another book"))
  }

  @Test func `New device: a device name is distinguished from an unknown peer`() throws {
    let stage = try stageWithPocket()
    let own = stage.run("-C", "phone", "sync", "pocket")
    #expect(own.code == .refused)
    #expect(own.error.hasPrefix("daybook: pocket is this device."))
    let other = stage.run("-C", "phone", "sync", "laptop")
    #expect(other.code == .refused)
    #expect(
      other.error.hasPrefix(
        "daybook: laptop is a device of the book, but this device does not know its address"))
    #expect(stage.run("sync", "nobody").error.contains("is called 'nobody'"))
  }

  @Test func `New device: a damaged bundle is reported without blaming the book`() throws {
    let stage = try stage()
    for name in 1...20 { _ = stage.answer("add", "todo", "Errand number \(name)") }
    _ = stage.answer("bundle", "b")
    let path = Path("/home/ada/b")
    var bytes = try stage.disk.contents(of: path, limit: 1 << 20)
    bytes[bytes.count * 3 / 4] ^= 0xff
    try stage.disk.replace(path, with: bytes)
    for words in [["bundle", "verify", "b"], ["-C", "phone", "join", "b"]] {
      let outcome = stage.run(words)
      #expect(outcome.code == .dataFault, "\(words)")
      #expect(!outcome.error.contains("'daybook verify'"), "\(outcome.error)")
    }
  }

  @Test func `Join: a bundle without the book's beginning is refused and leaves nothing`()
    throws
  {
    let stage = try stage()
    for name in ["one", "two"] { _ = stage.answer("add", "todo", name) }
    _ = stage.answer("bundle", "whole")
    _ = stage.answer("-C", "phone", "join", "whole")
    _ = stage.answer("-C", "phone", "bundle", "back")
    _ = stage.answer("sync", "back", "--admit")
    _ = stage.answer("add", "todo", "three")
    _ = stage.answer("bundle", "part", "--since", "laptop 2")
    let refused = stage.run("-C", "pad", "join", "part")
    #expect(refused.code == .dataFault)
    #expect(refused.error.contains("that copy lacks the event that began the book"))
    #expect(stage.run("-C", "pad", "list", "todos").error.contains("there is no book in"))
    #expect(stage.run("-C", "pad", "join", "whole").code == .done)
  }

  @Test func `New device: a wrong clock is not reported as damage`() throws {
    let stage = try stage()
    stage.machine.timekeeper.set(Moment(milliseconds: 0))
    let doctor = stage.run("doctor")
    #expect(doctor.output.contains("problem  clock "), "\(doctor.output)")
    #expect(doctor.code == .refused)
  }
}
