extension CBORReader {
  @_lifetime(self: copy self)
  package mutating func boolean() throws(CBORError) -> Bool {
    guard offset < bytes.count, bytes[offset] & 0xfe == 0xf4 else { throw refusal(of: .boolean) }
    defer { offset += 1 }
    return bytes[offset] == 0xf5
  }

  @_lifetime(self: copy self)
  package mutating func null() throws(CBORError) {
    guard offset < bytes.count, bytes[offset] == 0xf6 else { throw refusal(of: .null) }
    offset += 1
  }

  @_lifetime(self: copy self)
  package mutating func undefined() throws(CBORError) {
    guard offset < bytes.count, bytes[offset] == 0xf7 else { throw refusal(of: .undefined) }
    offset += 1
  }

  /// Reads a simple value without a name: 0 to 19 or 32 to 255.
  @_lifetime(self: copy self)
  package mutating func simple() throws(CBORError) -> UInt8 {
    guard try peek() == .simple else { throw refusal(of: .simple) }
    let initial = bytes[offset]
    guard initial == 0xf8 else {
      offset += 1
      return initial & 0x1f
    }
    let number = UInt8(truncatingIfNeeded: try word(bytesWide: 1))
    guard number >= 32 else { throw .reserved(at: offset) }
    offset += 2
    return number
  }

  /// Reads a floating-point number of any width.
  ///
  /// Only the canonical NaN encoding of two bytes is accepted.
  @_lifetime(self: copy self)
  package mutating func float() throws(CBORError) -> Double {
    guard try peek() == .float else { throw refusal(of: .float) }
    let width = 1 << Int(bytes[offset] & 0x1f - 24)
    let bits = try word(bytesWide: width)
    let number: Double
    let isShortest: Bool
    switch width {
    case 2:
      number = Double(Float16(bitPattern: UInt16(truncatingIfNeeded: bits)))
      isShortest = !number.isNaN || bits == CBORFloat.plainNaN
    case 4:
      number = Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
      isShortest = CBORFloat.width(of: number) == 4
    default:
      number = Double(bitPattern: bits)
      isShortest = CBORFloat.width(of: number) == 8
    }
    guard isShortest else { throw .notShortest(at: offset) }
    offset += 1 + width
    return number
  }
}

/// The shortest encodings of floating-point numbers.
enum CBORFloat {
  /// The only NaN that daybook writes or accepts.
  static let plainNaN: UInt64 = 0x7e00

  /// Returns the fewest bytes, 2, 4 or 8, that preserve a number.
  static func width(of number: Double) -> Int {
    if number.isNaN || Double(Float16(number)) == number { return 2 }
    return Double(Float(number)) == number ? 4 : 8
  }
}
