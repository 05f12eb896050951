extension Span<UInt8> {
  /// Returns the eight bytes from `offset` on as a big-endian number.
  func bigEndianWord(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset <= count - 8, "there are eight bytes")
    return unsafe UInt64(
      bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

extension FixedWidthInteger {
  /// The bytes of the number in big-endian order.
  package var bigEndianBytes: [UInt8] {
    unsafe Swift.withUnsafeBytes(of: bigEndian) { unsafe Array($0) }
  }
}

extension [UInt8] {
  /// Appends the eight bytes of a number in big-endian order.
  mutating func append(bigEndian word: UInt64) {
    unsafe Swift.withUnsafeBytes(of: word.bigEndian) { unsafe append(contentsOf: $0) }
  }
}
