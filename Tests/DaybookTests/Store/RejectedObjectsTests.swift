import Platform
import Syncing
import Testing

@testable import Daybook

/// Objects of a sealed store that only a device that a revoked device let in has sealed.
struct RejectedObjectsTests {
  /// A device lets in another, a third revokes the first, and the second seals all objects again before it learns of
  /// that.
  private func theft(seed: UInt64) throws -> (SealedOffice, resealed: Int) {
    let office = try SealedOffice("desk", "laptop", seed: seed)
    let (desk, laptop) = (office.books[0], office.books[1])
    let phone = try office.office.join("phone")
    try TrustingTests.add("phone", to: phone)
    _ = try phone.replicator.sync(with: Office.directory)
    _ = try laptop.replicator.sync(with: Office.directory, admission: .always)
    _ = try phone.replicator.sync(with: Office.directory)
    try office.sync(laptop)
    try office.sync(phone, with: try office.address)
    _ = try SealedPeerFounder(phone.replicator).add(
      "sealed", in: .folder(SealedOffice.folder), forcing: false)
    _ = try desk.revoker.revoke(try desk.deviceList.device(called: "laptop"))
    try office.sync(desk)
    let outcome = try StoreResealer(phone.replicator).run()
    return (office, try outcome.stores.reduce(0) { try $0 + $1.result.get().resealed })
  }

  @Test func `Rejected objects: they are reported apart, and the sync succeeds`() throws {
    let (office, resealed) = try theft(seed: 981)
    let desk = office.books[0]
    #expect(resealed > 0)
    for _ in 1...2 {
      let problems = try office.sync(desk).problems
      #expect(problems == [.rejected(try office.address.location, objects: resealed)])
    }
    #expect(try desk.contactBook.waitingPeers().isEmpty)
    #expect(try TrustingTests.names(desk) == ["desk", "laptop"])
  }

  @Test func `Rejected objects: they are read once a member admits the device`() throws {
    let (office, _) = try theft(seed: 982)
    let desk = office.books[0]
    try office.sync(desk)
    let waiting = try #require(try desk.deviceList.waitingDevices().first)
    try desk.admin.admit(waiting)
    #expect(try office.sync(desk).problems == [])
  }
}
