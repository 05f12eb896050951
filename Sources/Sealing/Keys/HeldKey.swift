internal import Crypto

/// A key that a device has.
package struct HeldKey: Hashable, Sendable {
  package let key: StoreKey
  /// The origin from the first package of the key that the device read.
  ///
  /// If that origin's maker is not trusted, the origin may come from a later package with a trusted maker.
  package private(set) var origin: KeyOrigin

  init(key: StoreKey, origin: KeyOrigin) { (self.key, self.origin) = (key, origin) }

  /// Encrypts the key for devices.
  ///
  /// - Parameters:
  ///   - recipients: The devices, none of which the origin lists as revoked.
  ///   - signer: This device's key.
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

  /// Replaces the origin with that of another package if the present origin's maker is not trusted but the other's
  /// maker is.
  ///
  /// A device that has the key can state an origin of its own. If there are two origins, it is not known which one is
  /// false until one of the makers is revoked.
  ///
  /// - Parameters:
  ///   - other: The origin in the other package.
  ///   - members: The members according to the events that the device currently holds.
  /// - Returns: Whether the origin was replaced.
  mutating func replaceOrigin(with other: KeyOrigin, knowing members: MemberKeys) -> Bool {
    guard !members.trusts(origin.maker), members.trusts(other.maker) else { return false }
    origin = other
    return true
  }
}
