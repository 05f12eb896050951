/// The shortest encodings of floating-point numbers.
enum CBORFloat {
  /// The only NaN that daybook writes or accepts.
  static let plainNaN: UInt64 = 0x7e00

  /// Returns the smallest number of bytes (2, 4 or 8) that preserves a number.
  static func width(of number: Double) -> Int {
    if number.isNaN || Double(Float16(number)) == number { return 2 }
    return Double(Float(number)) == number ? 4 : 8
  }
}
