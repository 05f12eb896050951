package import Bytes
package import Crypto

/// What a device remembers about a package that it has opened and checked.
package struct PackageFacts: Hashable, Sendable {
  /// The id of the key in the package.
  package let key: UniqueID
  /// The key that made the package.
  package let packager: PublicKey
  /// The known devices for which the package contains the key (``WrappedKey/recipient``), in ascending order.
  ///
  /// Other devices are omitted, because a packager may invent as many devices as fit into a package.
  package let recipients: [UniqueID]

  package init(key: UniqueID, packager: PublicKey, recipients: [UniqueID]) {
    (self.key, self.packager, self.recipients) = (key, packager, recipients)
  }

  /// Records which of a set of devices a package contains the key for.
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

/// Which keys the packages currently in a store provide to which devices.
///
/// A device may sync with only some of a book's stores, and a store may lose objects. Whether a device can get a key
/// therefore depends on the store and the time, and is never remembered with the keys.
package struct KeyDistribution: Hashable, Sendable {
  /// The packagers that have encrypted a key for a device.
  ///
  /// A recipient has a different id for each key, so the id alone identifies both the recipient and the key.
  private var packagers: [UniqueID: Set<PublicKey>] = [:]

  /// Creates the distribution from the packages in a store.
  package init(of packages: some Sequence<PackageFacts>) {
    for facts in packages {
      for recipient in facts.recipients { packagers[recipient, default: []].insert(facts.packager) }
    }
  }

  /// Returns packages of all keys for the devices that have no package in the store.
  ///
  /// A device is not given a key that lists it as revoked, because others may still seal with that key. A package from
  /// a device that is no longer trusted is ignored, because the package may be unusable. A package from a device that
  /// the recipient may not know is not sufficient, because the events that admit that device may be sealed with the
  /// very key that the recipient cannot accept.
  ///
  /// - Parameters:
  ///   - ring: The keys.
  ///   - members: The members according to the events that the device currently holds.
  ///   - signer: This device's key.
  ///   - former: The keys that this device has replaced. They sign further packages for recipients that may not know
  ///     this device's key, even after they were revoked, because such a recipient accepts nothing else from this
  ///     device.
  /// - Returns: The packages to store.
  /// - Throws: ``StoreKeyError/crypto(_:)`` if OpenSSL fails.
  package func packages(
    of ring: KeyRing, knowing members: MemberKeys, signedBy signer: SigningKey,
    andBy former: [SigningKey] = []
  ) throws(StoreKeyError) -> [KeyPackage] {
    var packages: [KeyPackage] = []
    for held in ring.keys {
      let lacking = members.recipients.filter { recipient in
        isLacking(held, for: recipient, from: signer.publicKey, knowing: members)
      }
      packages += try held.encrypt(for: lacking, signedBy: signer)
      for earlier in former where members.admitted.contains(earlier.publicKey) {
        let strangers = members.recipients.filter { recipient in
          !members.isFamiliar(signer.publicKey, to: recipient)
            && isLacking(held, for: recipient, from: earlier.publicKey, knowing: members)
        }
        packages += try held.encrypt(for: strangers, signedBy: earlier)
      }
    }
    return packages
  }

  /// Whether a device should have a key, but neither the given packager nor a trusted device that the recipient knows
  /// has encrypted it for that device.
  private func isLacking(
    _ held: HeldKey, for recipient: KeyRecipient, from packager: PublicKey,
    knowing members: MemberKeys
  ) -> Bool {
    guard members.trusts(recipient.signing), held.origin.allows(recipient) else { return false }
    let found = packagers[WrappedKey.recipient(recipient.agreement, of: held.key.id)] ?? []
    return !found.contains(packager)
      && !found.contains { members.trusts($0) && members.isFamiliar($0, to: recipient) }
  }
}
