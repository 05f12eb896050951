package import Bytes
package import Crypto

/// The reason why an object is not a knock or an answer to one, in the order in which the conditions are checked.
package enum KnockError: Error, Hashable, Sendable {
  /// The object does not have the size that all knocks and answers have; the value is its size.
  case size(Int)
  /// The object does not begin like one of this version.
  case magic
  /// The object was changed, or was sealed with another secret, or for another book, store, inviter or purpose.
  case tag
  /// The content's length does not fit the padded content.
  case length(Int)
  /// The padding contains a byte other than 0, at this offset in the padded content.
  case padding(at: Int)
  /// The content is not the expected CBOR.
  case content(CBORError)
  /// A name is empty, is too long, or contains a control character.
  case name
  /// A signing key is not valid.
  case signingKey(CryptoError)
  /// The agreement key is not valid.
  case agreementKey(CryptoError)
  /// The holder of the key did not sign the content.
  case signature
}

extension KnockError {
  /// Reports an encoding error as an error of the whole object.
  static func decode<Value>(_ read: () throws(CBORError) -> Value) throws(KnockError) -> Value {
    do throws(CBORError) { return try read() } catch { throw .content(error) }
  }
}
