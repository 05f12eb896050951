import Bytes
import Daybook
import Journaling
import Phrasing
import Platform
import SimulatedPlatform
import Testing

@testable import Console

/// What is said about a stolen device after it was revoked.
struct StolenDeviceTests {
  /// Two devices of one book, of which the second, laptop 2, is revoked, and takes a new key before it learns of that.
  private func theft() throws -> (Stage, words: String) {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("device", "revoke", "laptop 2", "--yes")
    _ = stage.answer("-C", "phone", "device", "rename", "spare")
    let rekeyed = try JSON(
      parsing: Array(stage.answer("-C", "phone", "device", "rekey", "--json").utf8))
    _ = stage.run("-C", "phone", "sync", "stick")
    return (stage, try #require(rekeyed["fingerprint"]?.string))
  }

  private func short(_ words: String) -> String {
    words.split(separator: "-").prefix(2).joined(separator: "-")
  }

  @Test func `Stolen device: its new key is reported as let in by a revoked device`() throws {
    let (stage, words) = try theft()
    let synced = stage.run("sync", "stick")
    #expect(
      synced.error.contains(
        "(\(words)) is waiting to be admitted: laptop 2, which was revoked, let it in as its own new key, "
          + "so --admit does not admit it. If the waiting device is not yours, run: daybook device revoke \(short(words))\n"
          + "If it is yours, run: daybook device admit \(short(words))\n"))
    #expect(!synced.error.contains("If you recognize it"))
    #expect(
      stage.answer("doctor").contains(
        "laptop 2, which was revoked, let it in as its own new key; "
          + "if the waiting device is not yours, run 'daybook device revoke \(short(words))' to remove it"
      ))
    #expect(
      stage.answer("devices").contains(
        "laptop 2, which was revoked, let it in as its own new key"))
  }

  @Test func `Stolen device: doctor names new keys apart from those that wait for admission`() {
    let thief = Finding.Newcomer(
      name: "phone", fingerprint: ["pidaz", "hopas", "bitiz"],
      sponsor: Device.Sponsor(name: "laptop", fingerprint: ["gogin"], link: .nextKey))
    let friend = Finding.Newcomer(name: "tablet", fingerprint: ["vaziz", "sihan"])
    #expect(
      Finding.waiting([thief, friend], canDecide: true).text(at: Stage().machine.timekeeper)
        == "tablet is waiting; if you recognize it, run 'daybook device admit tablet'. "
        + "phone: laptop, which was revoked, let it in as its own new key; if the waiting device is not yours, "
        + "run 'daybook device revoke pidaz-hopas' to remove it; if it is, run 'daybook device admit pidaz-hopas' to admit it"
    )
  }

  @Test func `Stolen device: --admit leaves its new key waiting, and revoke ends that`() throws {
    let (stage, words) = try theft()
    let synced = stage.run("sync", "stick", "--admit")
    #expect(synced.code == .done)
    #expect(!synced.output.contains("Admitted"))
    let json = try JSON(parsing: Array(stage.run("sync", "stick", "--admit", "--json").output.utf8))
    let waiting = try #require(json["waiting"]?.array?.first)
    #expect(waiting["fingerprint"] == .string(words))
    #expect(waiting["revokedSponsor"] == "laptop 2")
    _ = stage.answer("device", "revoke", short(words), "--yes")
    #expect(!stage.run("sync", "stick").error.contains("is waiting to be admitted"))
  }

  @Test func `Stolen device: an open folder is named, because it still reads the book there`()
    throws
  {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("peer", "add", "share", "stick")
    func readers() throws -> String {
      let line = stage.answer("doctor").split(separator: "\n").first { $0.contains("  readers  ") }
      return String(try #require(line))
    }
    #expect(try readers().hasPrefix("ok "))
    #expect(
      try readers().hasSuffix(
        "; /home/ada/stick is not sealed, so anyone who can open it can read the book"))
    let advice =
      "/home/ada/stick is not sealed, so a revoked device that can open it can still read the book; "
      + "change who can open it, or use 'daybook peer add NAME DIR --sealed' with a new folder"
    let revoked = stage.run("device", "revoke", "laptop 2", "--yes")
    #expect(revoked.error == "daybook: \(advice).\n")
    #expect(try readers().hasPrefix("note "))
    #expect(try readers().hasSuffix("; \(advice)"))
    // The recommended command works, and ends the advice.
    try stage.disk.makeDirectories(Path("/home/ada/vault"))
    _ = stage.answer("peer", "add", "share", "vault", "--sealed")
    #expect(try readers().hasPrefix("ok "))
    #expect(try !readers().contains("not sealed"))
  }

  @Test func `Stolen device: a call to it says that its key was revoked, and how to forget it`() {
    let start = "the key of laptop (vaboj-rigir) was revoked, so nothing was sent.\n"
    let end = "If the device is yours, run 'daybook device rekey' on it, and admit its new key."
    func text(_ peer: String?) -> String {
      DaybookError.revokedPeer(device: "laptop", words: "vaboj-rigir", peer: peer).told.text
    }
    #expect(text(nil) == start + end)
    #expect(
      text("lap") == start + "To forget the address of the device, run 'daybook peer forget lap'. "
        + end)
  }

  /// A book of which the second device has revoked the first, which has learned of that.
  private func revokedFirst() throws -> Stage {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("-C", "phone", "device", "rekey")
    _ = stage.answer("-C", "phone", "device", "revoke", "laptop", "--yes")
    _ = stage.answer("-C", "phone", "sync", "stick")
    _ = stage.run("sync", "stick")
    return stage
  }

  @Test func `Stolen device: if it revoked the owner's first, found is named as the way out`()
    throws
  {
    let stage = try revokedFirst()
    let wayOut =
      "If laptop 2 is in someone else's hands, run 'daybook found --with NAME' on this device to begin a new book "
      + "with this device and those that you name"
    #expect(stage.run("status").error.contains(wayOut + ".\n"))
    #expect(stage.run("doctor").output.contains(wayOut + "\n"))
    #expect(stage.run("sync", "stick").error.contains(wayOut + ".\n"))
    // The recommended command works.
    _ = stage.answer("found", "--yes")
    #expect(stage.run("status").error == "")
  }

  @Test func `Stolen device: a revoked device that cannot revoke it prints only the refusal`()
    throws
  {
    let stage = try revokedFirst()
    for sure in [["--yes"], []] {
      let refused = stage.run(["device", "revoke", "laptop 2"] + sure)
      #expect(refused.code == .refused)
      #expect(refused.output == "")
      #expect(refused.error.hasPrefix("daybook: this device is not admitted, or was revoked, "))
      #expect(
        refused.error.hasSuffix(
          "If none of them is in your hands, run 'daybook found --with NAME' on this device to begin a new book "
            + "with this device and those that you name.\n"))
    }
  }

  @Test func `Stolen device: its new key is admitted if the user insists, with a note`() throws {
    let (stage, words) = try theft()
    _ = stage.run("sync", "stick")
    let admitted = stage.run("device", "admit", short(words))
    #expect(admitted.code == .done)
    #expect(
      admitted.error.contains(
        "laptop 2, which was revoked, let it in as its own new key. If the admitted device is not yours, run: "
          + "daybook device revoke \(short(words))"))
  }
}
