extension Span<UInt8> {
  /// The eight bytes from `offset` as one number, the first byte weighing most.
  func bigEndianWord(at offset: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in offset..<offset + 8 { word = word << 8 | UInt64(self[index]) }
    return word
  }
}

extension UInt64 {
  /// The byte at a place, the weightiest first.
  @inline(__always)
  func bigEndianByte(_ place: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: self >> UInt64(56 - 8 * place))
  }
}

extension [UInt8] {
  /// Appends the eight bytes of a number, the weightiest first.
  mutating func append(bigEndian word: UInt64) {
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }
}
