package import Bytes
package import Crypto

/// A store key, encrypted for some devices.
///
/// A package is an immutable object of the store. The device that makes a key writes the key's first package. Any
/// device that has the key can write another package for devices that were admitted later. The statement of who made
/// the key and the package is encrypted with the key itself, so that the ids are not revealed to the store.
package struct KeyPackage: Hashable, Sendable {
  /// The key's id.
  package let key: UniqueID
  /// The encrypted keys, one for each recipient; at least one, in ascending order of the recipients.
  package let wraps: [WrappedKey]
  /// The encrypted ``PackageStatement``.
  let statement: SealedStatement

  /// The maximum number of recipients.
  package static let wrapLimit = 4_096
  /// The size of the largest package, in bytes.
  package static let byteLimit = 1 << 20

  init(key: UniqueID, wraps: [WrappedKey], statement: SealedStatement) {
    (self.key, self.wraps, self.statement) = (key, wraps, statement)
  }

  /// Encrypts a key for some devices.
  ///
  /// The same key, origin, recipients and signer always produce the same package.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - origin: The key's origin.
  ///   - recipients: The devices: at least one, at most ``wrapLimit``, and none that the origin lists as revoked.
  ///   - signer: The key of the device that encrypts.
  /// - Throws: ``StoreKeyError/crypto(_:)`` if OpenSSL fails.
  package init(
    of key: StoreKey, from origin: KeyOrigin, for recipients: [KeyRecipient],
    signedBy signer: SigningKey
  ) throws(StoreKeyError) {
    precondition(key.id == origin.key, "the origin is that of the key")
    precondition(recipients.allSatisfy(origin.allows), "no revoked device is given a key")
    let (wraps, statement) = try StoreKeyError.compute { () throws(CryptoError) in
      let wraps = try Self.wraps(of: key, in: origin.book, for: recipients)
      return (wraps, try PackageStatement(origin: origin, wraps: wraps, signedBy: signer))
    }
    precondition(!wraps.isEmpty && wraps.count <= Self.wrapLimit, "recipients are limited")
    self.init(
      key: key.id, wraps: wraps, statement: SealedStatement(statement.bytes, with: key))
  }

  private static func wraps(
    of key: StoreKey, in book: UniqueID, for recipients: [KeyRecipient]
  ) throws(CryptoError) -> [WrappedKey] {
    var wraps: [UniqueID: WrappedKey] = [:]
    for recipient in recipients {
      let wrap = try WrappedKey(key, in: book, for: recipient.agreement)
      wraps[wrap.recipient] = wrap
    }
    return wraps.values.sorted { $0.recipient < $1.recipient }
  }

  /// The id in the object's name.
  package var id: UniqueID { Self.id(of: bytes) }

  /// The id in the name of an object that consists of these bytes.
  package static func id(of bytes: [UInt8]) -> UniqueID { SHA256.digest(of: bytes).prefix16 }

  /// Decrypts the key.
  ///
  /// - Parameters:
  ///   - agreement: This device's agreement key.
  ///   - book: The device's book.
  /// - Returns: The key, whose id is ``key``.
  /// - Throws: In this order: ``StoreKeyError/notARecipient``, ``StoreKeyError/wrap``, ``StoreKeyError/otherKey``.
  package func unwrap(
    with agreement: AgreementKey, in book: UniqueID
  ) throws(StoreKeyError) -> StoreKey {
    let recipient = WrappedKey.recipient(agreement.publicKey, of: key)
    guard let wrap = wraps.first(where: { $0.recipient == recipient }) else {
      throw .notARecipient
    }
    guard let bytes = wrap.open(with: agreement, key: key, in: book) else { throw .wrap }
    let opened = StoreKey(bytes)
    guard opened.id == key else { throw .otherKey }
    return opened
  }

  /// Decrypts the statement of who made the key and the package, and checks both signatures.
  ///
  /// - Parameter opened: The package's key.
  /// - Returns: The statement.
  /// - Throws: ``StoreKeyError`` if the statement is not valid.
  package func open(with opened: StoreKey) throws(StoreKeyError) -> PackageStatement {
    guard opened.id == key else { throw .otherKey }
    guard let bytes = statement.open(with: opened) else { throw .statement }
    let found = try PackageStatement(decoding: bytes)
    guard found.origin.key == key else { throw .otherKey }
    guard found.origin.isSigned else { throw .originSignature }
    guard found.isSigned(with: wraps) else { throw .packageSignature }
    return found
  }
}
