package import Bytes
package import Crypto

/// What a device remembers of a package that it has opened and checked.
package struct PackageFacts: Hashable, Sendable {
  /// The id of the key in the package.
  package let key: UniqueID
  /// The key that made the package.
  package let packager: PublicKey
  /// The known devices for which the package has the key (``WrappedKey/recipient``), in ascending order.
  ///
  /// Other devices are omitted, because a packager may invent as many of them as fit into a package.
  package let recipients: [UniqueID]

  package init(key: UniqueID, packager: PublicKey, recipients: [UniqueID]) {
    (self.key, self.packager, self.recipients) = (key, packager, recipients)
  }

  /// Notes for which of some devices a package has the key.
  init(
    of package: KeyPackage, by packager: PublicKey, for agreement: [UInt8],
    knowing members: MemberKeys
  ) {
    let agreements = members.recipients.map(\.agreement) + [agreement]
    let known = Set(agreements.map { WrappedKey.recipient($0, of: package.key) })
    let recipients = package.wraps.map(\.recipient).filter(known.contains)
    self.init(key: package.key, packager: packager, recipients: recipients)
  }
}

/// Which devices are given which keys by the packages that a store has now.
///
/// A device syncs with some of the stores of a book, and a store may lose objects. Whether a device can get a key
/// therefore depends on the store and the time, and is never remembered with the keys.
package struct KeyDistribution: Hashable, Sendable {
  /// The packagers that have encrypted a key for a device.
  ///
  /// A recipient has a different id for each key, so the id alone identifies both the recipient and the key.
  private var packagers: [UniqueID: Set<PublicKey>] = [:]

  /// Creates the distribution of the packages that a store has.
  package init(of packages: some Sequence<PackageFacts>) {
    for facts in packages {
      for recipient in facts.recipients { packagers[recipient, default: []].insert(facts.packager) }
    }
  }

  /// Returns packages of all keys for the devices that have none in the store.
  ///
  /// A device is not given a key that lists it as revoked, because others may still seal with that key. A package by a
  /// device that is no longer trusted does not count, because the package may be unusable.
  ///
  /// - Parameters:
  ///   - ring: The keys.
  ///   - members: The members according to the events that the device holds now.
  ///   - signer: The key of this device.
  /// - Returns: The packages, which are to be stored.
  /// - Throws: ``StoreKeyError/crypto(_:)`` if OpenSSL fails.
  package func packages(
    of ring: KeyRing, knowing members: MemberKeys, signedBy signer: SigningKey
  ) throws(StoreKeyError) -> [KeyPackage] {
    var packages: [KeyPackage] = []
    for held in ring.keys {
      let lacking = members.recipients.filter { isLacking(held, for: $0, knowing: members) }
      packages += try held.encrypt(for: lacking, signedBy: signer)
    }
    return packages
  }

  /// Whether a device should have a key, but no trusted device has encrypted it for that device.
  private func isLacking(
    _ held: HeldKey, for recipient: KeyRecipient, knowing members: MemberKeys
  ) -> Bool {
    guard members.trusts(recipient.signing), held.origin.allows(recipient) else { return false }
    let found = packagers[WrappedKey.recipient(recipient.agreement, of: held.key.id)] ?? []
    return !found.contains { members.trusts($0) }
  }
}
