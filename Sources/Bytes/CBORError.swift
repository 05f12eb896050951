/// Why bytes were refused as deterministic CBOR.
///
/// `at` is the offset where the item at fault begins.
package enum CBORError: Error, Hashable, Sendable {
  /// The bytes end inside the item.
  case truncated(at: Int)
  /// The item has a shorter spelling.
  case notShortest(at: Int)
  /// The item has no length of its own but waits for a break, or is that break.
  case indefinite(at: Int)
  /// A key sorts before the one in front of it.
  case unsortedKeys(at: Int)
  /// A key is there twice.
  case duplicateKey(at: Int)
  /// The text is no valid UTF-8.
  case invalidText(at: Int)
  /// The item opens one level more than ``CBORReader/nestingLimit``.
  case tooDeep(at: Int)
  /// The item claims more elements than bytes are left for.
  case tooMany(at: Int)
  /// The item is of another kind.
  case wrongType(expected: CBORKind, at: Int)
  /// The byte string has another length than the one thing it may hold.
  case wrongLength(expected: Int, at: Int)
  /// The head is one that RFC 8949 gives no meaning to.
  case reserved(at: Int)
  /// Bytes follow where the end should be.
  case trailing(at: Int)
  /// The integer does not fit the number asked for.
  case outOfRange(at: Int)
}
