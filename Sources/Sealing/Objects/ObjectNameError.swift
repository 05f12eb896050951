/// The reason why a text is not the name of an object, or why a sealed name cannot be opened.
package enum ObjectNameError: Error, Hashable, Sendable {
  /// The name does not begin with any known kind. A newer version may have written it.
  case kind
  /// The number of bytes after the kind is wrong.
  case length(Int)
  /// A character is not in the alphabet of names.
  case letter
  /// The unused bits of the last character are not 0.
  case unusedBits
  /// The name is sealed with a different key.
  case key
  /// The name was changed, or was made by someone without the key.
  case code
  /// The holder of the key named a range that no log can have.
  case range
}
