/// Encodes text as one word, for files in which a space ends a value.
enum EncodedWord {
  /// Returns text in which spaces, colons, percent signs and the other given characters are escaped, as in `%20`.
  static func text(_ text: String, also others: String = "") -> String {
    var word = ""
    for character in text {
      guard character.isWhitespace || ":%".contains(character) || others.contains(character) else {
        word.append(character)
        continue
      }
      for byte in character.utf8 {
        let digits = String(byte, radix: 16, uppercase: true)
        word += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return word
  }

  /// Decodes text that ``text(_:also:)`` encoded; other text is returned unchanged.
  static func read(_ word: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(word.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      let isCode =
        digits.count == 2 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
      if byte == UInt8(ascii: "%"), isCode,
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? word
  }

  /// Returns several texts as one word, separated by commas.
  static func list(_ texts: [String], also others: String = "") -> String {
    texts.map { text($0, also: "," + others) }.joined(separator: ",")
  }

  /// Decodes a list that ``list(_:also:)`` encoded; empty items are left out.
  static func items(of word: String) -> [String] {
    word.split(separator: ",").map { read(String($0)) }
  }
}
