package import Bytes
package import Crypto

/// The store keys that a device has, and the rules for their use.
///
/// Objects are opened with any key. They are sealed only with a *fit* key (``KeyOrigin/isFit(knowing:)``), so a device
/// that was revoked opens nothing that was sealed by a device that knows of it. If there is no fit key, a device makes
/// one; no device needs to wait for another.
package struct KeyRing: Hashable, Sendable {
  package let book: UniqueID
  /// The keys, in the order of their origins: by time, then by id.
  package private(set) var keys: [HeldKey]

  package init(book: UniqueID) { self.init(book: book, keys: []) }

  init(book: UniqueID, keys: [HeldKey]) { (self.book, self.keys) = (book, keys) }

  /// Returns the key with this id, or nil if the device does not have it.
  package func key(_ id: UniqueID) -> StoreKey? { keys.first { $0.key.id == id }?.key }

  /// Opens the name of an object with the key that it is sealed with.
  ///
  /// - Parameter name: The name.
  /// - Returns: The key, and what the name tells.
  /// - Throws: ``ObjectNameError/key`` if the device does not have the key, or another ``ObjectNameError`` if the name
  ///   is not valid.
  package func open(
    _ name: SealedName
  ) throws(ObjectNameError) -> (key: StoreKey, object: NamedObject) {
    var fault = ObjectNameError.key
    for held in keys where name.mayBelong(to: held.key) {
      do throws(ObjectNameError) {
        return (held.key, try name.open(with: held.key))
      } catch {
        fault = error
      }
    }
    throw fault
  }

  /// Returns the key to seal with: of the fit keys, the one that was made last.
  ///
  /// - Parameter members: What the device knows about the members now.
  /// - Returns: The key, or nil if a new key has to be made.
  package func sealingKey(knowing members: MemberKeys) -> StoreKey? {
    keys.last { $0.origin.isFit(knowing: members) }?.key
  }

  /// Adds a new key, which is then the one to seal with.
  ///
  /// The package must be stored before anything is sealed with the key.
  ///
  /// - Parameters:
  ///   - key: The key, from 32 random bytes.
  ///   - now: The present time, in ms since 1970. If the last key was made later, by this clock, the new key gets the
  ///     time after that one.
  ///   - recipients: The devices, including this one. Those that are not trusted are left out; at least one is.
  ///   - members: What the device knows about the members now.
  ///   - signer: The key of this device.
  /// - Returns: The package of the key.
  /// - Throws: ``CryptoError`` if OpenSSL fails.
  package mutating func make(
    _ key: StoreKey, at now: Int64, for recipients: [KeyRecipient],
    knowing members: MemberKeys, signedBy signer: SigningKey
  ) throws(CryptoError) -> KeyPackage {
    let last = keys.last?.origin.time ?? -1
    let origin = try KeyOrigin(
      of: key, in: book, at: max(now, last == .max ? last : last + 1), revoked: members.revoked,
      signedBy: signer)
    let trusted = recipients.filter { members.trusts($0.signing) }
    let package = try KeyPackage(of: key, from: origin, for: trusted, signedBy: signer)
    hold(key, from: origin)
    record(package, by: signer.publicKey)
    return package
  }

  /// Takes the key of a package, or only notes its recipients if the device has the key.
  ///
  /// - Parameters:
  ///   - package: The package.
  ///   - agreement: The agreement key of this device.
  ///   - packagers: The devices from which keys are taken: the admitted ones, even if they were revoked afterwards; or
  ///     the inviter, for a device that knows no members yet.
  /// - Returns: Whether the key is new.
  /// - Throws: ``StoreKeyError`` if the package is not valid, or not for this device and the key not known.
  package mutating func take(
    _ package: KeyPackage, with agreement: AgreementKey, from packagers: Set<PublicKey>
  ) throws(StoreKeyError) -> Bool {
    let held = self.key(package.key)
    let key = if let held { held } else { try package.unwrap(with: agreement, in: book) }
    let statement = try package.open(with: key)
    guard statement.origin.book == book else { throw .otherBook(statement.origin.book) }
    guard packagers.contains(statement.packager) else { throw .stranger(statement.packager) }
    if held == nil { hold(key, from: statement.origin) }
    record(package, by: statement.packager)
    return held == nil
  }

  /// Returns packages of all keys for the devices that have none, and notes that they have them.
  ///
  /// A device is not given a key that lists it as revoked: others may still seal with that key. A package by a device
  /// that is no longer trusted does not count, since it may be worthless.
  ///
  /// - Parameters:
  ///   - recipients: All devices. Those that are not trusted are left out.
  ///   - members: What the device knows about the members now.
  ///   - signer: The key of this device.
  /// - Returns: The packages, which are to be stored; at most one of each key.
  /// - Throws: ``CryptoError`` if OpenSSL fails.
  package mutating func packages(
    for recipients: [KeyRecipient], knowing members: MemberKeys, signedBy signer: SigningKey
  ) throws(CryptoError) -> [KeyPackage] {
    var packages: [KeyPackage] = []
    for held in keys {
      let lacking = recipients.filter { held.isLacked(by: $0, knowing: members) }
      guard !lacking.isEmpty else { continue }
      let package = try KeyPackage(
        of: held.key, from: held.origin, for: lacking, signedBy: signer)
      for wrap in package.wraps { forget(wrap.recipient, of: held.key.id) }
      record(package, by: signer.publicKey)
      packages.append(package)
    }
    return packages
  }

  /// Forgets keys.
  ///
  /// Objects that are sealed with them can no longer be opened on this device.
  package mutating func forget(_ ids: Set<UniqueID>) {
    keys.removeAll { ids.contains($0.key.id) }
  }

  private mutating func hold(_ key: StoreKey, from origin: KeyOrigin) {
    let place = keys.firstIndex { origin < $0.origin } ?? keys.endIndex
    keys.insert(HeldKey(key: key, origin: origin, packagers: [:]), at: place)
  }

  private mutating func record(_ package: KeyPackage, by packager: PublicKey) {
    guard let place = keys.firstIndex(where: { $0.key.id == package.key }) else { return }
    for wrap in package.wraps where keys[place].packagers[wrap.recipient] == nil {
      keys[place].packagers[wrap.recipient] = packager
    }
  }

  private mutating func forget(_ recipient: UniqueID, of key: UniqueID) {
    for place in keys.indices where keys[place].key.id == key {
      keys[place].packagers[recipient] = nil
    }
  }
}

/// A key that a device has.
package struct HeldKey: Hashable, Sendable {
  package let key: StoreKey
  /// The origin in the first package of the key that the device has seen.
  package let origin: KeyOrigin
  /// The devices for which the key was encrypted (``WrappedKey/recipient``), each with the one that did it first.
  package internal(set) var packagers: [UniqueID: PublicKey]

  init(key: StoreKey, origin: KeyOrigin, packagers: [UniqueID: PublicKey]) {
    (self.key, self.origin, self.packagers) = (key, origin, packagers)
  }

  /// Whether a device should have the key, but no trusted device has encrypted it for that device.
  package func isLacked(by recipient: KeyRecipient, knowing members: MemberKeys) -> Bool {
    guard members.trusts(recipient.signing), origin.allows(recipient) else { return false }
    let packager = packagers[WrappedKey.recipient(recipient.agreement, of: key.id)]
    return packager.map { !members.trusts($0) } ?? true
  }
}
