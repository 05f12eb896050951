import QR

/// A QR code drawn with characters, each of which shows two modules, one above the other.
struct CodeDrawing {
  private let code: QRCode
  /// The number of light modules on each side.
  private let margin: Int

  /// The standard requires four; if these do not fit, two are enough for cameras.
  private static let margins = [4, 2]

  /// Lays out a code.
  ///
  /// - Returns: nil if the code does not fit on the terminal, with one line left for input.
  init?(_ code: QRCode, on size: (columns: Int, lines: Int)?) {
    let fitting = Self.margins.first { margin in
      guard let size else { return true }
      let (columns, lines) = Self.extent(of: code, margin)
      return columns <= size.columns && lines <= size.lines
    }
    guard let fitting else { return nil }
    (self.code, margin) = (code, fitting)
  }

  /// Returns the smallest size of a terminal that fits a code.
  static func least(for code: QRCode) -> (columns: Int, lines: Int) {
    extent(of: code, margins[margins.count - 1])
  }

  private static func extent(of code: QRCode, _ margin: Int) -> (columns: Int, lines: Int) {
    let modules = code.size + 2 * margin
    return (modules, (modules + 1) / 2 + 1)
  }

  /// Returns the lines of text, black on white if there are colours.
  ///
  /// Without colours, the background of the terminal, which is usually dark, is visible, so the characters represent
  /// the light modules. On a light background, these modules appear dark. Phones can also read such an inverted code.
  func lines(_ paint: Paint) -> [String] {
    stride(from: -margin, to: code.size + margin, by: 2).map { row in
      let letters = (-margin..<code.size + margin).map { column in
        let upper = code.isDark(row: row, column: column) == paint.isOn
        let lower = code.isDark(row: row + 1, column: column) == paint.isOn
        return upper ? lower ? "█" : "▀" : lower ? "▄" : " "
      }
      return paint.painted(letters.joined(), .scanned)
    }
  }
}
