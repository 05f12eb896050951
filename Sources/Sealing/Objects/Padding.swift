/// The sizes to which content is padded, so that an object reveals little of its length.
///
/// They are those of Padmé (Nikitin et al., "Reducing Metadata Leakage from Encrypted Files and Communication with
/// PURBs", 2019, section 4), which add at most 12 % and leave only O(log log n) bits of the length.
enum Padding {
  /// The size of the smallest padded content, in bytes.
  static let leastBytes = 256

  /// Returns the number of bytes to which `count` bytes are padded.
  static func size(of count: Int) -> Int {
    precondition(count >= 0, "a count is not negative")
    guard count > leastBytes else { return leastBytes }
    // Of a number below 2^(e + 1), as many of the last bits become 0 as leave only those needed to write e.
    let exponent = bitWidth(of: count) - 1
    let mask = 1 << (exponent - bitWidth(of: exponent)) - 1
    return (count + mask) & ~mask
  }

  private static func bitWidth(of number: Int) -> Int {
    Int.bitWidth - number.leadingZeroBitCount
  }
}
