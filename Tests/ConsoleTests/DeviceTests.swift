import Bytes
import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// Output about revoking, admitting and renaming devices, and about new keys.
struct DeviceTests {
  @Test func `Revoke: confirmation is required and the effects are reported`() throws {
    let stage = try Stage.pairOfTodos()
    let refused = stage.run("device", "revoke", "laptop 2")
    #expect(refused.code == .refused)
    #expect(refused.error.hasPrefix("daybook: Revoke laptop 2 ("))
    #expect(refused.error.hasSuffix("Add --yes to confirm.\n"))
    let told = stage.answer("device", "revoke", "laptop 2", "--yes")
    #expect(told.hasPrefix("Revoked laptop 2 ("))
    #expect(told.contains("; 2 of its events still count.\n"))
    #expect(told.contains("Other devices learn of this at their next sync."))
    _ = stage.answer("-C", "phone", "add", "todo", "Late")
    _ = stage.answer("-C", "phone", "sync", "stick")
    _ = stage.answer("sync", "stick")
    #expect(!stage.answer("list", "todos").contains("Late"))
    #expect(stage.answer("devices").contains("revoked  3 events, 1 of them not counted"))
    let revoked = try #require(try stage.devices().first { $0["standing"] == "revoked" })
    #expect(revoked["cut"] == 1)
    _ = stage.answer("-C", "phone", "sync", "stick")
    let status = stage.run("-C", "phone", "status")
    #expect(status.error.contains("this device was revoked"))
    #expect(status.error.contains("daybook device rekey"))
  }

  @Test func `Devices: the list shows who admitted each device, when and from where`() throws {
    let stage = try Stage.pairOfTodos()
    #expect(
      stage.answer("devices").contains(
        "admitted by laptop on 2026-11-20 09:04 from the folder stick")
    )
    let laptop = try #require(try stage.devices().first { $0["isThis"] == true })
    let phone = try #require(try stage.devices().first { $0["isThis"] == false })
    #expect(laptop["letInBy"] == .null)
    #expect(phone["letInBy"] == "laptop")
    #expect(phone["letInByWay"] == "folder")
    #expect(phone["hasWritten"] == true)
    #expect(stage.answer("log").contains("admitted  device laptop 2 ("))
  }

  @Test func `Devices: a revoked device reports who revoked it, when, and what to do`() throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("device", "revoke", "laptop 2", "--yes")
    _ = stage.answer("-C", "phone", "add", "todo", "Late")
    _ = stage.answer("sync", "stick")
    let synced = stage.run("-C", "phone", "sync", "stick")
    let sentence =
      "this device was revoked by laptop on 2026-11-20 09:09; the later changes of this device are kept, but do not "
      + "count on other devices (so far, 1 event); to rejoin, run 'daybook export --uncounted -o "
      + "kept.jsonl', then 'daybook device rekey' on this device, then sync, and admit the new key on another device with "
      + "the 'daybook device admit WORDS' that 'device rekey' prints; then run 'daybook import kept.jsonl' "
      + "on this device to write these changes again. If laptop is in someone else's hands, run 'daybook found --with NAME' "
      + "on this device to begin a new book with this device and those that you name"
    let digest =
      "daybook: do not compare this digest, because it excludes 1 event that takes "
      + "effect only on this device.\n"
    #expect(synced.error == "daybook: \(sentence).\n" + digest)
    #expect(stage.run("-C", "phone", "status").error == digest + "daybook: \(sentence).\n")
    let doctor = stage.run("-C", "phone", "doctor")
    #expect(doctor.code == .dataFault)
    #expect(doctor.output.hasSuffix("problem  standing        \(sentence)\n"))
    let standing = try JSON(parsing: Array(stage.answer("-C", "phone", "status", "--json").utf8))
    #expect(
      standing["standing"]
        == .object(
          ("is", .string("revoked")), ("by", .string("laptop")),
          ("time", .string("2026-11-20T09:09:00Z")), ("cut", .integer(1))))
  }

  @Test func `Devices: a device waiting for admission reports the consequences`() throws {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    _ = stage.answer("add", "todo", "Sweep")
    _ = stage.answer("sync", "stick")
    let joined = stage.run("-C", "phone", "join", "stick")
    let sentence =
      "this device is not admitted yet, so its changes do not count on other devices until you run "
      + "'daybook device admit NAME' on an admitted device, with the name of this device or the words of its key, and both devices sync"
    #expect(joined.error == "daybook: \(sentence).\n")
    #expect(stage.run("-C", "phone", "status").error == "daybook: \(sentence).\n")
    #expect(stage.answer("-C", "phone", "doctor").hasSuffix("note  standing        \(sentence)\n"))
  }

  @Test func `Devices: revoke, rekey and export answer in JSON`() throws {
    let stage = try Stage.pairOfTodos()
    func answer(_ words: String...) throws -> JSON {
      try JSON(parsing: Array(stage.run(words + ["--json"]).output.utf8))
    }
    let revoked = try answer("device", "revoke", "laptop 2", "--yes")
    #expect(revoked["revoked"]?.array?.map { $0["name"] } == ["laptop 2"])
    #expect(revoked["revoked"]?.array?.map { $0["standing"] } == ["revoked"])
    let rekeyed = try answer("device", "rekey", "--yes")
    let own = try #require(try stage.devices().first { $0["isThis"] == true })
    #expect(rekeyed["fingerprint"] == own["fingerprint"])
    #expect(rekeyed["isAdmitted"] == true)
    let exported = try answer("export", "-o", "todos.csv")
    #expect(
      exported
        == .object(
          ("file", "/home/ada/todos.csv"), ("format", "csv"), ("written", 2)))
    #expect(try answer("export", "-o", "all.jsonl")["written"] == 2)
  }

  @Test func `Devices: an invalid request is refused with the alternative`() throws {
    let stage = try Stage.pairOfTodos()
    let own = stage.run("device", "revoke", "laptop", "--yes")
    #expect(own.code == .refused)
    #expect(own.error.contains("'daybook device rekey'"))
    #expect(stage.run("device", "revoke", "nobody", "--yes").code == .refused)
    _ = stage.answer("device", "revoke", "laptop 2", "--yes")
    let again = stage.run("device", "revoke", "laptop 2", "--yes")
    #expect(again.code == .refused)
    #expect(
      again.error
        == "daybook: laptop 2 has already been revoked by laptop at 2026-11-20T09:11:00Z. Nothing was done.\n"
        + "To also reject the changes that it made earlier, revoke it with --all.\n")
    let admitted = stage.run("device", "admit", "laptop 2")
    #expect(admitted.code == .refused)
    #expect(admitted.error.contains("a revoked key cannot be admitted again"))
    _ = stage.answer("sync", "stick")
    _ = stage.answer("-C", "phone", "sync", "stick")
    let powerless = stage.run("-C", "phone", "device", "revoke", "laptop", "--yes")
    #expect(powerless.code == .refused)
    #expect(powerless.error.contains("was revoked, so it cannot admit, revoke or rename a device"))
  }

  @Test func `Rekey: a revoked device returns when its new key is admitted`() throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("device", "revoke", "laptop 2", "--yes")
    _ = stage.answer("sync", "stick")
    _ = stage.answer("-C", "phone", "sync", "stick")
    let rekeyed = stage.run("-C", "phone", "device", "rekey")
    #expect(rekeyed.code == .done)
    let advice = try #require(rekeyed.error.split(separator: " ").last).dropLast()
    _ = stage.answer("-C", "phone", "sync", "stick")
    _ = stage.answer("sync", "stick")
    #expect(stage.answer("device", "admit", String(advice)).hasPrefix("Admitted laptop 2 ("))
    _ = stage.answer("sync", "stick")
    _ = stage.answer("-C", "phone", "sync", "stick")
    #expect(try stage.devices("-C", "phone").last?["standing"] == "admitted")
  }

  @Test func `Revoke: late events of the device are reported and can be exported`()
    throws
  {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("-C", "phone", "add", "todo", "Known")
    _ = stage.answer("-C", "phone", "sync", "stick")
    _ = stage.answer("-C", "tablet", "join", "stick")
    _ = stage.answer("-C", "tablet", "sync", "stick")
    _ = stage.answer("device", "revoke", "laptop 2", "--yes")
    _ = stage.answer("-C", "phone", "add", "todo", "Late")
    _ = stage.answer("-C", "phone", "add", "todo", "Later")
    _ = stage.answer("sync", "stick", "-q")
    // The first machine had not received the to-do Late when it revoked the phone.
    let sent = stage.run("-C", "phone", "sync", "stick", "--json")
    #expect(try JSON(parsing: Array(sent.output.utf8))["went"] == .array([]))
    let received = stage.run("sync", "stick")
    #expect(!received.output.contains("todo"))
    let sentence = { (events: String) in
      "daybook: laptop 2 was revoked: \(events).\n"
    }
    #expect(received.error.contains(sentence("2 exchanged events do not count")))
    // What keeps the changes is said on the revoked device only.
    #expect(!received.error.contains("export --uncounted"))
    #expect(sent.error.contains("export --uncounted"))
    let third = stage.run("-C", "tablet", "sync", "stick")
    #expect(
      third.error.contains(
        sentence("1 event no longer counts on this device, and 2 exchanged events do not count"))
    )
    _ = stage.answer("-C", "phone", "export", "-o", "kept.jsonl")
    let refused = stage.run("-C", "phone", "device", "rekey")
    #expect(refused.code == .refused)
    #expect(
      refused.error.hasPrefix("daybook: Create a new key? 3 events of this device do not count"))
    _ = stage.answer("-C", "phone", "device", "rekey", "--yes")
    _ = stage.answer("-C", "phone", "sync", "stick")
    _ = stage.answer("sync", "stick")
    let back = try #require(try stage.devices().first { $0["standing"] == "waiting" })
    _ = stage.answer("device", "admit", try #require(back["fingerprint"]?.string))
    _ = stage.answer("sync", "stick")
    _ = stage.answer("-C", "phone", "import", "kept.jsonl")
    _ = stage.answer("-C", "phone", "sync", "stick")
    _ = stage.answer("sync", "stick")
    let todos = try JSON(parsing: Array(stage.answer("list", "todos", "--json").utf8))
    let titles = try #require(todos.array).compactMap { $0["title"]?.string }
    #expect(Set(["Known", "Late", "Later"]).isSubset(of: titles))
  }

  @Test func `Rekey: the new key is reported and the old one is listed`() throws {
    let stage = try Stage.pairOfTodos()
    let told = stage.answer("device", "rekey")
    #expect(told.hasPrefix("This device has a new key: "))
    #expect(told.contains("daybook device revoke "))
    let listed = stage.answer("devices")
    #expect(listed.contains("laptop (this one)"))
    #expect(listed.contains("laptop (old key)"))
    #expect(try stage.devices().map { $0["isOldKey"] } == [true, false, false])
    let revoked = stage.answer("device", "revoke", "laptop (old key)", "--yes")
    #expect(
      revoked.hasPrefix(
        "laptop (old key) is a former key of this device. The present key is not revoked.\n"))
    #expect(revoked.contains("\nRevoked laptop (old key) ("))
    #expect(!revoked.contains("laptop 2"))
    #expect(stage.answer("list", "todos").contains("Sweep"))
  }

  @Test func `Found: an empty device restores the book from a folder`() throws {
    let stage = try Stage.pairOfTodos()
    let digest = try JSON(parsing: Array(stage.answer("status", "--json").utf8))["digest"]
    _ = stage.answer("-C", "new", "join", "stick")
    let asked = stage.run(
      "-C", "new", "found", "--with", "laptop", "--with", "laptop 2")
    #expect(asked.code == .refused)
    let told = stage.answer(
      "-C", "new", "found", "--with", "laptop", "--with", "laptop 2", "--yes")
    #expect(told.hasPrefix("Founded the book "))
    #expect(told.contains("Other machines join the new book with 'daybook join'."))
    let status = stage.answer("-C", "new", "status", "--json")
    #expect(try JSON(parsing: Array(status.utf8))["digest"] == digest)
    #expect(try JSON(parsing: Array(status.utf8))["isAdmitted"] == true)
  }

  @Test func `Found: without a trusted device, status explains how to continue`() throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("device", "revoke", "laptop 2", "--yes")
    _ = stage.answer("-C", "phone", "device", "revoke", "laptop", "--yes")
    _ = stage.answer("-C", "phone", "sync", "stick")
    _ = stage.answer("sync", "stick")
    #expect(stage.run("status").error.contains("no trusted device is left"))
    #expect(stage.run("status").error.contains("daybook found --with NAME"))
    let left = stage.answer("found", "--yes")
    #expect(left.contains("Left out: laptop 2 ("))
    #expect(stage.answer("list", "todos").contains("Sweep"))
    #expect(!stage.answer("list", "todos").contains("Mop"))
  }

  @Test func `Admit: an admitted device is reported as such`() throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("-C", "tablet", "join", "stick")
    _ = stage.answer("sync", "stick")
    let waiting = try #require(try stage.devices().first { $0["standing"] == "waiting" })
    let words = try #require(waiting["fingerprint"]?.string)
    let before = stage.machine.disk.files
    #expect(
      stage.answer("device", "admit", "laptop 2")
        == "laptop 2 is already admitted.\n")
    #expect(
      stage.answer("device", "admit", "laptop")
        == "laptop is already admitted.\nlaptop 3 (\(words)) is waiting; to admit it, run: "
        + "daybook device admit \(words.split(separator: "-").prefix(2).joined(separator: "-"))\n")
    #expect(stage.machine.disk.files == before)
    #expect(stage.answer("device", "admit", "laptop 3").hasPrefix("Admitted laptop 3 ("))
  }

  @Test
  func `Devices: a device whose events arrive long after they were written has no clock offset`()
    throws
  {
    let stage = try Stage.pairOfTodos()
    #expect(try stage.devices().map { $0["clockOffset"] } == [.null, .null])
    #expect(try stage.devices().map { $0["lastHeard"] != .null } == [false, true])
  }

  @Test func `Undo: without --past-devices, it stops at a command about devices`() throws {
    let stage = try Stage.pairOfTodos()
    let id = stage.answer("list", "todos").split(separator: "\n").first { $0.contains("Sweep") }?
      .prefix { $0 != " " }
    _ = stage.answer("device", "rename", "desk")
    let refused = { (what: String) in
      Stage.Outcome(
        code: .refused, output: "",
        error: "daybook: the last change cannot be undone: \(what). Nothing was done.\n"
          + "To undo the command before it, run 'daybook undo --past-devices'.\n")
    }
    let named = "a device was named desk; to change the name, run 'daybook device rename desk NEW'"
    #expect(stage.run("undo") == refused(named))
    #expect(stage.run("undo", "3") == refused(named))
    #expect(stage.answer("list", "todos").contains("Sweep"))
    #expect(
      stage.answer("undo", "--past-devices") == "Undone: deleted todo \(id ?? "") Sweep.\n")
    #expect(stage.run("undo").error == "daybook: there is nothing to undo.\n")
    #expect(stage.answer("redo") == "Redone: restored todo \(id ?? "") Sweep.\n")
    _ = stage.answer("add", "todo", "Mop")
    _ = stage.answer("device", "revoke", "laptop 2", "--yes")
    #expect(stage.run("undo") == refused("laptop 2 was revoked, which is permanent"))
    _ = stage.answer("add", "todo", "Wipe")
    let both = stage.run("undo", "2")
    #expect(both.output.hasPrefix("Undone: deleted todo "))
    #expect(
      both.error
        == "daybook: stopped at a device change: laptop 2 was revoked, which is permanent; --past-devices skips it.\n"
    )
  }

  @Test func `Devices: admit and rename report the standing in JSON`() throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("-C", "tablet", "join", "stick")
    _ = stage.answer("sync", "stick")
    let admitted = try JSON(
      parsing: Array(stage.answer("device", "admit", "laptop 3", "--json").utf8))
    #expect(admitted["name"] == "laptop 3" && admitted["standing"] == "admitted")
    let renamed = try JSON(
      parsing: Array(stage.answer("device", "rename", "laptop 3", "tablet", "--json").utf8))
    #expect(renamed["name"] == "tablet" && renamed["replica"] == admitted["replica"])
    let again = try JSON(
      parsing: Array(stage.answer("device", "admit", "tablet", "--json").utf8))
    #expect(again == renamed)
  }

  @Test func `Rename: a device gets its new name on all devices`() throws {
    let stage = try Stage.pairOfTodos()
    func meet() {
      for _ in 1...2 {
        _ = stage.answer("-C", "phone", "sync", "stick")
        _ = stage.answer("sync", "stick")
      }
    }
    func names(_ folder: [String] = []) throws -> [String?] {
      let answer = stage.run(folder + ["devices", "--json"])
      return try JSON(parsing: Array(answer.output.utf8)).array?.map { $0["name"]?.string } ?? []
    }
    let told = stage.answer("-C", "phone", "device", "rename", "phone")
    #expect(told.hasPrefix("laptop 2 ("))
    #expect(told.hasSuffix("is now phone. Other devices learn of this at their next sync.\n"))
    #expect(stage.answer("-C", "phone", "devices").contains("phone (this one)"))
    meet()
    #expect(try names() == ["laptop", "phone"])
    #expect(
      stage.run("device", "rename", "old phone", "phone").error
        == "daybook: no single device is called 'old phone'. Give the old name first: "
        + "daybook device rename phone \"old phone\"\n")
    _ = stage.answer("device", "rename", "phone", "old phone")
    meet()
    #expect(try names(["-C", "phone"]) == ["laptop", "old phone"])
    let heard = try stage.devices().map { $0["lastHeard"] != .null }
    #expect(heard == [false, true])
    #expect(stage.answer("devices").contains("  heard 2026-11-20 09:"))
    for name in ["laptop", ""] {
      #expect(stage.run("-C", "phone", "device", "rename", name).code == .refused)
    }
  }
}
