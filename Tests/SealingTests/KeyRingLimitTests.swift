import Bytes
import Crypto
import Testing

@testable import Sealing

/// What a device does when others have written more than packages and rings have room for.
struct KeyRingLimitTests {
  private static let book = UniqueID(high: 1, low: 2)

  private let desk: TestDevice
  private let thief: TestDevice

  init() throws { (desk, thief) = (try TestDevice(0), try TestDevice(1)) }

  private var members: MemberKeys { MemberKeys([desk, thief]) }

  /// The key with a number, which is always the same.
  private static func key(_ number: Int) -> StoreKey {
    StoreKey(UniqueID(high: 0, low: UInt64(number)).bytes + [UInt8](repeating: 9, count: 16))
  }

  /// Signing keys of no device.
  private static func revoked(_ count: Int) throws -> Set<PublicKey> {
    let bytes = (0..<count).map { UniqueID(high: 5, low: UInt64($0)).bytes }
    return Set(try bytes.map { try PublicKey($0 + $0) })
  }

  private static func package(
    _ number: Int, revoked: Set<PublicKey> = [], of maker: TestDevice, for device: TestDevice
  ) throws -> KeyPackage {
    let origin = try KeyOrigin(
      of: key(number), in: book, at: Int64(number), revoked: revoked,
      signedBy: maker.keys.signing)
    return try KeyPackage(
      of: key(number), from: origin, for: [device.recipient], signedBy: maker.keys.signing)
  }

  /// A ring in which a device holds many keys of one maker.
  private static func ring(_ count: Int, of maker: TestDevice) throws -> KeyRing {
    let keys = try (0..<count).map { number in
      let origin = try KeyOrigin(
        of: key(number), in: book, at: Int64(number), revoked: [], signedBy: maker.keys.signing)
      return HeldKey(key: key(number), origin: origin)
    }
    return KeyRing(book: book, keys: keys)
  }

  private static func fault<Value>(
    _ body: () throws(StoreKeyError) -> Value
  ) -> StoreKeyError? {
    SealingTests.fault(body)
  }

  private func take(_ package: KeyPackage, in ring: inout KeyRing) -> StoreKeyError? {
    Self.fault { () throws(StoreKeyError) in
      try ring.take(package, with: desk.keys.agreement, knowing: members)
    }
  }

  @Test func `Key ring: a key is made with the greatest list of revoked keys, none with a longer`()
    throws
  {
    var ring = KeyRing(book: Self.book)
    var known = members
    known.revoked = try Self.revoked(KeyOrigin.revokedLimit)
    try ring.make(Self.key(1), at: 0, knowing: known, signedBy: desk.keys.signing)
    let packages = try KeyDistribution(of: []).packages(
      of: ring, knowing: known, signedBy: desk.keys.signing)
    let made = try #require(packages.first)
    let bytes = made.bytes
    // So there is room for as many recipients as a package may have, of 102 bytes each.
    #expect(bytes.count + 102 * KeyPackage.wrapLimit <= KeyPackage.byteLimit)
    let package = try KeyPackage(decoding: bytes, as: made.id)
    #expect(try package.open(with: Self.key(1)).origin.revoked == known.revoked.sorted())

    let before = ring
    known.revoked = try Self.revoked(KeyOrigin.revokedLimit + 1)
    let found = Self.fault { () throws(StoreKeyError) in
      try ring.make(Self.key(2), at: 0, knowing: known, signedBy: desk.keys.signing)
    }
    #expect(found == .tooManyRevoked(KeyOrigin.revokedLimit + 1))
    #expect(ring == before)
    #expect(ring.sealingKey(knowing: known) == nil)
  }

  @Test func `Key ring: a device that is not trusted makes no key`() throws {
    var ring = KeyRing(book: Self.book)
    for revoked in [[desk], [desk, thief]] {
      let known = MemberKeys([desk, thief], revoked: revoked)
      let found = Self.fault { () throws(StoreKeyError) in
        try ring.make(Self.key(1), at: 0, knowing: known, signedBy: desk.keys.signing)
      }
      #expect(found == .notTrusted)
    }
    #expect(ring == KeyRing(book: Self.book))
  }

  @Test func `Key ring: more recipients than a package may have get several packages`() throws {
    var (ring, known) = (KeyRing(book: Self.book), members)
    for number in 2..<KeyPackage.wrapLimit + 1 {
      // The last byte of an agreement key is below 0x80.
      let bytes = UniqueID(high: UInt64(number), low: 5).bytes
      let signing = try PublicKey(bytes + bytes)
      known.admitted.insert(signing)
      known.recipients.append(try KeyRecipient(signing: signing, agreement: bytes + bytes))
    }
    try ring.make(Self.key(1), at: 0, knowing: known, signedBy: desk.keys.signing)
    let packages = try KeyDistribution(of: []).packages(
      of: ring, knowing: known, signedBy: desk.keys.signing)
    #expect(packages.map(\.wraps.count) == [KeyPackage.wrapLimit, 1])
    #expect(try packages.map { try KeyPackage(decoding: $0.bytes, as: $0.id) } == packages)
    let facts = try packages.map { package in
      try ring.take(package, with: desk.keys.agreement, knowing: known)
    }
    #expect(
      try KeyDistribution(of: facts).packages(
        of: ring, knowing: known, signedBy: desk.keys.signing) == [])
  }

  @Test func `Key ring: recipients that the device does not know are not noted`() throws {
    let invented = try (10..<40).map { try TestDevice($0).recipient }
    let origin = try KeyOrigin(
      of: Self.key(1), in: Self.book, at: 0, revoked: [], signedBy: thief.keys.signing)
    let package = try KeyPackage(
      of: Self.key(1), from: origin, for: invented + [desk.recipient, thief.recipient],
      signedBy: thief.keys.signing)
    var (ring, first) = (KeyRing(book: Self.book), KeyRing(book: Self.book))
    let ids = [desk, thief].map { WrappedKey.recipient($0.recipient.agreement, of: package.key) }
    let facts = try ring.take(package, with: desk.keys.agreement, knowing: members)
    func noted(_ recipients: [UniqueID]) -> PackageFacts {
      PackageFacts(key: package.key, packager: thief.publicKey, recipients: recipients)
    }
    #expect(facts == noted(ids.sorted()))
    // A device that knows only its inviter notes itself.
    let inviter = MemberKeys(admitted: [thief.publicKey], revoked: [])
    let own = try first.take(package, with: desk.keys.agreement, knowing: inviter)
    #expect(own == noted([ids[0]]))
  }

  @Test func `Key ring: one maker gets a quarter of it, and others still give their keys`() throws {
    let limit = KeyRing.makerKeyLimit
    var ring = try Self.ring(limit - 1, of: thief)
    #expect(take(try Self.package(limit, of: thief, for: desk), in: &ring) == nil)
    let before = ring
    let more = try Self.package(limit + 1, of: thief, for: desk)
    #expect(take(more, in: &ring) == .makerLimit(thief.publicKey))
    #expect(ring == before)
    #expect(take(try Self.package(limit + 2, of: desk, for: desk), in: &ring) == nil)
    // A device that knows only its inviter takes all of its keys.
    let inviter = MemberKeys(admitted: [thief.publicKey], revoked: [])
    _ = try ring.take(more, with: desk.keys.agreement, knowing: inviter)
    #expect(ring.key(more.key) != nil)
  }

  @Test func `Key ring: makers that are not admitted share the room of one`() throws {
    let limit = KeyRing.makerKeyLimit
    var ring = try Self.ring(limit, of: try TestDevice(2))
    let stranger = try TestDevice(3)
    let origin = try KeyOrigin(
      of: Self.key(limit), in: Self.book, at: 0, revoked: [], signedBy: stranger.keys.signing)
    let package = try KeyPackage(
      of: Self.key(limit), from: origin, for: [desk.recipient], signedBy: thief.keys.signing)
    #expect(take(package, in: &ring) == .makerLimit(stranger.publicKey))
    ring.forget([Self.key(0).id])
    #expect(take(package, in: &ring) == nil)
  }

  @Test func `Key ring: an origin is not replaced if its maker has no room`() throws {
    let limit = KeyRing.makerKeyLimit
    var ring = try Self.ring(limit, of: desk)
    let stated = try Self.package(limit, of: thief, for: desk)
    let made = try Self.package(limit, of: desk, for: desk)
    #expect(take(stated, in: &ring) == nil)
    let (before, known) = (ring, MemberKeys([desk, thief], revoked: [thief]))
    let found = Self.fault { () throws(StoreKeyError) in
      try ring.take(made, with: desk.keys.agreement, knowing: known)
    }
    #expect(found == .makerLimit(desk.publicKey))
    #expect(ring == before)
    ring.forget([Self.key(0).id])
    _ = try ring.take(made, with: desk.keys.agreement, knowing: known)
    #expect(Set(ring.keys.map(\.origin.maker)) == [desk.publicKey])
  }

  @Test func `Key ring: the lists of one maker may fill a quarter of the file`() throws {
    let revoked = try Self.revoked(KeyOrigin.revokedLimit)
    var ring = KeyRing(book: Self.book)
    var taken = 0
    while taken < 100 {
      let package = try Self.package(taken, revoked: revoked, of: thief, for: desk)
      let before = ring
      if let fault = take(package, in: &ring) {
        #expect(fault == .makerLimit(thief.publicKey))
        #expect(ring == before)
        break
      }
      taken += 1
    }
    #expect(taken == 30)
    #expect(take(try Self.package(200, of: desk, for: desk), in: &ring) == nil)
    #expect(try KeyRing(decoding: ring.bytes) == ring)
  }

  @Test func `Key ring: a key for which it has no room is refused, and it can still be read`()
    throws
  {
    let limit = KeyRing.keyLimit
    var ring = try Self.ring(limit - 1, of: thief)
    #expect(take(try Self.package(limit, of: desk, for: desk), in: &ring) == nil)
    let full = ring
    #expect(take(try Self.package(limit + 1, of: desk, for: desk), in: &ring) == .ringLimit)
    let found = Self.fault { () throws(StoreKeyError) in
      try ring.make(
        Self.key(limit + 1), at: 0, knowing: members, signedBy: desk.keys.signing)
    }
    #expect(found == .ringLimit)
    #expect(ring == full)
    #expect(try KeyRing(decoding: ring.bytes) == ring)
  }
}
