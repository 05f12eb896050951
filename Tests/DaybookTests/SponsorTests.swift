import Daybook
import Journaling
import SimulatedPlatform
import Testing

/// New keys that come from a revoked device.
struct SponsorTests {
  @Test func `Sponsor: a key that a thief let in is marked, and not admitted with all others`()
    throws
  {
    let (office, books) = try TrustingTests.office("desk", "laptop", seed: 871)
    let (desk, laptop) = (books[0], books[1])
    _ = try desk.revoker.revoke(try desk.deviceList.device(called: "laptop"))
    let rekeying = try laptop.admin.rekey()
    #expect(rekeying.isAdmitted)
    try TrustingTests.exchange(books)
    let friend = try office.join("friend")
    _ = try friend.replicator.sync(with: Office.directory)
    let receipt = try desk.replicator.sync(with: Office.directory, admission: .newcomers)
    #expect(receipt.admitted.map(\.name) == ["friend"])
    #expect(receipt.waiting.map(\.fingerprint) == [rekeying.fingerprint])
    #expect(receipt.waiting.map { $0.sponsor?.link } == [.nextKey])
    #expect(receipt.waiting.map { $0.sponsor?.fingerprint } == [rekeying.formerFingerprint])
    let asked = try desk.replicator.sync(
      with: Office.directory, admission: .ask { $0.sponsor == nil })
    #expect(asked.admitted.isEmpty)
  }

  @Test func `Sponsor: a device that knows of its revocation claims its old name, and waits`()
    throws
  {
    let (_, books) = try TrustingTests.office("desk", "laptop", seed: 872)
    let (desk, laptop) = (books[0], books[1])
    _ = try desk.revoker.revoke(try desk.deviceList.device(called: "laptop"))
    try TrustingTests.exchange(books)
    let rekeying = try laptop.admin.rekey()
    #expect(!rekeying.isAdmitted)
    _ = try laptop.replicator.sync(with: Office.directory)
    let receipt = try desk.replicator.sync(with: Office.directory, admission: .newcomers)
    #expect(receipt.admitted.isEmpty)
    let waiting = try #require(receipt.waiting.first)
    #expect(waiting.fingerprint == rekeying.fingerprint)
    #expect(waiting.sponsor?.link == .claim)
    #expect(
      try desk.healthCheck.diagnose().findings.contains(
        .waiting(
          [
            Finding.Newcomer(
              name: waiting.listedName, fingerprint: waiting.fingerprint, sponsor: waiting.sponsor)
          ], canDecide: true)))
    // Whoever knows the device can admit it by its words, and then nothing is said about the old key any more.
    try desk.admin.admit(waiting)
    #expect(try desk.deviceList.devices().allSatisfy { $0.sponsor == nil })
  }

  @Test func `Sponsor: a key that a thief let in can be revoked before anybody admits it`() throws {
    let (_, books) = try TrustingTests.office("desk", "laptop", seed: 873)
    let (desk, laptop) = (books[0], books[1])
    _ = try desk.revoker.revoke(try desk.deviceList.device(called: "laptop"))
    _ = try laptop.admin.rekey()
    try TrustingTests.exchange(books)
    let waiting = try #require(
      try desk.deviceList.devices().first { $0.standing == .waiting && $0.sponsor != nil })
    _ = try desk.revoker.revoke(waiting)
    let receipt = try desk.replicator.sync(with: Office.directory)
    #expect(receipt.waiting.isEmpty)
  }
}
