/// A set of letters that may appear to contain other letters, because 64 bits represent all letters.
///
/// The set rules out most text with one comparison. Each lower-case ASCII letter and each digit has a separate bit.
struct LetterSet: Hashable, Sendable {
  private var bits: UInt64 = 0

  init() {}

  init(_ letter: Unicode.Scalar) { insert(letter) }

  mutating func insert(_ letter: Unicode.Scalar) { bits |= Self.bit(of: letter) }

  /// Returns false only if the set does not contain the letter.
  func mayContain(_ letter: Unicode.Scalar) -> Bool { bits & Self.bit(of: letter) != 0 }

  func union(_ other: LetterSet) -> LetterSet {
    var union = self
    union.bits |= other.bits
    return union
  }

  private static func bit(of letter: Unicode.Scalar) -> UInt64 {
    // ASCII letters differ from digits in the bit 0x40.
    1 << UInt64(letter.value & 0x1F | letter.value >> 1 & 0x20)
  }
}
