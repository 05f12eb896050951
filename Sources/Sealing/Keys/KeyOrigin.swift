package import Bytes
package import Crypto

/// A statement of who made a store key, when, and which devices were not to receive it, signed by the key's maker.
///
/// All packages of a key contain its origin unchanged. A device that adds a package therefore cannot claim that the key
/// was made later than it was, or by a maker that had received more revocations than the actual maker had.
package struct KeyOrigin: Hashable, Sendable {
  package let book: UniqueID
  /// The id of the store key.
  package let key: UniqueID
  /// The time at which the key was made, in ms since 1970.
  package let time: Int64
  package let maker: PublicKey
  /// The keys whose revocations the maker had received when it made the key, in ascending order.
  package let revoked: [PublicKey]
  package let signature: [UInt8]

  /// The maximum number of revoked keys.
  ///
  /// A package whose origin lists this many keys still has room for ``KeyPackage/wrapLimit`` recipients.
  ///
  /// Keys that were never admitted can also be revoked, so a malicious device can exceed this number on its own. If the
  /// maximum is exceeded, no key can be made, and none is fit.
  package static let revokedLimit = 16_384

  init(
    book: UniqueID, key: UniqueID, time: Int64, maker: PublicKey, revoked: [PublicKey],
    signature: [UInt8]
  ) {
    (self.book, self.key, self.time) = (book, key, time)
    (self.maker, self.revoked, self.signature) = (maker, revoked, signature)
  }

  /// States that the signer has made a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - book: The book whose events the key seals.
  ///   - time: The current time, in ms since 1970; not negative.
  ///   - revoked: All keys that the signer knows to be revoked.
  ///   - signer: The key of the device that made the key.
  /// - Throws: ``StoreKeyError/tooManyRevoked(_:)`` if more than ``revokedLimit`` keys are revoked, or
  ///   ``StoreKeyError/crypto(_:)`` if OpenSSL fails.
  package init(
    of key: StoreKey, in book: UniqueID, at time: Int64, revoked: Set<PublicKey>,
    signedBy signer: SigningKey
  ) throws(StoreKeyError) {
    precondition(time >= 0, "a time is not negative")
    guard revoked.count <= Self.revokedLimit else { throw .tooManyRevoked(revoked.count) }
    let unsigned = KeyOrigin(
      book: book, key: key.id, time: time, maker: signer.publicKey, revoked: revoked.sorted(),
      signature: [])
    let signature = try StoreKeyError.compute { () throws(CryptoError) in
      try signer.sign(unsigned.message)
    }
    self.init(
      book: book, key: key.id, time: time, maker: signer.publicKey, revoked: unsigned.revoked,
      signature: signature)
  }

  /// Whether the maker signed this statement exactly as it is.
  package var isSigned: Bool { maker.verifies(signature, of: message) }

  /// Whether a device may seal with the key, because the key's maker is a member and had received every revocation that
  /// the device has received.
  ///
  /// The devices that received the key are not in the list of revoked devices. If the sealing device has received a
  /// revocation of one of them, the list is therefore incomplete, and the key is not fit.
  ///
  /// - Parameter members: What the device knows about the members.
  /// - Returns: Whether the key is fit to seal.
  package func isFit(knowing members: MemberKeys) -> Bool {
    members.trusts(maker) && members.revoked.isSubset(of: revoked)
  }

  /// Whether a device may be given the key.
  package func allows(_ recipient: KeyRecipient) -> Bool {
    !revoked.contains(recipient.signing)
  }

  /// The message that the maker signs.
  var message: [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(5)
    encodeFields(to: &writer)
    return Array("daybook store key v1".utf8) + writer.bytes
  }

  func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(6)
    encodeFields(to: &writer)
    writer.byteString(signature)
  }

  private func encodeFields(to writer: inout CBORWriter) {
    writer.uniqueID(book)
    writer.uniqueID(key)
    writer.integer(time)
    writer.byteString(maker.bytes)
    writer.arrayHeader(revoked.count)
    for key in revoked { writer.byteString(key.bytes) }
  }
}

extension KeyOrigin: Comparable {
  /// Orders keys by the time at which they were made, and then by their ids.
  package static func < (left: KeyOrigin, right: KeyOrigin) -> Bool {
    (left.time, left.key) < (right.time, right.key)
  }
}
