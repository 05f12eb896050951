import Bytes
import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// Commands in messages about peers, bundles and losses: each does what the message says.
struct PeerAdviceTests {
  private func book(folders: String...) throws -> Stage {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep")
    for folder in folders { try stage.disk.makeDirectories(Path("/home/ada/\(folder)")) }
    return stage
  }

  @Test func `Advice: a remembered address is renamed`() throws {
    let stage = try book(folders: "stick")
    _ = stage.answer("peer", "add", "Ada's stick", "stick")
    try stage.follow("peer rename", in: stage.run("peer", "add", "the red one", "stick"))
    #expect(stage.answer("peers").hasPrefix("the red one  /home/ada/stick"))
  }

  @Test func `Advice: a missing peer is forgotten, and an emptied one is added again`()
    throws
  {
    let stage = try book(folders: "my stick")
    _ = stage.answer("peer", "add", "my stick", "my stick")
    _ = stage.answer("sync", "my stick")
    try stage.disk.rename(Path("/home/ada/my stick"), to: Path("/home/ada/drawer"))
    try stage.disk.makeDirectories(Path("/home/ada/my stick"))
    let emptied = stage.run("sync", "my stick")
    try stage.follow("peer forget", in: emptied)
    try stage.follow("peer add", in: emptied)
    #expect(stage.answer("sync", "my stick").hasPrefix("Sent 2 events"))
    try stage.disk.rename(Path("/home/ada/my stick"), to: Path("/home/ada/gone"))
    try stage.follow("peer forget", in: stage.run("sync", "my stick"))
    #expect(stage.answer("peers") == "")
  }

  @Test func `Advice: without peers, a peer is added or another device is invited`() throws {
    let stage = try book(folders: "stick")
    let none = stage.run("sync")
    try stage.follow("peer add", in: none, filling: ["NAME": "st", "DIR": "stick"])
    #expect(stage.answer("sync").contains("Sent 2 events"))
    let invited = try stage.follow("invite", in: none, code: .refused)
    let served = stage.run(["serve", "--listen", "127.0.0.1:7771"], shouldStop: { true })
    #expect(invited.error.contains("'daybook serve'") && served.code == .done)
    #expect(try stage.follow("peers", in: stage.run("sync", "nobody")).output.hasPrefix("st "))
    #expect(try stage.follow("peers", in: stage.run("peer", "forget", "x")).output.hasPrefix("st "))
  }

  @Test func `Advice: one of several peers is named, and a device gets an address`() throws {
    let stage = try Stage.pair()
    try stage.disk.makeDirectories(Path("/home/ada/card"))
    _ = stage.answer("peer", "add", "st", "stick")
    _ = stage.answer("peer", "add", "sd", "card")
    for option in ["--dry-run", "--explain"] {
      let told = stage.run("sync", option)
      let synced = try stage.follow("sync", in: told, filling: ["NAME": "sd"])
      #expect(synced.output.contains(option == "--dry-run" ? "Would send" : "Sent"))
    }
    let values = ["tcp://HOST:PORT": "tcp://desk:7771"]
    try stage.follow("peer add", in: stage.run("sync", "laptop 2"), filling: values)
    #expect(stage.answer("peers").contains("tcp://desk:7771"))
    let folders = try book(folders: "stick")
    _ = folders.answer("peer", "add", "st", "stick")
    let machines = folders.run("sync", "--follow")
    let more = ["NAME": "desk", "tcp://HOST:PORT": "tcp://desk:7771"]
    try folders.follow("sync", in: machines)
    try folders.follow("peer add", in: machines, filling: more)
  }

  @Test func `Advice: a bundle with more events is synced before it is replaced`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("-C", "phone", "add", "todo", "Mop")
    _ = stage.answer("-C", "phone", "bundle", "my book.bundle")
    let refused = stage.run("bundle", "my book.bundle")
    #expect(refused.code == .refused)
    try stage.follow("sync", in: refused)
    #expect(stage.answer("list", "todos").contains("Mop"))
    _ = stage.answer("bundle", "my book.bundle")
  }

  @Test func `Advice: a different book in a folder is joined`() throws {
    let stage = try book(folders: "my stick")
    _ = stage.answer("sync", "my stick")
    _ = stage.answer("-C", "other", "add", "todo", "Mop")
    let told = stage.run("-C", "other", "sync", "my stick")
    try stage.follow("join", in: told, on: ["-C", "other"], code: .refused)
    try stage.follow("join", in: told, on: ["-C", "other"], adjust: Stage.consenting)
    let list = stage.answer("-C", "other", "list", "todos")
    #expect(list.contains("Sweep") && list.contains("Mop"))
  }

  @Test func `Advice: a bundle of a different book is joined`() throws {
    let stage = try book()
    _ = stage.answer("-C", "other", "add", "todo", "Mop")
    _ = stage.answer("-C", "other", "bundle", "their book")
    let told = stage.run("sync", "their book")
    try stage.follow("join", in: told, code: .refused)
    try stage.follow("join", in: told, adjust: Stage.consenting)
    let list = stage.answer("list", "todos")
    #expect(list.contains("Sweep") && list.contains("Mop"))
  }

  // MARK: Losses

  /// Creates a book on a stick that has lost an event.
  private func holed() throws -> Stage {
    let stage = try book(folders: "stick")
    try stage.addDamaged("Wipe", before: "Mop")
    return stage
  }

  @Test func `Advice: a loss is shown by verify, and repaired or accepted`() throws {
    let stage = try holed()
    let list = stage.run("list", "todos")
    let verified = try stage.follow("verify", in: list, code: .dataFault)
    let value = ["PEER": "stick"]
    try stage.follow("verify --repair", in: verified, filling: value, code: .dataFault)
    let accepted = try stage.follow("verify --accept-loss", in: verified)
    #expect(accepted.output.hasPrefix("Accepted as lost: event 3 of laptop."))
    #expect(stage.run("list", "todos").code == .done)
  }

  @Test func `Advice: a loss is repaired from an undamaged copy`() throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("sync", "stick")
    let own = try #require(try stage.devices().first { $0["isThis"] == false }?["replica"]?.string)
    for file in stage.machine.disk.files.keys
    where file.string.contains("/default/logs/\(own)") { try stage.disk.remove(file) }
    let verified = stage.run("verify")
    #expect(verified.code == .dataFault)
    let doctor = stage.run("doctor")
    for told in [verified, doctor] {
      try stage.follow("verify --repair", in: told, filling: ["PEER": "stick"])
    }
    #expect(stage.answer("verify").hasPrefix("No faults found"))
  }

  @Test func `Advice: an erasure over damage names the repair`() throws {
    let stage = try holed()
    let erased = stage.run("erase", "Mop", "--yes")
    try stage.follow("verify --repair", in: erased, filling: ["PEER": "stick"], code: .dataFault)
  }
}
