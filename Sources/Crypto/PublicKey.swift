/// The key by which others know a device and check its signatures.
package struct PublicKey: Hashable, Sendable {
  package static let byteCount = 32
  package static let signatureByteCount = 64

  package let bytes: [UInt8]

  /// Takes the bytes of a key, from whomever they come.
  ///
  /// Whether they are a point of the curve is not asked: under those that are none no signature is true.
  ///
  /// - Throws: ``CryptoError/keyLength(_:)``, or ``CryptoError/keyEncoding`` or ``CryptoError/keyOfSmallOrder``
  ///   where a signature under the key would prove nothing.
  package init(_ bytes: [UInt8]) throws(CryptoError) {
    guard bytes.count == Self.byteCount else { throw .keyLength(bytes.count) }
    try KeyForm.check(signing: bytes)
    self.bytes = bytes
  }

  /// Tells whether the key's owner signed exactly this message.
  ///
  /// Bytes that are no key or no signature answer no: they come from a peer, to whom it makes no
  /// difference how a signature is wrong.
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

/// Keys are in the order of their bytes, so that a set of them leaves in one order.
extension PublicKey: Comparable {
  package static func < (left: PublicKey, right: PublicKey) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
