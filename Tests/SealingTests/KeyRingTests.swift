import Bytes
import Crypto
import Testing

@testable import Sealing

struct KeyRingTests {
  private static let book = UniqueID(high: 1, low: 2)

  private let desk: TestDevice
  private let phone: TestDevice
  private let thief: TestDevice

  init() throws {
    (desk, phone, thief) = (try TestDevice(0), try TestDevice(1), try TestDevice(2))
  }

  private var all: [TestDevice] { [desk, phone, thief] }

  private func members(revoked: [TestDevice] = []) -> MemberKeys {
    MemberKeys(all, revoked: revoked)
  }

  private func make(
    _ number: UInt8, at time: Int64, by device: TestDevice, revoked: [TestDevice] = [],
    in ring: inout KeyRing
  ) throws -> KeyPackage {
    let key = StoreKey([UInt8](repeating: number, count: 32))
    let members = members(revoked: revoked)
    try ring.make(key, at: time, knowing: members, signedBy: device.keys.signing)
    let held = try #require(ring.keys.first { $0.key == key })
    return try KeyPackage(
      of: key, from: held.origin,
      for: members.recipients.filter { members.trusts($0.signing) },
      signedBy: device.keys.signing)
  }

  @discardableResult
  private func take(
    _ package: KeyPackage, by device: TestDevice, in ring: inout KeyRing
  ) throws -> PackageFacts {
    try ring.take(package, with: device.keys.agreement, knowing: members())
  }

  private func packages(
    of ring: KeyRing, by device: TestDevice, knowing members: MemberKeys,
    beside facts: [PackageFacts] = []
  ) throws -> [KeyPackage] {
    try KeyDistribution(of: facts).packages(
      of: ring, knowing: members, signedBy: device.keys.signing)
  }

  @Test func `Key ring: a new key reaches its recipients, and all seal with it`() throws {
    var deskRing = KeyRing(book: Self.book)
    var phoneRing = deskRing
    #expect(deskRing.sealingKey(knowing: members()) == nil)
    let package = try make(1, at: 5, by: desk, in: &deskRing)
    #expect(deskRing.keys.map(\.origin.time) == [5])
    let facts = try take(package, by: phone, in: &phoneRing)
    #expect(
      facts
        == PackageFacts(
          key: package.key, packager: desk.publicKey, recipients: package.wraps.map(\.recipient)))
    #expect(try take(package, by: phone, in: &phoneRing) == facts)
    #expect(phoneRing == deskRing)
    let key = try #require(deskRing.sealingKey(knowing: members()))
    #expect(phoneRing.key(key.id) == key)
    let name = SealedName(sealing: Sample.named, with: key)
    #expect(try phoneRing.open(name).object == Sample.named)
    #expect(try phoneRing.open(name).key == key)
  }

  @Test func `Key ring: after a revocation a new key is made, which the revoked device lacks`()
    throws
  {
    var ring = KeyRing(book: Self.book)
    _ = try make(1, at: 5, by: desk, in: &ring)
    #expect(ring.sealingKey(knowing: members(revoked: [thief])) == nil)
    let package = try make(2, at: 6, by: desk, revoked: [thief], in: &ring)
    #expect(ring.sealingKey(knowing: members(revoked: [thief]))?.bytes.first == 2)
    var thiefRing = KeyRing(book: Self.book)
    let found = fault { () throws(StoreKeyError) in
      try thiefRing.take(package, with: thief.keys.agreement, knowing: members())
    }
    #expect(found == .notARecipient)
    // A device that does not know of the revocation yet may seal with the new key, too.
    #expect(ring.sealingKey(knowing: members())?.bytes.first == 2)
  }

  @Test func `Key ring: of two fit keys the later one seals, then the one with the higher id`()
    throws
  {
    var (one, other) = (KeyRing(book: Self.book), KeyRing(book: Self.book))
    let packages = [
      try make(1, at: 5, by: desk, in: &one), try make(2, at: 5, by: phone, in: &other),
    ]
    _ = try take(packages[1], by: desk, in: &one)
    _ = try take(packages[0], by: phone, in: &other)
    let highest = try #require(packages.map(\.key).max())
    #expect(one.sealingKey(knowing: members())?.id == highest)
    #expect(other.sealingKey(knowing: members())?.id == highest)
    // A key that is made by a device whose clock is slow is the latest, all the same.
    _ = try make(3, at: 1, by: phone, in: &other)
    #expect(other.keys.last?.origin.time == 6)
    #expect(other.sealingKey(knowing: members())?.bytes.first == 3)
  }

  @Test func `Key ring: the greatest time of a key no longer counts once its maker is revoked`()
    throws
  {
    var (thiefRing, ring) = (KeyRing(book: Self.book), KeyRing(book: Self.book))
    let package = try make(1, at: .max, by: thief, in: &thiefRing)
    try take(package, by: desk, in: &ring)
    _ = try make(2, at: 5, by: desk, in: &ring)
    #expect(ring.keys.map(\.origin.time) == [.max, .max])
    let known = members(revoked: [thief])
    #expect(ring.sealingKey(knowing: known) == nil)
    for (number, time) in [(UInt8(3), Int64(7)), (4, 8)] {
      _ = try make(number, at: 7, by: desk, revoked: [thief], in: &ring)
      let key = try #require(ring.sealingKey(knowing: known))
      #expect(key.bytes.first == number)
      #expect(ring.keys.first { $0.key == key }?.origin.time == time)
    }
    #expect(try KeyRing(decoding: ring.bytes) == ring)
  }

  @Test func `Key ring: a device admitted later gets all keys, except those that list it`() throws {
    var ring = KeyRing(book: Self.book)
    let tablet = try TestDevice(3)
    let facts = [
      try take(try make(1, at: 5, by: desk, in: &ring), by: desk, in: &ring),
      try take(try make(2, at: 6, by: desk, revoked: [thief], in: &ring), by: desk, in: &ring),
    ]
    let wide = MemberKeys(all + [tablet])
    let packages = try packages(of: ring, by: phone, knowing: wide, beside: facts)
    // The thief, which is not revoked for this device, still gets no package of the second key.
    #expect(packages.map(\.wraps.count) == [1, 1])
    for (package, held) in zip(packages, ring.keys) {
      let key = try package.unwrap(with: tablet.keys.agreement, in: Self.book)
      #expect(key == held.key)
      let statement = try package.open(with: key)
      #expect(statement.origin == held.origin)
      #expect(statement.packager == phone.publicKey)
    }
    let added = try packages.map { package in
      try ring.take(package, with: phone.keys.agreement, knowing: wide)
    }
    #expect(try self.packages(of: ring, by: desk, knowing: wide, beside: facts + added) == [])
  }

  @Test func `Key distribution: a store without packages gets those of all keys`() throws {
    var ring = KeyRing(book: Self.book)
    let made = [
      try make(1, at: 5, by: desk, in: &ring),
      try make(2, at: 6, by: desk, revoked: [thief], in: &ring),
    ]
    #expect(try packages(of: ring, by: desk, knowing: members()) == made)
    // If one of them is lost, only that one is put again.
    let facts = try take(made[0], by: desk, in: &ring)
    #expect(try packages(of: ring, by: desk, knowing: members(), beside: [facts]) == [made[1]])
  }

  @Test func `Key ring: a package by a device that was revoked afterwards is replaced`() throws {
    var ring = KeyRing(book: Self.book)
    let first = try take(try make(1, at: 5, by: desk, in: &ring), by: desk, in: &ring)
    let (held, tablet) = (try #require(ring.keys.first), try TestDevice(3))
    let wrong = try KeyPackage(
      of: held.key, from: held.origin, for: [tablet.recipient], signedBy: thief.keys.signing)
    var later = MemberKeys(all + [tablet])
    let second = try ring.take(wrong, with: desk.keys.agreement, knowing: later)
    #expect(
      second
        == PackageFacts(
          key: held.key.id, packager: thief.publicKey, recipients: [wrong.wraps[0].recipient]))
    #expect(try packages(of: ring, by: desk, knowing: later, beside: [first, second]) == [])
    later.revoked = [thief.publicKey]
    let packages = try packages(of: ring, by: desk, knowing: later, beside: [first, second])
    #expect(try packages.map { try $0.open(with: held.key).packager } == [desk.publicKey])
    #expect(packages.map(\.wraps.count) == [1])
    // Another device that has seen both packages makes no third one.
    var phoneRing = KeyRing(book: Self.book)
    let seen = [
      try KeyPackage(
        of: held.key, from: held.origin, for: all.map(\.recipient), signedBy: desk.keys.signing)
    ]
    let facts = try (seen + [wrong] + packages).map { package in
      try phoneRing.take(package, with: phone.keys.agreement, knowing: later)
    }
    #expect(try self.packages(of: phoneRing, by: phone, knowing: later, beside: facts) == [])
  }

  @Test func `Key ring: a thief cannot state that it was known to be revoked`() throws {
    var ring = KeyRing(book: Self.book)
    let package = try make(1, at: 5, by: desk, in: &ring)
    let key = try package.unwrap(with: thief.keys.agreement, in: Self.book)
    let forged = try KeyOrigin(
      of: key, in: Self.book, at: 9, revoked: [thief.publicKey],
      signedBy: thief.keys.signing)
    let spread = try KeyPackage(
      of: key, from: forged, for: [phone.recipient], signedBy: thief.keys.signing)
    var phoneRing = KeyRing(book: Self.book)
    try take(spread, by: phone, in: &phoneRing)
    #expect(phoneRing.sealingKey(knowing: members()) == key)
    #expect(phoneRing.sealingKey(knowing: members(revoked: [thief])) == nil)
    #expect(ring.sealingKey(knowing: members(revoked: [thief])) == nil)
  }

  @Test func `Key ring: an origin that a thief stated is replaced once the thief is revoked`()
    throws
  {
    let tablet = try TestDevice(3)
    let wide = MemberKeys(all + [tablet])
    let later = MemberKeys(all + [tablet], revoked: [thief])
    var (ring, phoneRing) = (KeyRing(book: Self.book), KeyRing(book: Self.book))
    let packages = [
      try make(1, at: 5, by: desk, in: &ring), try make(2, at: 7, by: desk, in: &ring),
    ]
    let key = try packages[0].unwrap(with: thief.keys.agreement, in: Self.book)
    let forged = try KeyOrigin(
      of: key, in: Self.book, at: 9, revoked: [tablet.publicKey], signedBy: thief.keys.signing)
    let spread = try KeyPackage(
      of: key, from: forged, for: [phone.recipient], signedBy: thief.keys.signing)
    for package in [spread] + packages {
      _ = try phoneRing.take(package, with: phone.keys.agreement, knowing: wide)
    }
    #expect(phoneRing.keys.map(\.origin) == [ring.keys[1].origin, forged])
    // Both makers are trusted, or neither.
    for members in [wide, MemberKeys(all, revoked: [desk, thief])] {
      _ = try phoneRing.take(packages[0], with: phone.keys.agreement, knowing: members)
      #expect(phoneRing.keys.map(\.origin) == [ring.keys[1].origin, forged])
    }
    _ = try phoneRing.take(packages[0], with: phone.keys.agreement, knowing: later)
    #expect(phoneRing.keys.map(\.origin) == ring.keys.map(\.origin))
    // A package with the other origin does not change it back.
    _ = try phoneRing.take(spread, with: phone.keys.agreement, knowing: later)
    #expect(phoneRing.keys.map(\.origin) == ring.keys.map(\.origin))
    let added = try self.packages(of: phoneRing, by: phone, knowing: later)
    let opened = try added.map { try $0.unwrap(with: tablet.keys.agreement, in: Self.book) }
    #expect(opened == ring.keys.map(\.key))
    #expect(try KeyRing(decoding: phoneRing.bytes) == phoneRing)
  }

  @Test func `Key ring: forgotten keys open nothing`() throws {
    var ring = KeyRing(book: Self.book)
    let package = try make(1, at: 5, by: desk, in: &ring)
    let key = try #require(ring.key(package.key))
    ring.forget([key.id])
    #expect(ring == KeyRing(book: Self.book))
    let name = SealedName(sealing: Sample.named, with: key)
    let found = fault { () throws(ObjectNameError) in try ring.open(name) }
    #expect(found == .key)
  }

  @Test func `Key ring: a key replaces another only if it is kept from the same devices`() throws {
    var ring = KeyRing(book: Self.book)
    let open = try make(1, at: 5, by: desk, in: &ring).key
    let kept = try make(2, at: 6, by: desk, revoked: [thief], in: &ring).key
    let other = try make(3, at: 7, by: desk, revoked: [phone], in: &ring).key
    #expect(ring.mayReplace(open, by: kept) && ring.mayReplace(open, by: other))
    #expect(!ring.mayReplace(kept, by: open) && !ring.mayReplace(kept, by: other))
    #expect(ring.mayReplace(kept, by: kept))
    ring.forget([open])
    #expect(!ring.mayReplace(open, by: kept))
  }

  @Test func `Key package: it contains no id or key of a device, and not that of the book`() throws
  {
    var ring = KeyRing(book: Self.book)
    let text = Hex.encode(try make(1, at: 5, by: desk, revoked: [thief], in: &ring).bytes)
    let secrets =
      all.flatMap { [$0.publicKey.bytes, $0.recipient.agreement] } + [Self.book.bytes]
    #expect(secrets.filter { text.contains(Hex.encode($0)) } == [])
  }

  @Test func `Key package: every flipped bit is refused, at the check that protects it`() throws {
    var ring = KeyRing(book: Self.book)
    let package = try make(1, at: 5, by: desk, revoked: [thief], in: &ring)
    let own = try #require(
      package.wraps.firstIndex {
        $0.open(with: phone.keys.agreement, key: package.key, in: Self.book) != nil
      })
    let bytes = package.bytes
    #expect(outcome(of: bytes) == "taken")
    var found: [PackagePart: Set<String>] = [:]
    for bit in 0..<bytes.count * 8 {
      var other = bytes
      other[bit / 8] ^= 1 << (bit % 8)
      found[PackagePart(at: bit / 8, own: own), default: []].insert(outcome(of: other))
    }
    let expected: [PackagePart: Set<String>] = [
      .structure: ["content"], .version: ["content", "version"], .key: ["notARecipient"],
      .recipient(own: true): ["notARecipient", "order"], .wrap(own: true): ["wrap"],
      .recipient(own: false): ["order", "packageSignature"],
      .wrap(own: false): ["packageSignature"], .statement: ["statement"],
    ]
    #expect(found == expected)
  }

  /// The error with which the phone, which has no key yet, refuses bytes, without its details.
  private func outcome(of bytes: [UInt8]) -> String {
    let fault = fault { () throws(StoreKeyError) in
      var ring = KeyRing(book: Self.book)
      let package = try KeyPackage(decoding: bytes, as: KeyPackage.id(of: bytes))
      _ = try ring.take(package, with: phone.keys.agreement, knowing: members())
    }
    return fault.map { String("\($0)".prefix { $0 != "(" }) } ?? "taken"
  }

  @Test func `Store key: no message shows it`() {
    #expect("\(Sample.key)" == "StoreKey(\(Sample.key.id.hex))")
  }
}

/// The parts of a package of one key with two wraps.
private enum PackagePart: Hashable {
  /// The heads of arrays and byte strings.
  case structure
  case version, key, statement
  /// The id of a recipient: of the device itself, or of the other one.
  case recipient(own: Bool)
  /// What is encrypted for a recipient.
  case wrap(own: Bool)

  private static let wraps = 20..<20 + 2 * 102

  init(at offset: Int, own: Int) {
    switch offset {
    case 1: self = .version
    case 3..<19: self = .key
    case Self.wraps:
      let (number, place) = (offset - Self.wraps.lowerBound).quotientAndRemainder(dividingBy: 102)
      switch place {
      case 2..<18: self = .recipient(own: number == own)
      case 20..<52, 54..<102: self = .wrap(own: number == own)
      default: self = .structure
      }
    // The salt and the encrypted statement, each after its head.
    case 226..<258, 261...: self = .statement
    default: self = .structure
    }
  }
}
