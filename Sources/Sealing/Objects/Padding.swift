/// The sizes to which content is padded, so that an object reveals little of its length.
///
/// The sizes are those of Padmé (Nikitin et al., "Reducing Metadata Leakage from Encrypted Files and Communication with
/// PURBs", 2019, section 4). The padding adds at most 12 % and reveals only O(log log n) bits of the length.
enum Padding {
  /// The size of the smallest padded content, in bytes.
  static let leastBytes = 256

  /// Returns the number of bytes to which `count` bytes are padded.
  static func size(of count: Int) -> Int {
    precondition(count >= 0, "a count is not negative")
    guard count > leastBytes else { return leastBytes }
    // A number below 2^(e + 1) has e + 1 bits. The size keeps the first bit and as many more as are needed to write e;
    // the remaining bits become 0.
    let exponent = bitWidth(of: count) - 1
    let mask = 1 << (exponent - bitWidth(of: exponent)) - 1
    return (count + mask) & ~mask
  }

  private static func bitWidth(of number: Int) -> Int {
    Int.bitWidth - number.leadingZeroBitCount
  }
}
