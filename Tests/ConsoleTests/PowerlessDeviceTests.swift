import Console
import Phrasing
import Testing

/// Advice for a device that can no longer admit or revoke.
struct PowerlessDeviceTests {
  @Test func `Revoked device: it is admitted again by the words that its new key prints`()
    throws
  {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("device", "revoke", "laptop 2", "--yes")
    _ = stage.answer("sync", "stick")
    let advice = stage.run("-C", "phone", "sync", "stick").error
    #expect(advice.contains("the 'daybook device admit WORDS' that 'device rekey' prints"))
    let rekeyed = stage.run("-C", "phone", "device", "rekey", "--yes").error
    let words = try #require(
      rekeyed.split(separator: "daybook device admit ").dropFirst().first?.split(separator: "\n")
        .first)
    _ = stage.answer("-C", "phone", "sync", "stick")
    _ = stage.answer("sync", "stick")
    // The new key has the name of the old one.
    #expect(stage.run("device", "admit", "laptop 2").error.contains("several devices are called"))
    #expect(stage.answer("device", "admit", String(words)).hasPrefix("Admitted laptop 2 ("))
  }

  @Test func `Mutual revocation: each device gets advice that it can follow`() throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("-C", "phone", "device", "revoke", "laptop", "--yes")
    _ = stage.answer("-C", "phone", "sync", "stick")
    let alone = stage.run("sync", "stick")
    #expect(
      alone.error.contains(
        "admit the new key on another device with the 'daybook device admit WORDS' that 'device rekey' prints"
      ))
    // The decision about the device that the revoked device admitted must be made on another device.
    let judged = stage.run("doctor").output.split(separator: "\n").first {
      $0.contains("  admitted  ")
    }
    #expect(
      judged?.hasPrefix("problem  admitted        laptop 2 was admitted by laptop, which ") == true)
    #expect(
      judged?.hasSuffix(
        "; run these commands on an admitted device, because this device is not one")
        == true)
  }

  @Test func `Mutual revocation: if simultaneous, both devices get advice to found a book`() throws
  {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("device", "revoke", "laptop 2", "--yes")
    _ = stage.answer("-C", "phone", "device", "revoke", "laptop", "--yes")
    stage.meet()
    let sentence =
      "no trusted device is left to admit or revoke others. Begin a new book on one device "
      + "with 'daybook found --with NAME', and join it on the others"
    for folder in ["default", "phone"] {
      let place = folder == "phone" ? ["-C", folder] : []
      let synced = stage.run(place + ["sync", "stick"]).error
      #expect(synced.contains("daybook: \(sentence).\n"))
      #expect(!synced.contains("device rekey"))
      #expect(stage.run(place + ["status"]).error.contains("daybook: \(sentence).\n"))
      #expect(stage.run(place + ["doctor"]).output.hasSuffix("standing        \(sentence)\n"))
    }
    let rekeyed = stage.run("-C", "phone", "device", "rekey", "--yes").error
    #expect(rekeyed.contains(" are shown on this device only if they count. But \(sentence).\n"))
    // The recommended command works.
    _ = stage.answer("found", "--with", "laptop 2", "--yes")
    #expect(
      stage.run("doctor").output.hasSuffix("changes made on this device count on all devices\n"))
  }
}
