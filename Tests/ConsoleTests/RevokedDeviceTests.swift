import Bytes
import Console
import Phrasing
import Testing

/// Commands about devices that were revoked.
struct RevokedDeviceTests {
  @Test func `Device revoke: the latest changes are counted, and the printed commands take effect`()
    throws
  {
    let stage = try Stage.trio()
    _ = stage.answer("add", "birthday", "Ada", "1815-11-25")
    _ = stage.answer("add", "todo", "Rent", "--note", "mine")
    stage.meetAll()
    _ = stage.answer("-C", "book", "edit", "Rent", "--note", "theirs")
    _ = stage.answer("-C", "book", "add", "todo", "Theirs")
    _ = stage.answer("-C", "book", "erase", "Ada", "--yes")
    stage.meetAll()
    let told = stage.run("device", "revoke", "book", "--yes")
    let key = try stage.words(in: "book").split(separator: "-").prefix(2).joined(separator: "-")
    #expect(
      told.output.contains(
        "Since 2026-11-13, book added 1 record, changed 1 record and erased 1 record.\n"
          + "To list these changes: daybook log --by \(key) --since 2026-11-13\n"
          + "To undo these changes, except erasures: daybook undo --by \(key) --since 2026-11-13\n")
    )
    let log = try stage.follow("log", in: told).output
    #expect(log.contains("Rent") && log.contains("Theirs") && log.contains("erased"))
    try stage.follow("undo", in: told, code: .refused)
    try stage.follow("undo", in: told, adjust: Stage.consenting)
    let todos = stage.answer("list", "todos", "--json")
    #expect(todos.contains("mine") && !todos.contains("Theirs"))
  }

  @Test func `Device revoke: with --all, no changes are left to undo`() throws {
    let stage = try Stage.trio()
    _ = stage.answer("-C", "book", "add", "todo", "Theirs")
    stage.meetAll()
    #expect(!stage.answer("device", "revoke", "book", "--all", "--yes").contains("Since 2026"))
  }

  @Test func `Device revoke: the question names the devices that are revoked with it`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("-C", "tablet", "join", "stick")
    _ = stage.answer("-C", "phone", "sync", "stick", "--admit")
    _ = stage.answer("sync", "stick")
    let asked = stage.run("device", "revoke", "laptop 2")
    #expect(asked.code == .refused)
    #expect(
      asked.output.hasPrefix(
        "Admitted only through laptop 2, revoked with it (--keep NAME keeps one):\n  laptop 3 ("))
    #expect(asked.error.hasPrefix("daybook: Revoke laptop 2 ("))
    #expect(
      asked.error.hasSuffix(
        ") and, with it, laptop 3? Their keys can never be used again. Add --yes to confirm.\n"))
    let told = stage.answer("device", "revoke", "laptop 2", "--yes")
    #expect(
      told.hasPrefix("Admitted only through laptop 2, revoked with it:\n  laptop 3 ("))
  }

  @Test func `Revoke: records that the device deleted are named with the restore command`() throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("-C", "phone", "delete", "Sweep")
    _ = stage.answer("-C", "phone", "sync", "stick")
    _ = stage.answer("sync", "stick")
    let told = stage.answer("device", "revoke", "laptop 2", "--yes")
    #expect(
      told.contains(
        "1 record that it deleted:\n  todo Sweep, on 2026-11-20 09:09\nTo bring it back, run: daybook restore "
      ))
    let command = try #require(told.split(separator: "daybook ").last).split(separator: "\n")[0]
    _ = stage.run(command.split(separator: " ").map(String.init))
    #expect(stage.answer("list", "todos").contains("Sweep"))
  }

  @Test func `Device revoke: JSON has the kept devices, the deleted records and the revocation`()
    throws
  {
    let stage = try Stage.pair()
    _ = stage.answer("-C", "tablet", "join", "stick")
    _ = stage.answer("-C", "phone", "sync", "stick", "--admit")
    _ = stage.answer("-C", "phone", "delete", "Sweep")
    stage.meet()
    let answer = stage.answer(
      "device", "revoke", "laptop 2", "--keep", "laptop 3", "--yes", "--json")
    let json = try JSON(parsing: Array(answer.utf8))
    let revoked = try #require(json["revoked"]?.array?.first)
    #expect(revoked["name"] == "laptop 2" && revoked["revokedBy"] == "laptop")
    #expect(revoked["revokedOn"]?.string?.hasPrefix("2026-11-20T09:") == true)
    let kept = try #require(json["kept"]?.array?.first)
    #expect(kept["name"] == "laptop 3" && kept["letInBy"] == "laptop 2")
    #expect(kept["keptBy"] == "laptop" && kept["revokedBy"] == .null)
    let deleted = try #require(json["deleted"]?.array)
    #expect(deleted.map { $0["title"] } == ["Sweep"])
    _ = stage.answer("restore", try #require(deleted.first?["id"]?.string))
    #expect(stage.answer("list", "todos").contains("Sweep"))
    let listed = stage.answer("devices")
    #expect(listed.contains("admitted by laptop 2 on 2026-11-20 "))
    #expect(listed.contains(", kept by laptop on 2026-11-20 "))
    #expect(listed.contains(", revoked by laptop on 2026-11-20 "))
  }

  @Test func `Rename: a revoked device is renamed, so that another device can have its name`()
    throws
  {
    let stage = try Stage.trio()
    let phone = try stage.words(in: "phone")
    _ = stage.answer("device", "revoke", "phone", "--yes")
    let taken = stage.run("device", "rename", "book", "phone")
    #expect(taken.code == .refused)
    let key = phone.split(separator: "-").prefix(2).joined(separator: "-")
    #expect(
      taken.error
        == "daybook: a revoked device is called 'phone'. To use the name again, first give that "
        + "device another one: daybook device rename \(key) NEW\n")
    #expect(
      stage.answer("device", "rename", key, "lost").hasPrefix("phone (\(phone)) is now lost. "))
    _ = stage.answer("device", "rename", "book", "phone")
    let devices = try stage.devices()
    #expect(devices.map { $0["name"] } == ["desk", "lost", "phone"])
    #expect(devices.map { $0["standing"] } == ["founder", "revoked", "admitted"])
    stage.meetAll()
    #expect(
      try stage.devices("-C", "book").map { $0["name"] } == ["desk", "lost", "phone"])
  }
}
