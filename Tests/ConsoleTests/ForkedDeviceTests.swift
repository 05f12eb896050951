import Bytes
import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// A device whose log has branches, because it was copied and both copies then wrote.
struct ForkedDeviceTests {
  /// Creates a laptop, and a second device whose folder was copied before both copies wrote.
  private func unsyncedStage() throws -> Stage {
    let stage = try Stage.pair()
    for (path, bytes) in stage.machine.disk.files where path.string.hasPrefix("/home/ada/phone/") {
      let copy = Path("/home/ada/copy" + path.string.dropFirst("/home/ada/phone".count))
      try stage.disk.makeDirectories(copy.parent)
      try stage.disk.replace(copy, with: bytes)
    }
    _ = stage.answer("-C", "phone", "add", "todo", "Left")
    _ = stage.answer("-C", "copy", "add", "todo", "Right")
    return stage
  }

  /// The same devices, after all of them have synced.
  private func stage() throws -> Stage {
    let stage = try unsyncedStage()
    for folder in ["phone", "copy"] { _ = stage.answer("-C", folder, "sync", "stick") }
    _ = stage.answer("sync", "stick")
    return stage
  }

  @Test func `Forked device: the sync that finds the fork says what to do about it, once`() throws {
    let stage = try unsyncedStage()
    let advice =
      "daybook: either laptop 2 wrote to an old copy of its folder, or two machines use its key. "
      + "Changes that reached another device are not lost. "
      + "If two machines use the key, run 'daybook device rekey' on one of them, "
      + "then the 'daybook device revoke WORDS' that it prints, "
      + "with --keep NAME for each other device that the old key alone admitted. "
      + "The other machine is then revoked, so run 'daybook device rekey' there as well, and admit its new key.\n"
    let first = stage.run("-C", "phone", "sync", "stick")
    #expect(first.code == .done && !first.error.contains("an old copy"), "\(first.error)")
    for place in [["-C", "copy"], []] {
      let found = stage.run(place + ["sync", "stick"])
      #expect(found.code == .done && found.error.contains(advice), "\(found.error)")
      #expect(!stage.run(place + ["sync", "stick"]).error.contains("an old copy"))
    }
  }

  @Test
  func `Forked device: the rest of a branch without its beginning is reported until accepted`()
    throws
  {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Shared")
    let book = "/home/ada/.local/share/daybook/default"
    for (path, bytes) in stage.machine.disk.files where path.string.hasPrefix(book + "/") {
      let copy = Path("/home/ada/copy" + path.string.dropFirst(book.count))
      try stage.disk.makeDirectories(copy.parent)
      try stage.disk.replace(copy, with: bytes)
    }
    try stage.addDamaged("Lost", before: "After it")
    _ = stage.answer("-C", "copy", "add", "todo", "By the copy")
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    _ = stage.run("-C", "copy", "sync", "stick")
    _ = stage.run("sync", "stick")
    let strand = try #require(
      stage.machine.disk.files.keys.map(\.parent).first { folder in
        folder.parent.parent.string == book + "/logs"
      })
    let verified = stage.run("verify")
    #expect(
      verified.output
        == "logs/\(strand.parent.name)/\(strand.name): event 4 is stored but not shown, because an earlier event of "
        + "the branch is missing\nMissing: event 4 of laptop.\n")
    #expect(verified.error.hasSuffix("'daybook verify --accept-loss' continues without it.\n"))
    #expect(
      stage.answer("verify", "--accept-loss") == "Accepted as lost: event 4 of laptop.\n")
    #expect(stage.answer("verify").hasSuffix(" Accepted as lost: 1 event.\n"))
    #expect(
      stage.run("doctor").output.contains(
        "no event is missing, apart from 1 event accepted as lost\n"))
  }

  @Test func `Forked device: revoking one branch revokes all logs of the device`() throws {
    let stage = try stage()
    #expect(
      stage.answer("doctor").contains("laptop 2 (2 branches): either an old copy was written to"))
    let revoked = stage.run("device", "revoke", "laptop 2, branch 1", "--yes")
    #expect(
      revoked.error
        == "daybook: a revocation ends all logs and branches of a device, not only laptop 2, branch 1.\n"
    )
    #expect(revoked.output.hasPrefix("Revoked laptop 2 ("))
    let others = try stage.devices().filter { $0["isThis"] == false }
    #expect(others.count == 3)
    #expect(others.allSatisfy { $0["standing"] == "revoked" && $0["cut"] == 0 })
    for folder in ["phone", "copy"] {
      _ = stage.answer("-C", folder, "add", "todo", "Late")
      _ = stage.answer("-C", folder, "sync", "stick")
    }
    _ = stage.answer("sync", "stick")
    let todos = stage.answer("list", "todos")
    #expect(["Left", "Right"].allSatisfy(todos.contains) && !todos.contains("Late"))
    let doctor = stage.run("doctor").output
    #expect(doctor.contains("forks           no member's log has forked\n"))
  }

  @Test func `Forked device: a namesake is told apart by the words of its key, not by branches`()
    throws
  {
    let stage = try stage()
    _ = stage.answer("device", "rename", "Z")
    _ = stage.answer("-C", "phone", "device", "rename", "Z")
    stage.meet()
    let keys = Set(try stage.devices().compactMap { $0["fingerprint"]?.string })
    #expect(keys.count == 2)
    let told = stage.run("device", "revoke", "Z").error
    #expect(told.hasPrefix("daybook: several devices are called 'Z': Z ("))
    #expect(told.hasSuffix("). Name the device by the words of its key.\n"))
    #expect(keys.allSatisfy { told.contains("Z (\($0))") })
    #expect(told.split(separator: "Z (").count == 3 && !told.contains("branch"))
  }

  @Test func `Forked device: each log of the same key has its own line and name`() throws {
    let stage = try stage()
    for folder in ["phone", "copy"] {
      _ = stage.answer("-C", folder, "sync", "stick")
      _ = stage.answer("-C", folder, "add", "todo", "New in \(folder)")
      _ = stage.answer("-C", folder, "sync", "stick")
    }
    _ = stage.answer("sync", "stick")
    let names = stage.answer("devices").split(separator: "\n").compactMap {
      $0.split(separator: "  ").first.map(String.init)
    }
    #expect(Set(names).count == names.count, "\(names)")
    let logs = names.filter { $0.hasPrefix("laptop 2, log ") }
    #expect(logs.count == 3, "\(names)")
    let told = logs.map { stage.answer("log", "--by", $0) }
    #expect(told.count { $0.contains("todo New in phone") } == 1)
    #expect(told.count { $0.contains("todo New in copy") } == 1)
  }

  @Test func `Forked device: the log of a named branch shows only that branch`() throws {
    let stage = try stage()
    let all = stage.answer("log", "--by", "laptop 2")
    #expect(all.contains("todo Left") && all.contains("todo Right"))
    let branches = try (1...2).map { number in
      let log = stage.answer("log", "--by", "laptop 2, branch \(number)", "--json")
      return try #require(try JSON(parsing: Array(log.utf8)).array).compactMap { $0["id"] }
    }
    let ids = try #require(
      try JSON(parsing: Array(stage.answer("list", "todos", "--json").utf8)).array
    ).filter { $0["title"] != "Sweep" }.compactMap { $0["id"] }
    #expect(branches.map(\.count) == [1, 1])
    #expect(ids.count == 2 && ids.allSatisfy(branches.joined().contains))
  }

  @Test func `Forked device: an undo by the name of a branch undoes only that branch`() throws {
    let stage = try stage()
    let undone = stage.answer(
      "undo", "--by", "laptop 2, branch 1", "--since", "2020-01-01", "--yes")
    #expect(undone.split(separator: "\n").count == 1)
    let left = undone.hasSuffix(" Left.\n")
    #expect(left || undone.hasSuffix(" Right.\n"), "\(undone)")
    #expect(
      stage.answer("list", "todos", "--json").contains(left ? "\"Right\"" : "\"Left\""))
    #expect(
      !stage.answer("list", "todos", "--json").contains(left ? "\"Left\"" : "\"Right\""))
  }

  @Test func `Undo: a conflict that two other writers keep open is still in conflict`() throws {
    let stage = try stage()
    for folder in ["phone", "copy"] {
      _ = stage.answer("-C", folder, "edit", "Sweep", "--title", "Sweep in \(folder)")
    }
    _ = stage.answer("edit", "Sweep", "--title", "Wipe")
    for folder in ["phone", "copy"] { _ = stage.answer("-C", folder, "sync", "stick") }
    _ = stage.answer("sync", "stick")
    let undone = stage.answer("undo")
    #expect(undone.contains(" is still in conflict: it could also be Sweep in "), "\(undone)")
    #expect(stage.answer("conflicts").contains("resolve"))
  }
}
