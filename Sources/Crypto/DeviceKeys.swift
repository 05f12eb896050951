/// Both private keys of a device, which are stored in one file.
package struct DeviceKeys: Sendable {
  package let signing: SigningKey
  package let agreement: AgreementKey

  /// Creates the keys from two seeds of 32 random bytes.
  ///
  /// - Parameters:
  ///   - signingSeed: The seed of the Ed25519 key.
  ///   - agreementSeed: The seed of the X25519 key.
  /// - Throws: ``CryptoError`` if the length of a seed is wrong, or OpenSSL fails.
  package init(signingSeed: [UInt8], agreementSeed: [UInt8]) throws(CryptoError) {
    signing = try SigningKey(seed: signingSeed)
    agreement = try AgreementKey(seed: agreementSeed)
  }

  /// The keys as two `PRIVATE KEY` blocks, first Ed25519, then X25519.
  ///
  /// Any OpenSSL tool can read them.
  package var pem: String {
    PrivateKeyBlock(.ed25519, seed: signing.seed).text
      + PrivateKeyBlock(.x25519, seed: agreement.seed).text
  }

  /// Parses keys that ``pem`` or OpenSSL wrote.
  ///
  /// - Parameter pem: The two blocks.
  /// - Throws: ``CryptoError/unreadablePEM`` if the text is anything but the two blocks.
  package init(pem: String) throws(CryptoError) { self = try KeptKeys(pem: pem).made() }
}
