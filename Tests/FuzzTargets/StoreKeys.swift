import Bytes
import Crypto
import Sealing

/// Key packages from a store, and the file with the keys of a device.
///
/// The devices are those of `docs/store-vectors.md`.
enum StoreKeys {
  private struct Device {
    let keys: DeviceKeys

    init(_ seed: UInt8) throws(CryptoError) {
      keys = try DeviceKeys(
        signingSeed: [UInt8](repeating: seed, count: 32),
        agreementSeed: [UInt8](repeating: seed + 1, count: 32))
    }

    var recipient: KeyRecipient? {
      try? KeyRecipient(signing: keys.signing.publicKey, agreement: keys.agreement.publicKey)
    }
  }

  private static let devices = [0x01, 0x11, 0x21].compactMap { try? Device($0) }
  private static let members = MemberKeys(
    admitted: Set(devices.map(\.keys.signing.publicKey)), revoked: [],
    recipients: devices.compactMap(\.recipient))
  private static let book = StoreObjects.store.book

  /// A package of the key by its maker, whose wraps are used for other statements.
  static let sample: KeyPackage? = {
    guard let maker = devices.first?.keys.signing,
      let origin = try? KeyOrigin(
        of: StoreObjects.key, in: book, at: 1_700_000_000_000, revoked: [], signedBy: maker)
    else { return nil }
    return try? KeyPackage(
      of: StoreObjects.key, from: origin, for: members.recipients, signedBy: maker)
  }()

  static func takePackage(_ bytes: [UInt8]) throws(Violation) {
    try open(bytes)
    guard let sample else { throw Violation(rule: "a package can be made") }
    try open(package(of: sample.wraps, bytes))
  }

  static func takeRing(_ bytes: [UInt8]) throws(Violation) {
    guard let ring = try? KeyRing(decoding: bytes) else { return }
    try demand(ring.bytes == bytes, "a ring has only one encoding")
    guard let sample else { throw Violation(rule: "a package can be made") }
    try take(sample, in: ring)
  }

  private static func open(_ bytes: [UInt8]) throws(Violation) {
    guard let package = try? KeyPackage(decoding: bytes, as: KeyPackage.id(of: bytes)) else {
      return
    }
    try demand(package.bytes == bytes, "a package has only one encoding")
    try take(package, in: KeyRing(book: book))
  }

  /// Takes a package, gives its key away, and makes another key.
  private static func take(_ package: KeyPackage, in ring: KeyRing) throws(Violation) {
    guard let keys = devices.last?.keys else { throw Violation(rule: "keys can be made") }
    var changed = ring
    let facts = try? changed.take(package, with: keys.agreement, knowing: members)
    try demand(facts != nil || changed == ring, "a package that is refused changes nothing")
    let distribution = KeyDistribution(of: facts.map { [$0] } ?? [])
    _ = try? distribution.packages(of: changed, knowing: members, signedBy: keys.signing)
    try? changed.make(
      StoreKey([UInt8](repeating: 7, count: 32)), at: 0, knowing: members,
      signedBy: keys.signing)
    let again = try? KeyRing(decoding: changed.bytes)
    try demand(again == changed, "a ring can be read again")
  }

  /// A package with any statement, which is encrypted with the key.
  private static func package(of wraps: [WrappedKey], _ statement: [UInt8]) -> [UInt8] {
    let salting = StoreObjects.derive("daybook statement salt v1", count: 32)
    let salt = HMAC.code(of: statement, with: salting).bytes
    let secrets = StoreObjects.derive("daybook statement v1", salt: salt, count: 44)
    var writer = CBORWriter()
    writer.arrayHeader(5)
    writer.unsigned(1)
    writer.uniqueID(StoreObjects.key.id)
    writer.arrayHeader(wraps.count)
    for wrap in wraps {
      writer.arrayHeader(3)
      writer.uniqueID(wrap.recipient)
      writer.byteString(wrap.sealed.encapsulated)
      writer.byteString(wrap.sealed.ciphertext)
    }
    writer.byteString(salt)
    writer.byteString(
      ChaCha20Poly1305.seal(
        statement, key: Array(secrets.prefix(32)), nonce: Array(secrets.suffix(12)),
        authenticating: salt))
    return writer.bytes
  }
}
