import Bytes
import Testing

struct Base32Tests {
  /// The vectors of RFC 4648, without padding.
  static let vectors = [
    ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"),
    ("fooba", "MZXW6YTB"), ("foobar", "MZXW6YTBOI"),
  ]

  @Test(arguments: vectors)
  func `Base32: published vectors are encoded, and decoded in either case`(
    text: String, letters: String
  ) {
    #expect(Base32.encode(Array(text.utf8)) == letters)
    for spelt in [letters, letters.lowercased()] {
      #expect(Base32.decode(spelt.utf8.compactMap(Base32.value)) == Array(text.utf8))
    }
  }

  @Test func `Base32: exactly the letters in either case and six digits have values`() {
    let letters = (0...255).map { UInt8($0) }.filter { Base32.value(of: $0) != nil }
    #expect(letters.count == 2 * 26 + 6)
    #expect(Set(letters.compactMap(Base32.value)) == Set(0..<32))
  }

  /// Text with a length that no bytes encode to, or with bits set after the last byte.
  @Test(arguments: ["M", "MZX", "MZXW6Y", "MZ", "MZXR", "MZXW6YR", "MZXW6YTBOJ"])
  func `Base32: impossible lengths and leftover bits are refused`(letters: String) {
    #expect(Base32.decode(letters.utf8.compactMap(Base32.value)) == nil)
  }
}
