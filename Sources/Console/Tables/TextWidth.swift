/// Measures text in terminal columns.
enum TextWidth {
  /// Returns the beginning of the given text, followed by an ellipsis.
  static func cut(_ text: String, to columns: Int) -> String {
    start(of: text[...], within: columns - 1) + "…"
  }

  /// Returns as many characters of the given text as fit.
  static func start(of text: Substring, within columns: Int) -> Substring {
    var width = 0
    return text.prefix { letter in
      width += letter.columns
      return width <= columns
    }
  }

  /// Returns the width of the given text in terminal columns.
  static func columns(of text: String) -> Int {
    // Counting bytes is fastest, but works only if each byte is a character; counting scalars works if each scalar is
    // a character.
    if isPlain(text.utf8.span) { return text.utf8.count }
    var width = 0
    for scalar in text.unicodeScalars {
      guard let columns = scalar.columnsAlone else { return text.reduce(0) { $0 + $1.columns } }
      width += columns
    }
    return width
  }

  private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
    // The loop has no early exit, which lets the processor handle many bytes at once.
    var others = 0
    for place in bytes.indices { others += bytes[place] &- 0x20 < 0x60 ? 0 : 1 }
    return others == 0
  }
}

extension Character {
  /// The width of the character: two columns for East Asian characters and emoji, one for others.
  fileprivate var columns: Int { unicodeScalars.contains { $0.isWide } ? 2 : 1 }
}

extension Unicode.Scalar {
  /// The width of a scalar that is a character unless a neighbour joins it; nil for all other scalars.
  fileprivate var columnsAlone: Int? {
    switch value {
    case 0x20..<0x7F, 0xC0...0x24F, 0x391...0x3C9, 0x410...0x44F: 1
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF: 2
    default: nil
    }
  }

  /// Whether a terminal shows the scalar in two columns; apart from emoji, only rough ranges are considered.
  fileprivate var isWide: Bool {
    switch value {
    case ..<0x1100: false
    // The variation selector that turns the previous character into an emoji.
    case 0xFE0F: true
    // Hangul; CJK symbols; scripts from kana to Yi; Hangul; compatibility forms; full-width forms; kana; more CJK.
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF,
      0x20000...0x3FFFD:
      true
    default: properties.isEmojiPresentation
    }
  }
}
