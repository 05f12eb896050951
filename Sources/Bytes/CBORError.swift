/// The reason why bytes are not valid deterministic CBOR.
///
/// `at` is the offset at which the invalid item begins.
package enum CBORError: Error, Hashable, Sendable {
  /// The bytes end in the middle of the item.
  case truncated(at: Int)
  /// The item has a shorter encoding.
  case notShortest(at: Int)
  /// The item has an indefinite length, or is the break that ends such an item.
  case indefinite(at: Int)
  /// A key sorts before the previous one.
  case unsortedKeys(at: Int)
  /// A key occurs twice.
  case duplicateKey(at: Int)
  /// The text is not valid UTF-8.
  case invalidText(at: Int)
  /// The item exceeds ``CBORReader/nestingLimit``.
  case tooDeep(at: Int)
  /// The item claims more elements than there are bytes left.
  case tooMany(at: Int)
  /// The item is of the wrong kind.
  case wrongType(expected: CBORKind, at: Int)
  /// The length of the byte string differs from the expected length.
  case wrongLength(expected: Int, at: Int)
  /// The head of the item is reserved in RFC 8949.
  case reserved(at: Int)
  /// There are bytes after the expected end.
  case trailing(at: Int)
  /// The integer is outside the requested range.
  case outOfRange(at: Int)
}
