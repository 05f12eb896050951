package import Bytes
package import Crypto

/// A store key, encrypted for some devices.
///
/// A package is an immutable object of the store. The device that makes a key writes the first package of it. Any
/// device that has the key writes another one for the devices that were admitted later.
package struct KeyPackage: Hashable, Sendable {
  package let origin: KeyOrigin
  /// The device that encrypted the key.
  package let packager: PublicKey
  /// The key, encrypted for each recipient; at least one, in ascending order of the recipients.
  package let wraps: [WrappedKey]
  package let signature: [UInt8]

  /// The store key, encrypted for one device.
  package struct WrappedKey: Hashable, Sendable {
    /// The first half of the SHA-256 of the device's agreement key.
    package let recipient: UniqueID
    package let sealed: HPKE.Sealed
  }

  /// The maximum number of recipients.
  package static let wrapLimit = 4_096
  /// The size of the largest package, in bytes.
  package static let byteLimit = 1 << 20

  init(origin: KeyOrigin, packager: PublicKey, wraps: [WrappedKey], signature: [UInt8]) {
    (self.origin, self.packager) = (origin, packager)
    (self.wraps, self.signature) = (wraps, signature)
  }

  /// Encrypts a key for some devices.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - origin: The origin of the key.
  ///   - recipients: The devices: at least one, at most ``wrapLimit``, and none that the origin lists as revoked.
  ///   - signer: The key of the device that encrypts.
  /// - Throws: ``CryptoError`` if OpenSSL fails.
  package init(
    of key: StoreKey, from origin: KeyOrigin, for recipients: [KeyRecipient],
    signedBy signer: SigningKey
  ) throws(CryptoError) {
    precondition(key.id == origin.key, "the origin is that of the key")
    precondition(recipients.allSatisfy(origin.allows), "no revoked device is given a key")
    var wraps: [UniqueID: WrappedKey] = [:]
    let context = WrapContext(origin: origin, packager: signer.publicKey)
    for recipient in recipients {
      let wrap = try context.wrap(key, for: recipient.agreement)
      wraps[wrap.recipient] = wrap
    }
    precondition(!wraps.isEmpty && wraps.count <= Self.wrapLimit, "recipients are limited")
    let sorted = wraps.values.sorted { $0.recipient < $1.recipient }
    let unsigned = KeyPackage(
      origin: origin, packager: signer.publicKey, wraps: sorted, signature: [])
    self.init(
      origin: origin, packager: signer.publicKey, wraps: sorted,
      signature: try signer.sign(unsigned.message))
  }

  /// The name of the object, from its bytes.
  package var id: UniqueID { SHA256.digest(of: bytes).prefix16 }

  /// The id by which a package names a recipient.
  package static func recipient(_ agreement: [UInt8]) -> UniqueID {
    SHA256.digest(of: agreement).prefix16
  }

  /// Checks both signatures.
  ///
  /// - Throws: ``StoreKeyError/originSignature`` or ``StoreKeyError/packageSignature``.
  package func verify() throws(StoreKeyError) {
    guard origin.isSigned else { throw .originSignature }
    guard packager.verifies(signature, of: message) else { throw .packageSignature }
  }

  /// Decrypts the key.
  ///
  /// The signatures are not checked.
  ///
  /// - Parameter agreement: The agreement key of this device.
  /// - Returns: The key, whose id is that of the origin.
  /// - Throws: ``StoreKeyError/notARecipient``, ``StoreKeyError/wrap``, or ``StoreKeyError/otherKey``.
  package func unwrap(with agreement: AgreementKey) throws(StoreKeyError) -> StoreKey {
    let recipient = Self.recipient(agreement.publicKey)
    guard let wrap = wraps.first(where: { $0.recipient == recipient }) else {
      throw .notARecipient
    }
    let context = WrapContext(origin: origin, packager: packager)
    guard let bytes = context.unwrap(wrap, with: agreement) else { throw .wrap }
    let key = StoreKey(bytes)
    guard key.id == origin.key else { throw .otherKey }
    return key
  }
}
