package import Bytes

/// The reason why an object cannot be opened, in the order in which the conditions are checked.
package enum SealedObjectError: Error, Hashable, Sendable {
  /// The digest of the bytes differs from the one in the name, because the bytes have not arrived completely or are
  /// those of another object.
  case digest
  /// No object has this number of bytes.
  case size(Int)
  /// The object does not begin like an object of this version.
  case magic
  /// The object is sealed with the key of this id, which is not the key of its name.
  case key(UniqueID)
  /// The key, the store or the range is not the one with which the object was sealed, or the beginning of the object
  /// was changed.
  case commitment
  /// The encrypted part was changed.
  case tag
  /// The content has a length that does not fit the padded content.
  case length(Int)
  /// The padding has a byte other than 0, at this offset of the padded content.
  case padding(at: Int)
}
