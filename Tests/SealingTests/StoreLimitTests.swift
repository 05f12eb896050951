import Bytes
import Crypto
import Testing

@testable import Sealing

/// Bytes of the greatest size or number that is allowed are read, and those above are refused.
struct StoreLimitTests {
  private static let book = UniqueID(high: 1, low: 2)
  private static let key = Sample.key

  /// Wraps that no device can open, in ascending order.
  private static func wraps(_ count: Int) -> [WrappedKey] {
    let sealed = HPKE.Sealed(
      encapsulated: [UInt8](repeating: 1, count: HPKE.Sealed.keyBytes),
      ciphertext: [UInt8](repeating: 2, count: WrappedKey.byteCount))
    return (0..<count).map { number in
      WrappedKey(recipient: UniqueID(high: 0, low: UInt64(number)), sealed: sealed)
    }
  }

  private static func package(wraps count: Int, statement byteCount: Int) -> KeyPackage {
    KeyPackage(
      key: key.id, wraps: wraps(count),
      statement: SealedStatement(
        salt: [UInt8](repeating: 3, count: SealedStatement.saltBytes),
        ciphertext: [UInt8](repeating: 4, count: byteCount)))
  }

  private static func fault(decoding package: KeyPackage) -> StoreKeyError? {
    SealingTests.fault { () throws(StoreKeyError) in
      try KeyPackage(decoding: package.bytes, as: package.id)
    }
  }

  /// An origin with a list of any length, which the maker has signed.
  private static func origin(_ key: StoreKey, revoked count: Int) throws -> KeyOrigin {
    let signer = try TestDevice(0).keys.signing
    let revoked = try (0..<count).map { number in
      try PublicKey(
        UniqueID(high: 5, low: UInt64(number)).bytes + UniqueID(high: 5, low: 0).bytes)
    }
    let unsigned = KeyOrigin(
      book: book, key: key.id, time: 0, maker: signer.publicKey, revoked: revoked, signature: [])
    return KeyOrigin(
      book: book, key: key.id, time: 0, maker: signer.publicKey, revoked: revoked,
      signature: try signer.sign(unsigned.message))
  }

  @Test func `Store limits: a package of 1 MiB is read, and one with a byte more is too long`()
    throws
  {
    // The heads and the key id have 20 bytes, the wraps 102 each, the salt and the head after it 34 and 5.
    let rest = KeyPackage.byteLimit - (20 + 2 * 102 + 34 + 5)
    let package = Self.package(wraps: 2, statement: rest)
    #expect(package.bytes.count == KeyPackage.byteLimit)
    #expect(try KeyPackage(decoding: package.bytes, as: package.id) == package)
    let longer = Self.package(wraps: 2, statement: rest + 1)
    #expect(Self.fault(decoding: longer) == .tooLong(KeyPackage.byteLimit + 1))
    // The length is checked before the name, so that a store cannot make a device hash any number of bytes.
    let found = SealingTests.fault { () throws(StoreKeyError) in
      try KeyPackage(decoding: longer.bytes, as: package.id)
    }
    #expect(found == .tooLong(KeyPackage.byteLimit + 1))
  }

  @Test func `Store limits: a package of 4,096 wraps is read, and one of more is not`() throws {
    let package = Self.package(wraps: KeyPackage.wrapLimit, statement: 300)
    #expect(try KeyPackage(decoding: package.bytes, as: package.id) == package)
    let larger = Self.package(wraps: KeyPackage.wrapLimit + 1, statement: 300)
    #expect(Self.fault(decoding: larger) == .content(.tooMany(at: 19)))
  }

  @Test
  func `Store limits: a statement with 16,384 revoked keys is read, and one with more is not`()
    throws
  {
    let device = try TestDevice(0)
    let packages = try [0, 1].map { more in
      let origin = try Self.origin(Self.key, revoked: KeyOrigin.revokedLimit + more)
      return try KeyPackage(
        of: Self.key, from: origin, for: [device.recipient], signedBy: device.keys.signing)
    }
    let opened = try packages[0].open(with: Self.key)
    #expect(opened.origin.revoked.count == KeyOrigin.revokedLimit)
    let found = SealingTests.fault { () throws(StoreKeyError) in
      try packages[1].open(with: Self.key)
    }
    // After the heads, the ids of the book and the key, the time and the maker.
    #expect(found == .content(.tooMany(at: 71)))
  }

  @Test func `Store limits: a ring with a list of 16,384 revoked keys is read, no longer one`()
    throws
  {
    let rings = try [0, 1].map { more in
      let origin = try Self.origin(Self.key, revoked: KeyOrigin.revokedLimit + more)
      return KeyRing(book: Self.book, keys: [HeldKey(key: Self.key, origin: origin)])
    }
    #expect(try KeyRing(decoding: rings[0].bytes) == rings[0])
    let found = SealingTests.fault { () throws(StoreKeyError) in
      try KeyRing(decoding: rings[1].bytes)
    }
    #expect(found == .content(.tooMany(at: 125)))
  }

  @Test func `Store limits: a ring of 4,096 keys is read, and one of more is not`() throws {
    let keys = try (0...KeyRing.keyLimit).map { number in
      let bytes = UniqueID(high: 0, low: UInt64(number)).bytes
      let key = StoreKey(bytes + bytes)
      return HeldKey(key: key, origin: try Self.origin(key, revoked: 0))
    }.sorted { $0.origin < $1.origin }
    let ring = KeyRing(book: Self.book, keys: Array(keys.dropLast()))
    #expect(try KeyRing(decoding: ring.bytes) == ring)
    let found = SealingTests.fault { () throws(StoreKeyError) in
      try KeyRing(decoding: KeyRing(book: Self.book, keys: keys).bytes)
    }
    #expect(found == .content(.tooMany(at: 19)))
  }

  @Test func `Store limits: a ring of more than 64 MiB is too long, whatever is in it`() {
    for (count, expected) in [
      (KeyRing.byteLimit, StoreKeyError.content(.trailing(at: 20))),
      (KeyRing.byteLimit + 1, .tooLong(KeyRing.byteLimit + 1)),
    ] {
      var bytes = KeyRing(book: Self.book).bytes
      bytes += [UInt8](repeating: 0, count: count - bytes.count)
      let found = SealingTests.fault { () throws(StoreKeyError) in
        try KeyRing(decoding: bytes)
      }
      #expect(found == expected)
    }
  }

  @Test func `Store limits: the next size after that of the largest object is refused`() {
    let count = SealedObject.byteLimit + 1 << 19
    let bytes = Array(Sample.sealed([]).bytes.prefix(72))
    let object = bytes + [UInt8](repeating: 0, count: count - bytes.count)
    let named = NamedObject(range: Sample.range, digest: SHA256.digest(of: object).prefix16)
    let found = SealingTests.fault { () throws(SealedObjectError) in
      try SealedObject.open(object, as: named, in: Sample.store, with: Sample.key)
    }
    #expect(found == .size(count))
  }

  @Test func `Store limits: more content than an object may have is a fault of the caller`() async {
    await #expect(processExitsWith: .failure) {
      _ = Sample.sealed([UInt8](repeating: 0, count: SealedObject.contentLimit + 1))
    }
  }
}
