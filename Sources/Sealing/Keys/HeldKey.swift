package import Bytes
package import Crypto

/// A key that a device has.
package struct HeldKey: Hashable, Sendable {
  package let key: StoreKey
  /// The origin in the first package of the key that the device has seen.
  package let origin: KeyOrigin
  /// The known devices for which the key was encrypted (``WrappedKey/recipient``), each with the one that did it first.
  package private(set) var packagers: [UniqueID: PublicKey]

  init(key: StoreKey, origin: KeyOrigin, packagers: [UniqueID: PublicKey] = [:]) {
    (self.key, self.origin, self.packagers) = (key, origin, packagers)
  }

  /// Whether a device should have the key, but no trusted device has encrypted it for that device.
  package func isLacked(by recipient: KeyRecipient, knowing members: MemberKeys) -> Bool {
    guard members.trusts(recipient.signing), origin.allows(recipient) else { return false }
    let packager = packagers[WrappedKey.recipient(recipient.agreement, of: key.id)]
    return packager.map { !members.trusts($0) } ?? true
  }

  /// Encrypts the key for devices, and notes that they have it.
  ///
  /// - Parameters:
  ///   - recipients: The devices, none of which the origin lists as revoked.
  ///   - signer: The key of this device.
  /// - Returns: As many packages as the number of recipients requires.
  /// - Throws: ``StoreKeyError/crypto(_:)`` if OpenSSL fails.
  mutating func encrypt(
    for recipients: [KeyRecipient], signedBy signer: SigningKey
  ) throws(StoreKeyError) -> [KeyPackage] {
    var packages: [KeyPackage] = []
    for start in stride(from: 0, to: recipients.count, by: KeyPackage.wrapLimit) {
      let part = Array(recipients[start...].prefix(KeyPackage.wrapLimit))
      let package = try KeyPackage(of: key, from: origin, for: part, signedBy: signer)
      for wrap in package.wraps { packagers[wrap.recipient] = signer.publicKey }
      packages.append(package)
    }
    return packages
  }

  /// Notes for which of some devices a package has the key.
  ///
  /// The other recipients are left out: anyone may invent them, and as many as the package has room for.
  ///
  /// - Parameters:
  ///   - package: The package.
  ///   - packager: The device that made it.
  ///   - agreements: The agreement keys of the devices.
  mutating func note(
    _ package: KeyPackage, by packager: PublicKey, for agreements: [[UInt8]]
  ) {
    let known = Set(agreements.map { WrappedKey.recipient($0, of: key.id) })
    for wrap in package.wraps
    where known.contains(wrap.recipient) && packagers[wrap.recipient] == nil {
      packagers[wrap.recipient] = packager
    }
  }
}
