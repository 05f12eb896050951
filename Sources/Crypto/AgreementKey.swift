/// The X25519 key with which other devices can encrypt data for a device.
package struct AgreementKey: Sendable {
  /// The private key, which comes from the machine's random source.
  package let seed: [UInt8]
  package let publicKey: [UInt8]

  package init(seed: [UInt8]) throws(CryptoError) {
    publicKey = try KeyHandle(.x25519, seed: seed).publicKey()
    self.seed = seed
  }

  /// Returns the secret that only the holders of this key and of the other key can compute (RFC 7748, section 6.1).
  ///
  /// The secret is not uniformly distributed, so a key must be derived from it before use.
  ///
  /// - Parameter publicKey: The other side's public key.
  /// - Returns: The 32 bytes of the secret.
  /// - Throws: The errors of ``check(_:)``, or ``CryptoError/library(code:)`` if OpenSSL fails.
  package func sharedSecret(with publicKey: [UInt8]) throws(CryptoError) -> [UInt8] {
    try Self.check(publicKey)
    return try KeyHandle(.x25519, seed: seed)
      .sharedSecret(with: KeyHandle(.x25519, publicKey: publicKey))
  }

  /// Checks another device's public key.
  ///
  /// - Parameter publicKey: The bytes of the key.
  /// - Throws: ``CryptoError/keyLength(_:)``, ``CryptoError/keyEncoding`` if a smaller number encodes the same key, or
  ///   ``CryptoError/keyOfSmallOrder`` if data encrypted with the key would not be secret.
  package static func check(_ publicKey: [UInt8]) throws(CryptoError) {
    guard publicKey.count == KeyKind.byteCount else { throw .keyLength(publicKey.count) }
    try KeyForm.check(agreement: publicKey)
  }
}

extension AgreementKey: CustomStringConvertible {
  // Without this property, a message that contains the key would reveal its seed.
  package var description: String { "AgreementKey" }
}
