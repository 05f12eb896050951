/// The key that identifies a device and verifies its signatures.
package struct PublicKey: Hashable, Sendable {
  package static let byteCount = 32
  package static let signatureByteCount = 64

  package let bytes: [UInt8]

  /// Creates a key from bytes from any source.
  ///
  /// The initializer does not check that the bytes encode a point on the curve. If they do not, no signature is valid
  /// under the key.
  ///
  /// - Parameter bytes: The bytes.
  /// - Throws: ``CryptoError/keyLength(_:)``, ``CryptoError/keyEncoding`` if a smaller number encodes the same key, or
  ///   ``CryptoError/keyOfSmallOrder`` if a signature with the key would prove nothing.
  package init(_ bytes: [UInt8]) throws(CryptoError) {
    guard bytes.count == Self.byteCount else { throw .keyLength(bytes.count) }
    try KeyForm.check(signing: bytes)
    self.bytes = bytes
  }

  /// Returns whether the owner of the key signed exactly this message.
  ///
  /// Malformed signatures are reported as invalid, because the peer that sent them does not need to know the reason.
  package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard signature.count == Self.signatureByteCount else { return false }
    return KnownSignatures.holds(signature, by: bytes, of: message) {
      defer { OpenSSL.drainErrors() }
      do throws(CryptoError) {
        return try KeyHandle(.ed25519, publicKey: bytes).verifies(signature, of: message)
      } catch {
        return false
      }
    }
  }
}

extension PublicKey {
  /// Hashes all bytes at once, because a book can name thousands of keys, and hashing their bytes one by one takes
  /// longer.
  package func hash(into hasher: inout Hasher) {
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }
}

/// The order by bytes ensures that a set of keys is always written in the same order.
extension PublicKey: Comparable {
  package static func < (left: PublicKey, right: PublicKey) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
