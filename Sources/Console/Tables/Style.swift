/// How text looks on a terminal; it never says anything that the text does not.
enum Style: Hashable {
  case plain
  case urgent
  case middling
  case harmless
  case faint
  case heading
  /// Done with, and struck through.
  case struck
  /// Black on white, by the two numbers that no theme of a terminal gives another colour.
  case scanned
  /// On a ground of its own, `0xRRGGBB`, as wide as its column.
  case shaded(Int64, isStruck: Bool)

  /// What a terminal is told before the text; nil where there is nothing to tell.
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
  /// A colour as a list's rows wear it, from its own on the first to a deep one on the last.
  func shade(ofRow row: Int, among rows: Int) -> Int64 {
    // Of the last one enough is left to be told from black.
    let left = 1 - 0.6 * Double(row) / Double(Swift.max(1, rows))
    return [16, 8, 0].reduce(0) { shade, shift in
      let part = Double(self >> shift & 255) * left
      return shade | Int64(part.rounded()) << shift
    }
  }

  /// Whether black can be read on the colour more easily than white, by the luminance that WCAG defines.
  fileprivate var isLight: Bool {
    let parts = [16, 8, 0].map { Self.linear(Double(self >> $0 & 255) / 255) }
    // There, black and white contrast alike.
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] > 0.1791
  }

  /// How much light a part of a colour gives.
  private static func linear(_ part: Double) -> Double {
    if part <= 0.04045 { return part / 12.92 }
    let base = (part + 0.055) / 1.055
    // To the power of 2.4, which is near enough 2 + 1/4 + 1/8 + 1/32.
    let quarter = base.squareRoot().squareRoot()
    let eighth = quarter.squareRoot()
    return base * base * quarter * eighth * eighth.squareRoot().squareRoot()
  }
}
