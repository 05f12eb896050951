package import Bytes
package import Crypto

/// A key that a device has.
package struct HeldKey: Hashable, Sendable {
  package let key: StoreKey
  /// The origin in the first package of the key that the device has seen, or in a later one whose maker is trusted when
  /// that of the first is not.
  package private(set) var origin: KeyOrigin
  /// The known devices for which the key was encrypted (``WrappedKey/recipient``), each with the one that did it first,
  /// or a later one that is trusted when the first is not.
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

  /// Replaces the origin with that of another package, if its maker is not trusted, but that of the other is.
  ///
  /// A device that has the key can state an origin of its own. Which of two makers lies is only known once one of them
  /// is revoked.
  ///
  /// - Parameters:
  ///   - other: The origin in the other package.
  ///   - members: What the device knows about the members now.
  /// - Returns: Whether the origin was replaced.
  mutating func replaceOrigin(with other: KeyOrigin, knowing members: MemberKeys) -> Bool {
    guard !members.trusts(origin.maker), members.trusts(other.maker) else { return false }
    origin = other
    return true
  }

  /// Notes for which of some devices a package has the key.
  ///
  /// The other recipients are left out: anyone may invent them, and as many as the package has room for.
  ///
  /// - Parameters:
  ///   - package: The package.
  ///   - packager: The device that made it.
  ///   - agreement: The agreement key of this device.
  ///   - members: What the device knows about the members now.
  mutating func note(
    _ package: KeyPackage, by packager: PublicKey, for agreement: [UInt8],
    knowing members: MemberKeys
  ) {
    let agreements = members.recipients.map(\.agreement) + [agreement]
    let known = Set(agreements.map { WrappedKey.recipient($0, of: key.id) })
    for recipient in package.wraps.map(\.recipient) where known.contains(recipient) {
      if let first = packagers[recipient], members.trusts(first) || !members.trusts(packager) {
        continue
      }
      packagers[recipient] = packager
    }
  }
}
