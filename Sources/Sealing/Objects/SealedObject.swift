package import Bytes
internal import Crypto

/// An object with events that only holders of a key can read.
///
/// Sealing is deterministic: equal frames produce the same bytes under the same name, on any device. As a result, a
/// repeated write changes nothing, and a copied machine cannot use one nonce for two contents.
package struct SealedObject: Hashable, Sendable {
  package let name: SealedName
  package let bytes: [UInt8]

  /// The maximum size of the content, in bytes.
  ///
  /// Together with the length before it, content of this size fills exactly 16 MiB.
  package static let contentLimit = 16 << 20 - lengthBytes
  /// The size of the largest object, in bytes.
  package static let byteLimit = 16 << 20 + ObjectHeader.byteCount + ChaCha20Poly1305.tagBytes

  private static let lengthBytes = 4

  /// Seals frames.
  ///
  /// - Parameters:
  ///   - frames: One log's frames, each joined to the previous one; at most ``contentLimit`` bytes.
  ///   - range: The events in the frames.
  ///   - store: The store for which the object is made.
  ///   - key: The key.
  package init(
    sealing frames: [UInt8], of range: ObjectRange, in store: StoreIdentity, with key: StoreKey
  ) {
    precondition(frames.count <= Self.contentLimit, "the content of an object is limited")
    let padded = Self.pad(frames)
    let place = ObjectPlace(store: store, range: range)
    let salt = place.salt(for: padded, key)
    let secrets = ObjectSecrets(of: key, salt: salt)
    let header = ObjectHeader(key: key.id, salt: salt, commitment: secrets.commitment)
    let sealed = ChaCha20Poly1305.seal(
      padded, key: secrets.key, nonce: secrets.nonce,
      authenticating: place.bytes + header.bytes)
    bytes = header.bytes + sealed
    name = SealedName(
      sealing: NamedObject(range: range, digest: Self.digest(of: bytes)), with: key)
  }

  /// The digest that an object's name contains: the first half of the object's SHA-256.
  package static func digest(of bytes: [UInt8]) -> UniqueID { SHA256.digest(of: bytes).prefix16 }

  /// Opens an object.
  ///
  /// The result is what a holder of the key has sealed, which need not consist of valid frames of the named events.
  ///
  /// - Parameters:
  ///   - bytes: The object.
  ///   - name: The information in the object's name.
  ///   - store: The store in which the object was found.
  ///   - key: The key with which the name was opened.
  /// - Returns: The frames.
  /// - Throws: The first ``SealedObjectError``, in the order of its cases.
  package static func open(
    _ bytes: [UInt8], as name: NamedObject, in store: StoreIdentity, with key: StoreKey
  ) throws(SealedObjectError) -> [UInt8] {
    guard digest(of: bytes) == name.digest else { throw .digest }
    let paddedCount = bytes.count - ObjectHeader.byteCount - ChaCha20Poly1305.tagBytes
    guard paddedCount >= Padding.leastBytes, bytes.count <= byteLimit,
      Padding.size(of: paddedCount) == paddedCount
    else { throw .size(bytes.count) }
    let header = try ObjectHeader(bytes)
    guard header.key == key.id else { throw .key(header.key) }
    let secrets = ObjectSecrets(of: key, salt: header.salt)
    guard header.commitment == secrets.commitment else { throw .commitment }
    let place = ObjectPlace(store: store, range: name.range)
    let padded = ChaCha20Poly1305.open(
      bytes[ObjectHeader.byteCount...], key: secrets.key, nonce: secrets.nonce,
      authenticating: place.bytes + header.bytes)
    guard let padded else { throw .tag }
    return try unpad(padded)
  }

  private static func pad(_ frames: [UInt8]) -> [UInt8] {
    let count = lengthBytes + frames.count
    var padded: [UInt8] = []
    padded.reserveCapacity(Padding.size(of: count))
    padded += UInt32(frames.count).bigEndianBytes
    padded += frames
    padded += [UInt8](repeating: 0, count: Padding.size(of: count) - count)
    return padded
  }

  private static func unpad(_ padded: [UInt8]) throws(SealedObjectError) -> [UInt8] {
    let count = padded.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
    let end = lengthBytes + count
    guard end <= padded.count, Padding.size(of: end) == padded.count else {
      throw .length(count)
    }
    if let place = padded[end...].firstIndex(where: { $0 != 0 }) { throw .padding(at: place) }
    return Array(padded[lengthBytes..<end])
  }
}

/// The store and the range that an object belongs to, without which the object cannot be opened.
private struct ObjectPlace {
  let store: StoreIdentity
  let range: ObjectRange

  var bytes: [UInt8] {
    Array(StoreKey.Purpose.object.rawValue.utf8) + store.book.bytes + store.store.bytes
      + range.bytes
  }

  /// The object's salt: a code over everything that determines the object, so no two contents have the same salt.
  func salt(for padded: [UInt8], _ key: StoreKey) -> [UInt8] {
    HMAC.code(
      of: bytes + ObjectHeader.magic + key.id.bytes + padded,
      with: key.derive(.salt, count: 32)
    ).bytes
  }
}

/// The keys of one object.
private struct ObjectSecrets {
  let key: [UInt8]
  let nonce: [UInt8]
  /// Shows that the object was sealed with this key.
  ///
  /// ChaCha20-Poly1305 does not show this, because one message can be opened with two keys, with different results.
  let commitment: UniqueID

  init(of storeKey: StoreKey, salt: [UInt8]) {
    let secrets = storeKey.derive(.object, salt: salt, count: 60)
    key = Array(secrets.prefix(32))
    nonce = Array(secrets[32..<44])
    commitment = UniqueID(Array(secrets.suffix(16)))
  }
}

/// The part of an object that is not encrypted.
private struct ObjectHeader {
  static let magic = Array("DBSEAL".utf8) + [0, 1]
  static let byteCount = 72

  let key: UniqueID
  let salt: [UInt8]
  let commitment: UniqueID

  init(key: UniqueID, salt: [UInt8], commitment: UniqueID) {
    (self.key, self.salt, self.commitment) = (key, salt, commitment)
  }

  init(_ object: [UInt8]) throws(SealedObjectError) {
    guard object.starts(with: Self.magic) else { throw .magic }
    self.init(
      key: UniqueID(Array(object[8..<24])), salt: Array(object[24..<56]),
      commitment: UniqueID(Array(object[56..<72])))
  }

  var bytes: [UInt8] { Self.magic + key.bytes + salt + commitment.bytes }
}
