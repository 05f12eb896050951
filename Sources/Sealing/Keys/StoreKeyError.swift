package import Bytes
package import Crypto

/// The reason why bytes are not a key package or a key ring, or why a key cannot be made or accepted.
package enum StoreKeyError: Error, Hashable, Sendable {
  /// A package or ring has more bytes than allowed.
  case tooLong(Int)
  /// A package's digest differs from the one in its name, because the package is incomplete or is a different package.
  case digest
  /// The bytes are not the expected CBOR.
  case content(CBORError)
  /// The version is not 1, so a newer version of the program wrote the bytes.
  case version(UInt64)
  /// Keys or recipients are not in ascending order, or occur more than once.
  case order
  /// The key is not encrypted for this device.
  case notARecipient
  /// The part that is encrypted for this device cannot be decrypted.
  case wrap
  /// The key is not the one that the package or the origin names.
  case otherKey
  /// The statement in the package cannot be decrypted.
  case statement
  /// A signing key is not valid.
  case signingKey(CryptoError)
  /// The key belongs to another book.
  case otherBook(UniqueID)
  /// The packager is not a device from which keys are accepted.
  case stranger(PublicKey)
  /// The key's maker did not sign the origin.
  case originSignature
  /// The packager did not sign the package.
  case packageSignature
  /// The device itself is not trusted, so no key that it makes is fit.
  case notTrusted
  /// More keys are revoked than an origin can list; the value is their number.
  case tooManyRevoked(Int)
  /// The key file would contain more keys or bytes than allowed.
  case ringLimit
  /// The ring has no room for another key of this maker.
  case makerLimit(PublicKey)
  /// OpenSSL has failed.
  case crypto(CryptoError)
}

extension StoreKeyError {
  /// Reports an encoding error as an error of the whole package or ring.
  static func decode<Value>(
    _ read: () throws(CBORError) -> Value
  ) throws(StoreKeyError) -> Value {
    do throws(CBORError) { return try read() } catch { throw .content(error) }
  }

  /// Reports an OpenSSL error as an error of the whole package or ring.
  static func compute<Value>(
    _ body: () throws(CryptoError) -> Value
  ) throws(StoreKeyError) -> Value {
    do throws(CryptoError) { return try body() } catch { throw .crypto(error) }
  }
}
