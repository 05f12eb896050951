import QR

/// A QR code in letters, each of which shows two modules, one above the other.
struct CodeDrawing {
  private let code: QRCode
  /// How many light modules lie on each side of it.
  private let margin: Int

  /// The four of the standard; where they do not fit, two, which cameras can do with.
  private static let margins = [4, 2]

  /// - Returns: nil where it does not fit on a terminal of that size, with a line left for what is typed next.
  init?(_ code: QRCode, on size: (columns: Int, lines: Int)?) {
    let fitting = Self.margins.first { margin in
      guard let size else { return true }
      let (columns, lines) = Self.extent(of: code, margin)
      return columns <= size.columns && lines <= size.lines
    }
    guard let fitting else { return nil }
    (self.code, margin) = (code, fitting)
  }

  /// How large a terminal must be for a code.
  static func least(for code: QRCode) -> (columns: Int, lines: Int) {
    extent(of: code, margins[margins.count - 1])
  }

  private static func extent(of code: QRCode, _ margin: Int) -> (columns: Int, lines: Int) {
    let modules = code.size + 2 * margin
    return (modules, (modules + 1) / 2 + 1)
  }

  /// The lines of text, black on white where there are colours.
  ///
  /// Without colours the ground of the terminal shows through, which is dark more often than light: the letters are the
  /// light modules. On a light ground they are the dark ones, and the code is a negative, which phones read too.
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
