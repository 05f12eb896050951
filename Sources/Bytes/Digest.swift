/// The 32 bytes of a SHA-256 digest, compared byte by byte.
///
/// The bytes are stored in four words rather than an array, because a digest is computed for every event and must not
/// require a heap allocation.
package struct Digest: Hashable, Comparable, Sendable {
  let first: UInt64
  let second: UInt64
  let third: UInt64
  let fourth: UInt64

  package init(_ span: Span<UInt8>) {
    precondition(span.count == 32, "a digest has thirty-two bytes")
    first = span.bigEndianWord(at: 0)
    second = span.bigEndianWord(at: 8)
    third = span.bigEndianWord(at: 16)
    fourth = span.bigEndianWord(at: 24)
  }

  package init(_ bytes: some Collection<UInt8>) {
    self.init(Array(bytes).span)
  }

  /// Copies the 32 bytes that start at `offset`.
  ///
  /// - Returns: The digest, or nil if there are fewer bytes.
  package init?(copying span: Span<UInt8>, at offset: Int) {
    guard offset >= 0, offset <= span.count, span.count - offset >= 32 else { return nil }
    self.init(span.extracting(offset..<offset + 32))
  }

  /// Parses exactly 64 lowercase hexadecimal digits.
  package init?(hex: String) {
    guard hex.utf8.count == 64, let bytes = Hex.decode(hex) else { return nil }
    self.init(bytes)
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    append(to: &bytes)
    return bytes
  }

  package func append(to bytes: inout [UInt8]) {
    for word in [first, second, third, fourth] { bytes.append(bigEndian: word) }
  }

  /// The bytes as an inline array, which does not require a heap allocation.
  ///
  /// Use this array to hash many digests.
  package var inlineBytes: [32 of UInt8] {
    let words: [4 of UInt64] = [
      first.bigEndian, second.bigEndian, third.bigEndian, fourth.bigEndian,
    ]
    return unsafe unsafeBitCast(words, to: [32 of UInt8].self)
  }

  package var hex: String { Hex.encode(bytes) }

  /// The first half of the digest, which is enough to identify a known digest.
  package var prefix16: UniqueID { UniqueID(high: first, low: second) }

  package static func < (left: Digest, right: Digest) -> Bool {
    (left.first, left.second, left.third, left.fourth)
      < (right.first, right.second, right.third, right.fourth)
  }
}
