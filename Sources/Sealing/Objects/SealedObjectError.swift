package import Bytes

/// The reason why an object cannot be opened, in the order in which the conditions are checked.
package enum SealedObjectError: Error, Hashable, Sendable {
  /// The digest of the bytes differs from the one in the name, because the bytes are incomplete or belong to another
  /// object.
  case digest
  /// No object can have this number of bytes.
  case size(Int)
  /// The object does not begin like an object of this version.
  case magic
  /// The object is sealed with the key that has this id, which is not the key with which its name is sealed.
  case key(UniqueID)
  /// The key, the store or the range differs from the one with which the object was sealed, or the beginning of the
  /// object was changed.
  case commitment
  /// The encrypted part was changed.
  case tag
  /// The content's length does not fit the padded content.
  case length(Int)
  /// The padding contains a byte other than 0, at this offset in the padded content.
  case padding(at: Int)
}
