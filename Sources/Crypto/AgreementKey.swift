/// The X25519 key to which others can encrypt something for a device.
package struct AgreementKey: Sendable {
  /// The private key itself, drawn from the machine's dice.
  package let seed: [UInt8]
  package let publicKey: [UInt8]

  package init(seed: [UInt8]) throws(CryptoError) {
    publicKey = try KeyHandle(.x25519, seed: seed).publicKey()
    self.seed = seed
  }

  /// Checks the public key of another device.
  ///
  /// - Throws: ``CryptoError/keyLength(_:)``, or ``CryptoError/keyEncoding`` or ``CryptoError/keyOfSmallOrder``
  ///   where what is encrypted to the key would be hidden from no one.
  package static func check(_ publicKey: [UInt8]) throws(CryptoError) {
    guard publicKey.count == KeyKind.byteCount else { throw .keyLength(publicKey.count) }
    try KeyForm.check(agreement: publicKey)
  }
}

extension AgreementKey: CustomStringConvertible {
  // Without this, a message that mentions the key would spell out its seed.
  package var description: String { "AgreementKey" }
}
