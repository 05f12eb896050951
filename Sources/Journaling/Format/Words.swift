package import Bytes

/// Spells digests as words that two people can read to each other and compare.
package enum Words {
  /// The number of words for a digest.
  ///
  /// Each word encodes 16 bits.
  package static let count = 6

  private static let consonants: [Character] = Array("bdfghjklmnprstvz")
  private static let vowels: [Character] = Array("aiou")

  /// Spells the first 96 bits as six words of five letters.
  ///
  /// A word consists of a consonant, a vowel, a consonant, a vowel and a consonant. These letters encode 4, 2, 4, 2 and
  /// 4 bits, beginning with the highest bits.
  package static func pronounceable(_ digest: Digest) -> [String] {
    let bytes = digest.bytes
    return (0..<count).map { word(UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1])) }
  }

  private static func word(_ bits: UInt16) -> String {
    String([
      consonants[Int(bits >> 12)],
      vowels[Int(bits >> 10 & 3)],
      consonants[Int(bits >> 6 & 15)],
      vowels[Int(bits >> 4 & 3)],
      consonants[Int(bits & 15)],
    ])
  }
}
