/// The style of text on a terminal, which never adds information to the text.
enum Style: Hashable {
  case plain
  case urgent
  case middling
  case harmless
  case faint
  case heading
  /// Faint and struck through, for closed to-dos.
  case struck
  /// Black on white, with the two colour numbers that no terminal theme changes.
  case scanned
  /// On its own background, `0xRRGGBB`, across the width of its column.
  case shaded(Int64, isStruck: Bool)

  /// The parameters of the escape sequence before the text; nil for plain text.
  var code: String? {
    switch self {
    case .plain: nil
    case .urgent: "31"
    case .middling: "33"
    case .harmless: "32"
    case .faint: "2"
    case .heading: "1"
    case .struck: "2;9"
    case .scanned: "38;5;16;48;5;231"
    case .shaded(let ground, let isStruck):
      (isStruck ? "9;" : "") + "38;2;\(Self.parts(ground.isLight ? 0x00_0000 : 0xFF_FFFF))"
        + ";48;2;\(Self.parts(ground))"
    }
  }

  var isShaded: Bool { if case .shaded = self { true } else { false } }

  private static func parts(_ colour: Int64) -> String {
    "\(colour >> 16 & 255);\(colour >> 8 & 255);\(colour & 255)"
  }
}

extension Int64 {
  /// Returns the shade of a row, from the colour of the list in the first row to a dark shade in the last.
  func shade(ofRow row: Int, among rows: Int) -> Int64 {
    // The last shade is still light enough to be distinguished from black.
    let left = 1 - 0.6 * Double(row) / Double(Swift.max(1, rows))
    return [16, 8, 0].reduce(0) { shade, shift in
      let part = Double(self >> shift & 255) * left
      return shade | Int64(part.rounded()) << shift
    }
  }

  /// Whether black is easier to read on the colour than white, by the relative luminance of WCAG.
  fileprivate var isLight: Bool {
    let parts = [16, 8, 0].map { Self.linear(Double(self >> $0 & 255) / 255) }
    // At this luminance, black and white have the same contrast.
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] > 0.1791
  }

  /// Returns the linear value of a colour component.
  private static func linear(_ part: Double) -> Double {
    if part <= 0.04045 { return part / 12.92 }
    let base = (part + 0.055) / 1.055
    // The power of 2.4, approximated by the exponent 2 + 1/4 + 1/8 + 1/32.
    let quarter = base.squareRoot().squareRoot()
    let eighth = quarter.squareRoot()
    return base * base * quarter * eighth * eighth.squareRoot().squareRoot()
  }
}
