import Bytes
import Crypto
import Sealing

/// Names and objects with events, as a store could change them, and as a device with the key could make them.
///
/// The key, the book and the store are those of `docs/store-vectors.md`.
enum StoreObjects {
  static let key = StoreKey((0..<32).map { UInt8($0) })
  static let store = StoreIdentity(book: id(0x10), store: id(0x30))
  private static let range = ObjectRange(replica: id(0x50), events: 17...4_711, hash: id(0x70))

  private static func id(_ first: UInt8) -> UniqueID { UniqueID((0..<16).map { first + $0 }) }

  // MARK: Names

  static func takeName(_ bytes: [UInt8]) throws(Violation) {
    try parse(String(decoding: bytes, as: UTF8.self))
    guard bytes.count >= 64 else { return }
    try parse("e-" + Base32.encode(name(of: Array(bytes.prefix(64)))).lowercased())
  }

  private static func parse(_ text: String) throws(Violation) {
    guard let name = try? ObjectName(parsing: text) else { return }
    try demand(Array(name.text.utf8) == Array(text.utf8), "a name has only one spelling")
    guard case .events(let sealed) = name, let object = try? sealed.open(with: key) else { return }
    try demand(
      SealedName(sealing: object, with: key) == sealed, "an opened name is sealed as it was")
  }

  /// The bytes of a name with any content, which has the correct code.
  private static func name(of content: [UInt8]) -> [UInt8] {
    let secrets = derive("daybook name v1", count: 64)
    let code = HMAC.code(of: Array("e".utf8) + content, with: Array(secrets.prefix(32))).bytes
    let vector = Array(code.prefix(16))
    return key.id.bytes.prefix(8) + vector
      + ChaCha20.process(content, key: Array(secrets.suffix(32)), vector: vector)
  }

  // MARK: Objects

  static func takeObject(_ bytes: [UInt8]) throws(Violation) {
    try open(bytes)
    // The smaller padded sizes are 256 and the multiples of 16 up to 512.
    let padded = Array(bytes.prefix(512))
    let count = max(256, (padded.count + 15) / 16 * 16)
    try open(object(of: padded + [UInt8](repeating: 0, count: count - padded.count)))
  }

  private static func open(_ bytes: [UInt8]) throws(Violation) {
    let name = NamedObject(range: range, digest: SHA256.digest(of: bytes).prefix16)
    guard let frames = try? SealedObject.open(bytes, as: name, in: store, with: key) else {
      return
    }
    let again = SealedObject(sealing: frames, of: range, in: store, with: key)
    try demand(again.bytes == bytes, "opened frames are sealed as they were")
    try demand((try? again.name.open(with: key)) == name, "the name of an object can be opened")
  }

  /// An object with any padded content, which has the correct salt, commitment and tag.
  private static func object(of padded: [UInt8]) -> [UInt8] {
    let place =
      Array("daybook object v1".utf8) + store.book.bytes + store.store.bytes
      + range.replica.bytes
      + UniqueID(high: range.events.lowerBound, low: range.events.upperBound).bytes
      + range.hash.bytes
    let begin = Array("DBSEAL".utf8) + [0, 1] + key.id.bytes
    let salting = derive("daybook object salt v1", count: 32)
    let salt = HMAC.code(of: place + begin + padded, with: salting).bytes
    let secrets = derive("daybook object v1", salt: salt, count: 60)
    let header = begin + salt + secrets.suffix(16)
    return header
      + ChaCha20Poly1305.seal(
        padded, key: Array(secrets.prefix(32)), nonce: Array(secrets[32..<44]),
        authenticating: place + header)
  }

  static func derive(_ purpose: String, salt: [UInt8] = [], count: Int) -> [UInt8] {
    HKDF.derive(from: key.bytes, salt: salt, info: Array(purpose.utf8), count: count)
  }
}
