internal import Crypto

/// A key that a device has.
package struct HeldKey: Hashable, Sendable {
  package let key: StoreKey
  /// The origin in the first package of the key that the device has seen, or in a later one whose maker is trusted when
  /// that of the first is not.
  package private(set) var origin: KeyOrigin

  init(key: StoreKey, origin: KeyOrigin) { (self.key, self.origin) = (key, origin) }

  /// Encrypts the key for devices.
  ///
  /// - Parameters:
  ///   - recipients: The devices, none of which the origin lists as revoked.
  ///   - signer: The key of this device.
  /// - Returns: As many packages as the number of recipients requires.
  /// - Throws: ``StoreKeyError/crypto(_:)`` if OpenSSL fails.
  func encrypt(
    for recipients: [KeyRecipient], signedBy signer: SigningKey
  ) throws(StoreKeyError) -> [KeyPackage] {
    var packages: [KeyPackage] = []
    for start in stride(from: 0, to: recipients.count, by: KeyPackage.wrapLimit) {
      let part = Array(recipients[start...].prefix(KeyPackage.wrapLimit))
      packages.append(try KeyPackage(of: key, from: origin, for: part, signedBy: signer))
    }
    return packages
  }

  /// Replaces the origin with that of another package, if its maker is not trusted, but that of the other is.
  ///
  /// A device that has the key can state an origin of its own. Which of two makers lies is only known once one of them
  /// is revoked.
  ///
  /// - Parameters:
  ///   - other: The origin in the other package.
  ///   - members: The members according to the events that the device holds now.
  /// - Returns: Whether the origin was replaced.
  mutating func replaceOrigin(with other: KeyOrigin, knowing members: MemberKeys) -> Bool {
    guard !members.trusts(origin.maker), members.trusts(other.maker) else { return false }
    origin = other
    return true
  }
}
