/// A 16-byte identifier, compared byte by byte.
package struct UniqueID: Hashable, Comparable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The id that consists of zeros, which means that there is no id.
  package static let none = UniqueID(high: 0, low: 0)

  package init(_ bytes: [UInt8]) {
    precondition(bytes.count == 16, "an id has sixteen bytes")
    let span = bytes.span
    high = span.bigEndianWord(at: 0)
    low = span.bigEndianWord(at: 8)
  }

  /// Copies the sixteen bytes that start at `offset`.
  ///
  /// - Returns: The id, or nil if there are fewer bytes.
  package init?(copying span: Span<UInt8>, at offset: Int) {
    guard offset >= 0, offset <= span.count, span.count - offset >= 16 else { return nil }
    high = span.bigEndianWord(at: offset)
    low = span.bigEndianWord(at: offset + 8)
  }

  /// Parses exactly 32 lowercase hexadecimal digits.
  package init?(hex: String) {
    guard hex.utf8.count == 32, let bytes = Hex.decode(hex) else { return nil }
    self.init(bytes)
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16)
    append(to: &bytes)
    return bytes
  }

  package func append(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: high)
    bytes.append(bigEndian: low)
  }

  /// The bytes as an inline array, which does not require a heap allocation.
  ///
  /// Use this array to hash many ids.
  package var inlineBytes: [16 of UInt8] {
    let words: [2 of UInt64] = [high.bigEndian, low.bigEndian]
    return unsafe unsafeBitCast(words, to: [16 of UInt8].self)
  }

  package var hex: String { Hex.encode(bytes) }

  package static func < (left: UniqueID, right: UniqueID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
