import Bytes
import Console
import Phrasing
import Testing

/// Output about held erasures, and the commands that accept and refuse them.
struct HeldWordsTests {
  /// Creates a book that has received the erasure of eleven lists in a sync, and holds it.
  private func stage() throws -> (stage: Stage, told: Stage.Outcome, key: String) {
    let stage = try Stage.pairOfTodos()
    for number in 10...20 { _ = stage.answer("add", "list", "Geheim \(number)") }
    _ = stage.answer("sync", "stick")
    _ = stage.answer("-C", "phone", "sync", "stick")
    for number in 10...20 { _ = stage.answer("-C", "phone", "erase", "Geheim \(number)", "--yes") }
    _ = stage.answer("-C", "phone", "sync", "stick")
    let told = stage.run("sync", "stick")
    let phone = try #require(try stage.devices().first { $0["isThis"] == false })
    let words = try #require(phone["fingerprint"]?.string).split(separator: "-").prefix(2)
    return (stage, told, words.joined(separator: "-"))
  }

  @Test func `Held erasures: sync, status, log and doctor report author, number and options`()
    throws
  {
    let (stage, told, key) = try stage()
    let words = "11 records were erased by laptop 2 (\(key))"
    let advice =
      "'daybook erase --held' lists them, 'daybook erase --accept \(key)' also erases them on this device, and "
      + "'daybook device revoke \(key)' refuses the erasures"
    #expect(told.code == .done)
    #expect(told.output.contains("received from laptop 2: 11 held erasures"))
    for outcome in [told, stage.run("status"), stage.run("log")] {
      #expect(
        outcome.error.contains(
          "\(words). The records are kept on this device until you decide: \(advice)."))
    }
    for outcome in [told, stage.run("status")] {
      #expect(
        outcome.error.contains(
          "the digest differs from the digest on devices that have erased the records."))
    }
    let doctor = stage.run("doctor")
    #expect(doctor.code == .refused)
    #expect(doctor.output.contains("problem  erasures        \(words): \(advice)"))
    let status = try JSON(parsing: Array(stage.answer("status", "--json").utf8))
    #expect(status["heldErasures"]?.array?.map { $0["records"] } == [11])
    #expect(stage.answer("verify").hasPrefix("No faults found"))
  }

  @Test func `Held erasures: a list shows them, and accepting them needs confirmation`() throws {
    let (stage, _, key) = try stage()
    let list = stage.answer("erase", "--held")
    #expect(list.split(separator: "\n").count == 11)
    #expect(list.hasPrefix("list  Geheim 10  erased by laptop 2  2026-11-20 "))
    let json = try JSON(parsing: Array(stage.answer("erase", "--held", "--json").utf8))
    #expect(json.array?.count == 11)
    #expect(json.array?.first?["title"] == "Geheim 10")
    let refused = stage.run("erase", "--accept", "laptop 2")
    #expect(refused.code == .refused && refused.error.contains("Add --yes to confirm."))
    #expect(stage.answer("list", "lists").contains("Geheim 15"))
    let accepted = stage.answer("erase", "--accept", key, "--yes")
    #expect(accepted.contains("Erased 11 records: 11 events now have no content."))
    #expect(!stage.answer("list", "lists").contains("Geheim"))
    #expect(stage.answer("erase", "--held") == "No erasures are held.\n")
    #expect(stage.answer("doctor").contains("no erasures by other devices are held"))
    let digests = [stage.answer("status"), stage.answer("-C", "phone", "status")].map { status in
      status.split(separator: "\n").first { $0.hasPrefix("digest") }
    }
    #expect(digests[0] == digests[1])
    #expect(stage.answer("erase", "--accept", "all") == "No erasures are held.\n")
  }

  @Test func `Held erasures: revoking the device cancels them`() throws {
    let (stage, _, key) = try stage()
    let told = stage.answer("device", "revoke", key, "--yes")
    #expect(
      told.contains(
        "11 records that it erased stay, because the erasures were held on this device and are now "
          + "refused.")
    )
    #expect(stage.answer("list", "lists").contains("Geheim 15"))
    #expect(!stage.run("status").error.contains("erased"))
    _ = stage.answer("sync", "stick")
    #expect(stage.answer("list", "lists").contains("Geheim 15"))
  }

  @Test func `Held erasures: contradictory or unknown arguments are refused`() {
    let stage = Stage()
    _ = stage.answer("add", "list", "Home")
    for words in [
      ["erase"], ["erase", "home", "--held"], ["erase", "home", "--accept", "all"],
      ["erase", "--held", "--accept", "all"],
    ] {
      #expect(stage.run(words).code == .usage)
    }
    #expect(stage.run("erase", "--accept", "nobody").code == .refused)
    #expect(stage.answer("list", "lists").contains("Home"))
  }
}
