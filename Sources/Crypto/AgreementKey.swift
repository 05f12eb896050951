/// The X25519 key to which others can encrypt something for a device.
package struct AgreementKey: Sendable {
  /// The private key itself, drawn from the machine's dice.
  package let seed: [UInt8]
  package let publicKey: [UInt8]

  package init(seed: [UInt8]) throws(CryptoError) {
    publicKey = try KeyHandle(.x25519, seed: seed).publicKey()
    self.seed = seed
  }
}

extension AgreementKey: CustomStringConvertible {
  // Without this, a message that mentions the key would spell out its seed.
  package var description: String { "AgreementKey" }
}
