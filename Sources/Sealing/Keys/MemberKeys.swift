package import Crypto

/// The keys of a book's devices that one device has received.
package struct MemberKeys: Hashable, Sendable {
  /// The admitted keys, including those that have since been revoked.
  package var admitted: Set<PublicKey>
  /// The revoked keys, none of which can be admitted again.
  package var revoked: Set<PublicKey>
  /// The devices whose agreement keys are known, in any order; devices that are not trusted are not given any keys.
  package var recipients: [KeyRecipient]
  /// For the signing keys of recipients, the trusted keys that the recipient possibly does not know to be admitted.
  package var unfamiliar: [PublicKey: Set<PublicKey>] = [:]

  package init(
    admitted: Set<PublicKey>, revoked: Set<PublicKey>, recipients: [KeyRecipient] = []
  ) {
    (self.admitted, self.revoked, self.recipients) = (admitted, revoked, recipients)
  }

  /// Whether a recipient certainly accepts packages that are signed with a key.
  func isFamiliar(_ key: PublicKey, to recipient: KeyRecipient) -> Bool {
    !(unfamiliar[recipient.signing]?.contains(key) ?? false)
  }

  /// Whether a key is admitted and not revoked.
  package func trusts(_ key: PublicKey) -> Bool {
    admitted.contains(key) && !revoked.contains(key)
  }
}

/// A device that may receive a store key.
package struct KeyRecipient: Hashable, Sendable {
  /// The key with which the device signs, and by which it is admitted and revoked.
  package let signing: PublicKey
  /// The X25519 key with which other devices encrypt for this device.
  package let agreement: [UInt8]

  /// Creates a recipient.
  ///
  /// - Parameters:
  ///   - signing: The device's signing key.
  ///   - agreement: The device's agreement key.
  /// - Throws: ``CryptoError`` if data encrypted with the agreement key would not be secret.
  package init(signing: PublicKey, agreement: [UInt8]) throws(CryptoError) {
    try AgreementKey.check(agreement)
    (self.signing, self.agreement) = (signing, agreement)
  }
}
