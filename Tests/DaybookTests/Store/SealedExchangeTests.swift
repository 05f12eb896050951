import Bytes
import Crypto
import Journaling
import Platform
import ReadModel
import Sealing
import SimulatedPlatform
import Syncing
import Testing

@testable import Daybook

/// Sessions of devices with a sealed store.
struct SealedExchangeTests {
  /// Runs a session, even if the store was emptied.
  @discardableResult
  private func run(_ book: Book, _ office: SealedOffice) throws -> SyncOutcome {
    for place in office.office.places { place.simulated.timekeeper.advance(milliseconds: 10) }
    try book.replicator.settler.prepareToSync()
    let exchange = book.replicator.exchange
    let outcome = try SealedExchange(
      replica: exchange.replica, storeKeys: exchange.storeKeys, address: office.address
    ).run()
    try book.replicator.settler.settleAfterSync()
    return outcome
  }

  private func empty(_ office: SealedOffice) throws {
    for name in office.objects.keys { try office.disk.remove(try office.path(name)) }
  }

  /// The problems of a session in which nothing was exchanged.
  private func problems(_ outcome: SyncOutcome) -> [SyncProblem]? {
    outcome.sent.isEmpty && outcome.received.isEmpty ? outcome.problems : nil
  }

  // MARK: Exchange

  @Test func `Sealed exchange: devices exchange all events through the store`() throws {
    let office = try SealedOffice("one", "two", seed: 991)
    let (one, two) = (office.books[0], office.books[1])
    try TrustingTests.add("a", to: one)
    try TrustingTests.add("b", to: two)
    let sent = try run(one, office)
    #expect(sent.sent.values.reduce(0, +) == 1 && sent.received.isEmpty && sent.problems == [])
    let both = try run(two, office)
    #expect(both.sent.values.reduce(0, +) == 1 && both.received.count == 1 && both.problems == [])
    #expect(try run(one, office).received.count == 1)
    for book in office.books { #expect(try TrustingTests.names(book) == ["a", "b", "one", "two"]) }
    #expect(try one.storeKeys.ring() == two.storeKeys.ring())
  }

  @Test func `Sealed exchange: no text, id or key of a device is in any byte or name of the store`()
    throws
  {
    let office = try SealedOffice("one", "two", seed: 992)
    try TrustingTests.add("canary canary canary", to: office.books[0])
    for book in office.books { try run(book, office) }
    #expect(office.names("e-").count >= 3 && office.names("k-").count == 1)
    var secrets = [Array("canary".utf8), office.books[0].id.bytes]
    for book in office.books {
      let keys = try book.storeKeys.ownKeys()
      secrets += [keys.signing.publicKey.bytes, keys.agreement.publicKey]
      secrets.append(try #require(try book.core.localDevice.ownLog).bytes)
    }
    for (name, bytes) in office.objects {
      let text = Hex.encode(bytes)
      #expect(!secrets.contains { text.contains(Hex.encode($0)) }, "\(name)")
      #expect(!secrets.contains { name.contains(Hex.encode($0)) })
    }
  }

  @Test func `Sealed exchange: an unchanged session writes nothing and reads two files`() throws {
    let office = try SealedOffice("one", "two", seed: 993)
    for book in office.books { try run(book, office) }
    let place = office.office.places[0]
    let disk = ListingDisk(place.machine.disk, counting: try office.address.location)
    let book = try Book(
      at: Office.folder,
      on: Machine(
        disk: disk, timekeeper: place.machine.timekeeper, dice: place.machine.dice,
        network: place.machine.network), view: .memory)
    let (before, calls) = (office.objects, office.office.stick.calls.mutating)
    #expect(problems(try run(book, office)) == [])
    // A block of one object, and one key package.
    #expect(disk.reads == 2)
    #expect(office.office.stick.calls.mutating == calls)
    #expect(office.objects == before)
  }

  @Test func `Sealed exchange: the bell is written anew only after something was written`() throws {
    let office = try SealedOffice("one", "two", seed: 994)
    let first = try #require(office.objects["bell"])
    #expect(first.count == 16)
    try run(office.books[0], office)
    #expect(office.objects["bell"] == first)
    try TrustingTests.add("more", to: office.books[0])
    try run(office.books[0], office)
    #expect(office.objects["bell"] != first)
  }

  @Test func `Sealed exchange: an outdated statement of a loss is removed`() throws {
    let office = try SealedOffice("one", "two", seed: 995)
    let one = office.books[0]
    let key = try #require(try one.storeKeys.ring().sealingKey(knowing: one.storeKeys.members()))
    let loss = NamedLoss(
      replica: try #require(try one.core.localDevice.ownLog), events: 1...2,
      end: Digest([UInt8](repeating: 9, count: 32)))
    let name = ObjectName.loss(SealedName(sealing: loss, with: key)).text
    try office.disk.replace(try office.path(name), with: [])
    try run(one, office)
    #expect(office.names("l-") == [])
  }

  // MARK: Faults

  @Test func `Sealed exchange: a store that was emptied is filled again, keys included`() throws {
    let office = try SealedOffice("one", "two", seed: 996)
    let before = office.objects
    try empty(office)
    #expect(!(try run(office.books[1], office).sent.isEmpty))
    #expect(office.names("k-").count == 1)
    try run(office.books[0], office)
    #expect(office.names("e-").count == before.keys.count { $0.hasPrefix("e-") })
    let ring = try office.books[0].storeKeys.ring()
    #expect(try office.keys(openedBy: office.books[0]) == Set(ring.keys.map(\.key.id)))
  }

  @Test func `Sealed exchange: an object or package with a flipped bit is told and ignored`() throws
  {
    let office = try SealedOffice("one", "two", seed: 990)
    let (one, two) = (office.books[0], office.books[1])
    let before = office.objects
    _ = try one.storeKeys.rotate()
    try TrustingTests.add("news", to: one)
    try run(one, office)
    let fresh = office.objects.filter { before[$0.key] == nil }
    #expect(fresh.count == 2)
    // The package comes first: once the device has the key, it need not read it.
    for (name, bytes) in fresh.sorted(by: { $0.key > $1.key }) {
      for bit in [0, 70, 200, 700, bytes.count * 4, bytes.count * 8 - 1] {
        var other = bytes
        other[bit / 8] ^= 1 << UInt8(bit % 8)
        try office.disk.replace(try office.path(name), with: other)
        let told = try run(two, office).problems
        #expect(told.contains(.wrongDigest(try office.path(name))), "\(name) \(bit)")
        #expect(try TrustingTests.names(two) == ["one", "two"])
        for name in office.objects.keys where before[name] == nil && fresh[name] == nil {
          try office.disk.remove(try office.path(name))
        }
        try office.disk.replace(try office.path(name), with: bytes)
      }
    }
    #expect(try run(two, office).problems == [])
    #expect(try TrustingTests.names(two) == ["news", "one", "two"])
  }

  @Test func `Sealed exchange: half of the objects lost, all of them come back`() throws {
    let office = try SealedOffice("one", "two", seed: 997)
    let before = office.objects
    for (number, name) in before.keys.sorted().enumerated() where number % 2 == 0 {
      try office.disk.remove(try office.path(name))
    }
    for book in office.books { try run(book, office) }
    for (name, bytes) in before where name.hasPrefix("e-") {
      #expect(office.objects[name] == bytes)
    }
    #expect(!office.names("k-").isEmpty)
  }

  @Test
  func `Sealed exchange: a device that has lost its keys takes all of them from the store again`()
    throws
  {
    let office = try SealedOffice("one", "two", seed: 1_000)
    let (one, two) = (office.books[0], office.books[1])
    _ = try one.storeKeys.rotate()
    try TrustingTests.add("news", to: one)
    for book in [one, two] { try run(book, office) }
    let ring = try two.storeKeys.ring()
    #expect(ring.keys.count == 2)
    let keys = office.office.places[1].machine.disk
    try keys.remove(two.layout.storeKeys(of: two.id))
    #expect(try two.storeKeys.ring() == KeyRing(book: two.id))
    #expect(try run(two, office).problems == [])
    #expect(try two.storeKeys.ring() == ring)
  }

  @Test func `Sealed exchange: names that others made are told, and names of no kind passed over`()
    throws
  {
    let office = try SealedOffice("one", "two", seed: 998)
    let letters = Array(try #require(office.names("e-").first))
    let place = letters.count - 10
    let other =
      String(letters[..<place]) + (letters[place] == "a" ? "b" : "a")
      + String(letters[(place + 1)...])
    for name in [other, "e-short", "notes.txt"] {
      try office.disk.replace(try office.path(name), with: [1])
    }
    let expected: [SyncProblem] = [.badName(try office.path(other), .code)]
    #expect(problems(try run(office.books[0], office)) == expected)
  }

  @Test func `Sealed exchange: with a full folder nothing is sealed with a key that others lack`()
    throws
  {
    let office = try SealedOffice("one", "two", seed: 999)
    _ = try office.books[0].storeKeys.rotate()
    try TrustingTests.add("more", to: office.books[0])
    let before = office.names("e-")
    office.office.stick.becomeFull(afterBytes: 1)
    let expected: [SyncProblem] = [.notLeft(SealedOffice.folder, .full)]
    #expect(problems(try run(office.books[0], office)) == expected)
    #expect(office.names("e-") == before)
  }
}
