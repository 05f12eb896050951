/// Both private keys of a device, which are kept in one file.
package struct DeviceKeys: Sendable {
  package let signing: SigningKey
  package let agreement: AgreementKey

  /// Makes the keys from 32 bytes each of the machine's dice.
  package init(signingSeed: [UInt8], agreementSeed: [UInt8]) throws(CryptoError) {
    signing = try SigningKey(seed: signingSeed)
    agreement = try AgreementKey(seed: agreementSeed)
  }

  /// The keys as two `PRIVATE KEY` blocks, Ed25519 first, which any OpenSSL tool can read.
  package var pem: String {
    PrivateKeyBlock(.ed25519, seed: signing.seed).text
      + PrivateKeyBlock(.x25519, seed: agreement.seed).text
  }

  /// Reads what ``pem`` wrote, or what OpenSSL wrote for the same two keys.
  ///
  /// - Throws: ``CryptoError/unreadablePEM`` when anything but the two blocks is there.
  package init(pem: String) throws(CryptoError) { self = try KeptKeys(pem: pem).made() }
}
