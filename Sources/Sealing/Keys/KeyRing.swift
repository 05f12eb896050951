package import Bytes
package import Crypto

/// A device's store keys, and the rules for their use.
///
/// A device opens objects with any of its keys, but seals them only with a *fit* key (``KeyOrigin/isFit(knowing:)``). A
/// revoked device therefore cannot open anything that was sealed by a device that has received its revocation. If there
/// is no fit key, a device makes one; no device needs to wait for another.
package struct KeyRing: Hashable, Sendable {
  package let book: UniqueID
  /// The keys, ordered by the time and then by the id in their origins.
  package private(set) var keys: [HeldKey]

  package init(book: UniqueID) { self.init(book: book, keys: []) }

  init(book: UniqueID, keys: [HeldKey]) { (self.book, self.keys) = (book, keys) }

  /// Returns the key with the given id, or nil if the device does not have it.
  package func key(_ id: UniqueID) -> StoreKey? { keys.first { $0.key.id == id }?.key }

  /// Opens the name of an object with events, using the key with which the name is sealed.
  ///
  /// - Parameter name: The name.
  /// - Returns: The key, and the information in the name.
  /// - Throws: ``ObjectNameError/key`` if the device does not have the key, or another ``ObjectNameError`` if the name
  ///   is not valid.
  package func open(
    _ name: SealedName
  ) throws(ObjectNameError) -> (key: StoreKey, object: NamedObject) {
    try withKey(of: name) { key throws(ObjectNameError) in (key, try name.open(with: key)) }
  }

  /// Opens a name that states a loss.
  ///
  /// - Parameter name: The name.
  /// - Returns: The key, and the loss.
  /// - Throws: The same errors as ``open(_:)``.
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

  /// Returns the key to seal with, which is the fit key that was made last.
  ///
  /// - Parameter members: The members according to the events that the device currently holds.
  /// - Returns: The key, or nil if a new key has to be made.
  package func sealingKey(knowing members: MemberKeys) -> StoreKey? {
    lastFitKey(knowing: members)?.key
  }

  private func lastFitKey(knowing members: MemberKeys) -> HeldKey? {
    keys.last { $0.origin.isFit(knowing: members) }
  }

  /// Adds a new key.
  ///
  /// The key's packages must be stored before anything is sealed with the key (``KeyDistribution``).
  ///
  /// - Parameters:
  ///   - key: The key, from 32 random bytes.
  ///   - now: The current time, in ms since 1970. If the time of the last fit key is not earlier, the new key's time is
  ///     1 ms later than that time.
  ///   - members: What the device currently knows about the members, including its own keys.
  ///   - signer: This device's key.
  /// - Throws: ``StoreKeyError/notTrusted``, ``StoreKeyError/tooManyRevoked(_:)``, ``StoreKeyError/ringLimit`` or
  ///   ``StoreKeyError/crypto(_:)``. The ring is then unchanged.
  package mutating func make(
    _ key: StoreKey, at now: Int64, knowing members: MemberKeys, signedBy signer: SigningKey
  ) throws(StoreKeyError) {
    guard members.trusts(signer.publicKey) else { throw .notTrusted }
    precondition(
      members.recipients.contains { $0.signing == signer.publicKey },
      "a device knows its own agreement key")
    // Other keys are ignored, because a device that has since been revoked may have assigned the greatest time to its
    // keys.
    let last = lastFitKey(knowing: members)?.origin.time ?? -1
    let origin = try KeyOrigin(
      of: key, in: book, at: max(now, last == .max ? last : last + 1), revoked: members.revoked,
      signedBy: signer)
    keys = try merging(HeldKey(key: key, origin: origin))
  }

  /// Accepts the key from a package, or only checks the package if the device already has the key.
  ///
  /// If the maker in a key's origin is not trusted, the origin is replaced with that of a package whose maker is
  /// trusted. When a maker is revoked, packages that were accepted earlier should therefore be accepted again.
  ///
  /// - Parameters:
  ///   - package: The package.
  ///   - agreement: This device's agreement key.
  ///   - members: The members according to the events that the device currently holds. Packages are accepted from all
  ///     admitted members, including those that have since been revoked. A device that has not yet received any members
  ///     passes its inviter as the only member.
  /// - Returns: What to remember about the package.
  /// - Throws: ``StoreKeyError`` if the package is not valid, if it is not for this device and the key is unknown, or
  ///   if the ring has no room for the key. The ring is then unchanged.
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
    // A device that knows only its inviter would treat all other makers as one, so the limits for makers are not
    // checked.
    if known == nil || isReplaced, members.admitted != [packager] {
      try checkRoom(for: held, knowing: members)
    }
    keys = try merging(held)
    return PackageFacts(
      of: package, by: packager, for: agreement.publicKey, knowing: members)
  }

  /// Whether a device may use one key to seal again what is sealed with another.
  ///
  /// The object's author withheld it from the devices that are listed as revoked in the origin of the author's key.
  /// None of them may have the new key, even if this device has not received their revocations yet.
  ///
  /// - Parameters:
  ///   - old: The id of the key with which the object is sealed.
  ///   - new: The id of the key with which the object is to be sealed.
  /// - Returns: Whether the device has both keys, and the new key was withheld from all devices from which the old key
  ///   was withheld.
  package func mayReplace(_ old: UniqueID, by new: UniqueID) -> Bool {
    guard let former = origin(of: old), let next = origin(of: new) else { return false }
    return Set(former.revoked).isSubset(of: next.revoked)
  }

  private func origin(of id: UniqueID) -> KeyOrigin? { keys.first { $0.key.id == id }?.origin }

  /// Forgets keys.
  ///
  /// Afterwards, this device can open objects that are sealed with these keys only if it accepts the keys again from
  /// packages.
  package mutating func forget(_ ids: Set<UniqueID>) {
    keys.removeAll { ids.contains($0.key.id) }
  }
}
