package import Bytes
package import Crypto

/// The store keys that a device has, and the rules for their use.
///
/// Objects are opened with any key. They are sealed only with a *fit* key (``KeyOrigin/isFit(knowing:)``), so a revoked
/// device opens nothing that was sealed by a device that has received its revocation. If there is no fit key, a device
/// makes one; no device needs to wait for another.
package struct KeyRing: Hashable, Sendable {
  package let book: UniqueID
  /// The keys, in the order of their origins: by time, then by id.
  package private(set) var keys: [HeldKey]

  package init(book: UniqueID) { self.init(book: book, keys: []) }

  init(book: UniqueID, keys: [HeldKey]) { (self.book, self.keys) = (book, keys) }

  /// Returns the key with this id, or nil if the device does not have it.
  package func key(_ id: UniqueID) -> StoreKey? { keys.first { $0.key.id == id }?.key }

  /// Opens the name of an object with events, with the key that it is sealed with.
  ///
  /// - Parameter name: The name.
  /// - Returns: The key, and what the name tells.
  /// - Throws: ``ObjectNameError/key`` if the device does not have the key, or another ``ObjectNameError`` if the name
  ///   is not valid.
  package func open(
    _ name: SealedName
  ) throws(ObjectNameError) -> (key: StoreKey, object: NamedObject) {
    try withKey(of: name) { key throws(ObjectNameError) in (key, try name.open(with: key)) }
  }

  /// Opens the name that states a loss.
  ///
  /// - Parameter name: The name.
  /// - Returns: The key, and the loss.
  /// - Throws: As ``open(_:)``.
  package func openLoss(
    _ name: SealedName
  ) throws(ObjectNameError) -> (key: StoreKey, loss: NamedLoss) {
    try withKey(of: name) { key throws(ObjectNameError) in (key, try name.openLoss(with: key)) }
  }

  private func withKey<Value>(
    of name: SealedName, _ open: (StoreKey) throws(ObjectNameError) -> Value
  ) throws(ObjectNameError) -> Value {
    var fault = ObjectNameError.key
    for held in keys where name.mayBelong(to: held.key) {
      do throws(ObjectNameError) {
        return try open(held.key)
      } catch {
        fault = error
      }
    }
    throw fault
  }

  /// Returns the key to seal with: of the fit keys, the one that was made last.
  ///
  /// - Parameter members: The members according to the events that the device holds now.
  /// - Returns: The key, or nil if a new key has to be made.
  package func sealingKey(knowing members: MemberKeys) -> StoreKey? {
    lastFitKey(knowing: members)?.key
  }

  private func lastFitKey(knowing members: MemberKeys) -> HeldKey? {
    keys.last { $0.origin.isFit(knowing: members) }
  }

  /// Adds a new key.
  ///
  /// Its packages must be stored before anything is sealed with the key (``KeyDistribution``).
  ///
  /// - Parameters:
  ///   - key: The key, from 32 random bytes.
  ///   - now: The present time, in ms since 1970. If the last fit key has a later time than this, the new key gets the
  ///     time after that of the last fit key.
  ///   - members: What the device knows about the members now, including its own keys.
  ///   - signer: The key of this device.
  /// - Throws: ``StoreKeyError/notTrusted``, ``StoreKeyError/tooManyRevoked(_:)``, ``StoreKeyError/ringLimit`` or
  ///   ``StoreKeyError/crypto(_:)``. Then the ring is unchanged.
  package mutating func make(
    _ key: StoreKey, at now: Int64, knowing members: MemberKeys, signedBy signer: SigningKey
  ) throws(StoreKeyError) {
    guard members.trusts(signer.publicKey) else { throw .notTrusted }
    precondition(
      members.recipients.contains { $0.signing == signer.publicKey },
      "a device knows its own agreement key")
    // Other keys do not count, because a device that is revoked now may have assigned the greatest time to its keys.
    let last = lastFitKey(knowing: members)?.origin.time ?? -1
    let origin = try KeyOrigin(
      of: key, in: book, at: max(now, last == .max ? last : last + 1), revoked: members.revoked,
      signedBy: signer)
    keys = try merging(HeldKey(key: key, origin: origin))
  }

  /// Accepts the key of a package, or only checks the package if the device already has the key.
  ///
  /// If the maker in the origin of a key is not trusted, the origin is replaced with that of a package whose maker is
  /// trusted. When a maker is revoked, packages that were accepted earlier should therefore be accepted again.
  ///
  /// - Parameters:
  ///   - package: The package.
  ///   - agreement: The agreement key of this device.
  ///   - members: The members according to the events that the device holds now. Packages are accepted from admitted
  ///     members, even if these were revoked afterwards. A device that has received no members yet passes its inviter
  ///     as the only one.
  /// - Returns: What to remember of the package.
  /// - Throws: ``StoreKeyError`` if the package is not valid, not for this device and the key not known, or the ring
  ///   has no room for it. Then the ring is unchanged.
  package mutating func take(
    _ package: KeyPackage, with agreement: AgreementKey, knowing members: MemberKeys
  ) throws(StoreKeyError) -> PackageFacts {
    let known = keys.first { $0.key.id == package.key }
    let key = if let known { known.key } else { try package.unwrap(with: agreement, in: book) }
    let statement = try package.open(with: key)
    guard statement.origin.book == book else { throw .otherBook(statement.origin.book) }
    let packager = statement.packager
    guard members.admitted.contains(packager) else { throw .stranger(packager) }
    var held = known ?? HeldKey(key: key, origin: statement.origin)
    let isReplaced = held.replaceOrigin(with: statement.origin, knowing: members)
    // A device that has received only its inviter recognizes no other maker.
    if known == nil || isReplaced, members.admitted != [packager] {
      try checkRoom(for: held, knowing: members)
    }
    keys = try merging(held)
    return PackageFacts(
      of: package, by: packager, for: agreement.publicKey, knowing: members)
  }

  /// Whether a device may seal with one key what is sealed with another.
  ///
  /// The author of the object kept it from the devices that the origin of its key lists as revoked. None of them may
  /// have the new key, even if this device has not received their revocations yet.
  ///
  /// - Parameters:
  ///   - old: The id of the key with which it is sealed.
  ///   - new: The id of the key with which it is to be sealed.
  /// - Returns: Whether the device has both keys, and the new key is kept from all devices from which the old key was
  ///   kept.
  package func mayReplace(_ old: UniqueID, by new: UniqueID) -> Bool {
    guard let former = origin(of: old), let next = origin(of: new) else { return false }
    return Set(former.revoked).isSubset(of: next.revoked)
  }

  private func origin(of id: UniqueID) -> KeyOrigin? { keys.first { $0.key.id == id }?.origin }

  /// Forgets keys.
  ///
  /// Objects that are sealed with these keys can no longer be opened on this device, unless it accepts the keys again
  /// from packages.
  package mutating func forget(_ ids: Set<UniqueID>) {
    keys.removeAll { ids.contains($0.key.id) }
  }
}
