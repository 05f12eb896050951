package import Bytes
package import Crypto

/// The secret of an invitation through a store, which the inviter and the joiner share.
///
/// The two devices exchange one object each: the joiner's knock, and the inviter's answer. Both have names that only
/// holders of the secret can compute, and all have the same size, so the store's operator cannot tell who invites whom.
package struct KnockSecret: Hashable, Sendable {
  package static let byteCount = 16

  package let bytes: [UInt8]
  /// The store through which the joiner joins.
  package let store: StoreIdentity
  /// The complete key of the inviting device.
  package let inviter: PublicKey

  /// - Parameters:
  ///   - bytes: The secret: ``byteCount`` random bytes.
  ///   - store: The store.
  ///   - inviter: The key of the inviting device.
  package init(_ bytes: [UInt8], in store: StoreIdentity, by inviter: PublicKey) {
    precondition(bytes.count == Self.byteCount, "a secret has 16 bytes")
    (self.bytes, self.store, self.inviter) = (bytes, store, inviter)
  }

  /// The name under which the secret is remembered after it is deleted, as for other invitations.
  package var name: UniqueID {
    SHA256.digest(of: Array("daybook invitation name v1".utf8) + bytes).prefix16
  }

  /// The purposes of the objects that are sealed with the secret.
  package enum Purpose: String, Sendable {
    /// The joiner's request.
    case knock = "daybook knock v1"
    /// The inviter's answer.
    case answer = "daybook knock answer v1"

    var bytes: [UInt8] { Array(rawValue.utf8) }
  }

  /// The id in the name of the object for a purpose.
  package func id(of purpose: Purpose) -> UniqueID {
    HMAC.code(of: purpose.bytes, with: secrets.naming).prefix16
  }

  /// Everything to which the secret applies.
  var place: [UInt8] { store.book.bytes + store.store.bytes + inviter.bytes }

  private var secrets: (naming: [UInt8], salting: [UInt8], sealing: [UInt8]) {
    let all = HKDF.derive(
      from: bytes, info: Array("daybook knock secrets v1".utf8) + place, count: 96)
    return (Array(all[..<32]), Array(all[32..<64]), Array(all[64...]))
  }
}

// MARK: - Sealing

extension KnockSecret {
  private static let magic = Array("DBKNOCK".utf8) + [1]
  private static let saltBytes = 32
  private static let paddedBytes = 256
  private static let lengthBytes = 4
  private static let headerBytes = magic.count + saltBytes
  /// The size of every knock and every answer, in bytes.
  package static let objectBytes = headerBytes + paddedBytes + ChaCha20Poly1305.tagBytes

  /// Seals content; equal content always produces equal bytes, so that a repeated step changes nothing.
  func seal(_ content: [UInt8], for purpose: Purpose) -> [UInt8] {
    precondition(content.count <= Self.paddedBytes - Self.lengthBytes, "content is limited")
    let filled = UInt32(content.count).bigEndianBytes + content
    let padded = filled + [UInt8](repeating: 0, count: Self.paddedBytes - filled.count)
    let salt = HMAC.code(of: purpose.bytes + padded, with: secrets.salting).bytes
    let (key, nonce) = cipher(for: purpose, salt)
    let header = Self.magic + salt
    return header
      + ChaCha20Poly1305.seal(padded, key: key, nonce: nonce, authenticating: header)
  }

  func open(_ object: [UInt8], for purpose: Purpose) throws(KnockError) -> [UInt8] {
    guard object.count == Self.objectBytes else { throw .size(object.count) }
    guard object.starts(with: Self.magic) else { throw .magic }
    let header = Array(object[..<Self.headerBytes])
    let (key, nonce) = cipher(for: purpose, Array(header[Self.magic.count...]))
    let padded = ChaCha20Poly1305.open(
      object[Self.headerBytes...], key: key, nonce: nonce, authenticating: header)
    guard let padded else { throw .tag }
    let count = padded.prefix(Self.lengthBytes).reduce(0) { $0 << 8 | Int($1) }
    let end = Self.lengthBytes + count
    guard end <= padded.count else { throw .length(count) }
    if let place = padded[end...].firstIndex(where: { $0 != 0 }) { throw .padding(at: place) }
    return Array(padded[Self.lengthBytes..<end])
  }

  private func cipher(
    for purpose: Purpose, _ salt: [UInt8]
  ) -> (key: [UInt8], nonce: [UInt8]) {
    let all = HKDF.derive(from: secrets.sealing, salt: salt, info: purpose.bytes, count: 44)
    return (Array(all[..<32]), Array(all[32...]))
  }
}

extension KnockSecret: CustomStringConvertible {
  // Without this property, a message that contains the secret would reveal it.
  package var description: String { "KnockSecret(\(name.hex))" }
}
