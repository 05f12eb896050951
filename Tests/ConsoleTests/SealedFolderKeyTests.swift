import Bytes
import Console
import Daybook
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// The keys of a sealed folder, which are lost, replaced or kept from a device.
struct SealedFolderKeyTests: SealedFolderSuite {
  let stage: Stage

  /// Two devices of one book, and an empty folder.
  init() throws {
    stage = try Stage.pair()
    try stage.disk.makeDirectories(Self.cloud)
  }

  @Test func `Sealed folder: the keys of a device open it when everything else is lost`() throws {
    seal()
    let folder = Path("/home/ada/.local/share/daybook/default")
    for path in files(in: folder).keys where path.name != "book.json" && path.parent.name != "keys"
    {
      try stage.disk.remove(path)
    }
    // This device does not know yet that it is admitted.
    let added = stage.run("peer", "add", "cloud", "cloud", "--sealed")
    #expect(added.code == .refused)
    #expect(added.output.hasPrefix("cloud is the sealed store of this book in /home/ada/cloud. "))
    #expect(stage.run("sync", "cloud").code == .done)
    #expect(stage.answer("verify").hasPrefix("No faults found"))
    #expect(try titles() == ["Sweep"])
  }

  @Test func `Sealed folder: a revoked device cannot open what is written afterwards`() throws {
    seal()
    _ = stage.answer("device", "revoke", "laptop 2", "--yes")
    _ = stage.answer("add", "todo", "Secret")
    #expect(stage.run("sync", "cloud").code == .done)
    let other = stage.run(Self.phone + ["sync", "cloud"])
    #expect(other.code == .network)
    #expect(other.error.contains("1 object in /home/ada/cloud/"))
    #expect(try titles("-C", "phone") == ["Sweep"])
    // The records of the device that is still trusted are not affected.
    #expect(try titles() == ["Secret", "Sweep"])
  }

  @Test func `Sealed folder: status and peers count what waited for a key, until it can be opened`()
    throws
  {
    func answer(_ words: String...) throws -> JSON {
      try JSON(parsing: Array(stage.run(Self.phone + words + ["--json"]).output.utf8))
    }
    seal()
    #expect(try answer("status")["waiting"] == .array([]))
    _ = stage.answer("keys", "rotate")
    _ = stage.answer("add", "todo", "Mop")
    let before = Set(files.keys)
    _ = stage.answer("sync", "cloud")
    let package = try #require(
      files.keys.first { !before.contains($0) && $0.name.hasPrefix("k-") })
    try stage.disk.remove(package)
    #expect(stage.run(Self.phone + ["sync", "cloud"]).code == .network)
    let known = try answer("peers").array?.first { $0["name"] == "cloud" }?["waiting"]
    let seen = try #require(known?["seen"]?.string)
    #expect(known == .object(("objects", .integer(1)), ("seen", .string(seen))))
    let expected = JSON.object(
      ("peer", .string("cloud")), ("objects", .integer(1)), ("seen", .string(seen)))
    #expect(try answer("status")["waiting"] == .array([expected]))
    #expect(
      stage.run(Self.phone + ["peers"]).output.contains("1 object was waiting for a key on "))
    let status = stage.run(Self.phone + ["status"]).output.split(separator: "\n")
    let row = try #require(status.first { $0.contains("waiting for a key") })
    #expect(row.hasPrefix("waiting") && row.hasSuffix(" in cloud"))
    // The other device puts the package again.
    _ = stage.answer("sync", "cloud")
    #expect(stage.run(Self.phone + ["sync", "cloud"]).code == .done)
    #expect(try answer("status")["waiting"] == .array([]))
    let rest = try answer("peers").array?.map { $0["waiting"] }
    #expect(rest?.allSatisfy { $0 == .null } == true)
    #expect(try titles("-C", "phone") == ["Mop", "Sweep"])
  }

  @Test
  func `Sealed folder: its files are sealed again with a new key, and the old key is forgotten`()
    throws
  {
    seal()
    let before = files.keys.filter { $0.name.hasPrefix("e-") }
    let made = try #require(
      JSON(parsing: Array(stage.answer("keys", "--json").utf8)).array?.first?["id"]?.string)
    let told = stage.answer("keys", "rotate", "--reseal")
    #expect(told.contains("Sealed \(before.count) files in cloud again.\nForgot 1 key.\n"))
    #expect(Set(files.keys).isDisjoint(with: before))
    let keys = try #require(JSON(parsing: Array(stage.answer("keys", "--json").utf8)).array)
    #expect(keys.map { $0["state"] } == ["used"] && keys[0]["id"]?.string != made)
    _ = stage.run(Self.phone + ["add", "todo", "Dust"])
    #expect(stage.run(Self.phone + ["sync", "cloud"]).code == .done)
    #expect(stage.run("sync", "cloud").code == .done)
    #expect(try titles() == ["Dust", "Sweep"])
    try stage.disk.rename(Self.cloud, to: Path("/home/ada/drawer"))
    let away = stage.run("keys", "rotate", "--reseal")
    #expect(away.code != .done)
    #expect(away.error.contains("no key was forgotten, because not all sealed folders"))
    #expect(try titles() == ["Dust", "Sweep"])
  }
}
