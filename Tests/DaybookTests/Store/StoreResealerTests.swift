import Bytes
import Crypto
import Platform
import Sealing
import SimulatedPlatform
import Syncing
import Testing

@testable import Daybook

/// A store whose objects are sealed again with a new key.
struct StoreResealerTests {
  /// What a holder of some keys finds in a store.
  private struct Found: Equatable {
    /// The ranges of the objects, and their frames.
    var contents: [ObjectRange: [UInt8]] = [:]
    var keys: Set<UniqueID> = []
    var packaged: Set<UniqueID> = []
  }

  private func found(
    in objects: [String: [UInt8]], of address: StoreAddress, with ring: KeyRing
  ) throws -> Found {
    var found = Found()
    let identity = StoreIdentity(book: address.book, store: address.store)
    for (name, bytes) in objects {
      switch try? ObjectName(parsing: name) {
      case .events(let sealed):
        let (key, named) = try ring.open(sealed)
        found.contents[named.range] = try SealedObject.open(
          bytes, as: named, in: identity, with: key)
        found.keys.insert(key.id)
      case .package(let id):
        found.packaged.insert(try KeyPackage(decoding: bytes, as: id).key)
      default: continue
      }
    }
    return found
  }

  private func reseal(_ book: Book) throws -> StoreResealer.Outcome {
    try StoreResealer(book.replicator).run()
  }

  @Test func `Reseal: everything is sealed with the new key, and earlier keys are forgotten`()
    throws
  {
    let office = try SealedOffice("one", "two", seed: 971)
    let (one, two) = (office.books[0], office.books[1])
    let ring = try one.storeKeys.ring()
    let before = try found(in: office.objects, of: office.address, with: ring)
    let outcome = try reseal(one)
    #expect(outcome.forgotten == 1)
    #expect(
      try outcome.stores.map { try $0.result.get() } == [
        ResealReport(resealed: before.contents.count)
      ])
    let after = try found(in: office.objects, of: office.address, with: one.storeKeys.ring())
    #expect(after.contents == before.contents)
    #expect(after.keys == [outcome.made.id] && after.packaged == [outcome.made.id])
    #expect(try one.storeKeys.ring().keys.map(\.key.id) == [outcome.made.id])
    // The other device gets the new key, and does not share the earlier one again.
    try TrustingTests.add("more", to: two)
    #expect(try office.sync(two).problems == [])
    #expect(try office.sync(one).problems == [])
    #expect(try TrustingTests.names(one) == ["more", "one", "two"])
    #expect(
      try found(in: office.objects, of: office.address, with: one.storeKeys.ring()).packaged
        == [outcome.made.id])
  }

  @Test func `Reseal: at every moment, also after a power cut, all contents can be opened`() throws
  {
    let office = try SealedOffice("one", "two", seed: 972)
    let one = office.books[0]
    let former = try one.storeKeys.ring()
    let before = try found(in: office.objects, of: office.address, with: former)
    office.office.stick.record()
    _ = try reseal(one)
    let moments = office.office.stick.recorded()
    #expect(moments.count > 10)
    let next = try one.storeKeys.ring()
    var all = former
    let members = try one.storeKeys.members()
    for name in office.names("k-") {
      guard case .package(let id) = try ObjectName(parsing: name) else { continue }
      let package = try KeyPackage(decoding: try #require(office.objects[name]), as: id)
      _ = try all.take(package, with: one.storeKeys.ownKeys().agreement, knowing: members)
    }
    #expect(Set(next.keys).isSubset(of: all.keys))
    for moment in moments {
      for survival in [false, true] {
        if survival { moment.crash() }
        let now = try found(
          in: SealedOffice.objects(on: moment), of: office.address, with: all)
        #expect(now.contents == before.contents)
        #expect(now.keys.isSubset(of: now.packaged))
      }
    }
  }

  @Test(arguments: [1, 4, 9, 16, 25])
  func `Reseal: after a failure of the disk, the next run does the rest`(call: Int) throws {
    let office = try SealedOffice("one", "two", seed: 973)
    let (one, two) = (office.books[0], office.books[1])
    office.office.stick.failCall(call, of: .mutating, with: .io)
    let first = try? reseal(one)
    office.office.stick.clearWeather()
    if let first { #expect(try one.storeKeys.ring().key(first.made.id) != nil) }
    let outcome = try reseal(one)
    #expect(try one.storeKeys.ring().keys.map(\.key.id) == [outcome.made.id])
    #expect(try office.keys(openedBy: one) == [outcome.made.id])
    try office.sync(two)
    #expect(try office.keys(openedBy: two) == [outcome.made.id])
    #expect(try TrustingTests.names(two) == ["one", "two"])
  }

  @Test func `Reseal: what another device sealed with a forgotten key is opened again`() throws {
    let office = try SealedOffice("one", "two", seed: 974)
    let (one, two) = (office.books[0], office.books[1])
    let stale = office.objects
    _ = try reseal(one)
    let resealed = office.objects
    // The folder of the other device was not connected, and gets the new objects later.
    for name in resealed.keys { try office.disk.remove(try office.path(name)) }
    for (name, bytes) in stale { try office.disk.replace(try office.path(name), with: bytes) }
    try TrustingTests.add("late", to: two)
    try office.sync(two)
    let late = office.objects.filter { stale[$0.key] == nil && $0.key.hasPrefix("e-") }
    #expect(late.count == 1)
    for name in office.objects.keys { try office.disk.remove(try office.path(name)) }
    for (name, bytes) in resealed.merging(late, uniquingKeysWith: { $1 }) {
      try office.disk.replace(try office.path(name), with: bytes)
    }
    #expect(try office.sync(one).problems == [.waiting(office.address.location, objects: 1)])
    try office.sync(two)
    #expect(try office.sync(one).problems == [])
    #expect(try TrustingTests.names(one) == ["late", "one", "two"])
  }

  @Test
  func `Reseal: if a store cannot be reached, the others are sealed again and no key is forgotten`()
    throws
  {
    let office = try SealedOffice("one", "two", seed: 975)
    let one = office.books[0]
    let other = MountedDisk.stick(0) / "other"
    try office.disk.makeDirectories(other)
    _ = try SealedPeerFounder(one.replicator).add("other", in: .folder(other), forcing: false)
    _ = try one.replicator.sync(with: .directory(other))
    try office.disk.rename(other, to: MountedDisk.stick(0) / "drawer")
    let former = try one.storeKeys.ring().keys.map(\.key.id)
    let outcome = try reseal(one)
    #expect(outcome.forgotten == nil)
    #expect(outcome.stores.map(\.name) == ["sealed", "other"])
    #expect(throws: DaybookError.self) { try outcome.stores[1].result.get() }
    #expect(try office.keys(openedBy: one) == [outcome.made.id])
    #expect(Set(try one.storeKeys.ring().keys.map(\.key.id)) == Set(former + [outcome.made.id]))
    try office.disk.rename(MountedDisk.stick(0) / "drawer", to: other)
    let second = try reseal(one)
    #expect(second.forgotten == 2)
    #expect(try one.replicator.sync(with: .directory(other)).problems == [])
  }

  @Test func `Reseal: a damaged object stays, is counted, and keeps its key`() throws {
    let office = try SealedOffice("one", "two", seed: 976)
    let one = office.books[0]
    let former = try #require(try office.keys(openedBy: one).first)
    let name = try #require(office.names("e-").first)
    var bytes = try #require(office.objects[name])
    bytes[bytes.count - 1] ^= 1
    try office.disk.replace(try office.path(name), with: bytes)
    let outcome = try reseal(one)
    let report = try outcome.stores[0].result.get()
    #expect(report.left == 1)
    #expect(report.problems == [.wrongDigest(try office.path(name))])
    #expect(office.objects[name] == bytes)
    #expect(outcome.forgotten == 0)
    #expect(Set(try one.storeKeys.ring().keys.map(\.key.id)) == [former, outcome.made.id])
  }

  @Test func `Reseal: a revoked device makes no key and changes nothing`() throws {
    let office = try SealedOffice("one", "two", seed: 977)
    let (one, two) = (office.books[0], office.books[1])
    _ = try one.revoker.revoke(try one.deviceList.device(called: "two"))
    try TrustingTests.exchange(office.books)
    let before = office.objects
    #expect(throws: DaybookError.self) { try reseal(two) }
    #expect(office.objects == before)
    // What the revoked device could read is sealed again with a key that it does not get.
    _ = try reseal(one)
    _ = try? office.sync(two)
    #expect(try office.keys(openedBy: two) == [])
  }
}
