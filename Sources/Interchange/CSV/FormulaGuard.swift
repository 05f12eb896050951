/// Keeps spreadsheets from computing what stands in a cell: an apostrophe before it makes it a text.
///
/// The mark is unambiguous. Apostrophes do not make a text harmless, so a text that looks marked is marked again, and
/// to read a cell takes away one mark.
enum FormulaGuard {
  private static let mark: Unicode.Scalar = "'"

  /// What formulas begin with, also in the full width that East Asian spreadsheets take for the same.
  private static let signs: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]

  /// The cell that stands for a text.
  static func marked(_ text: String) -> String { mayBeFormula(text) ? "\(mark)\(text)" : text }

  /// The text that a marked cell stands for; nil for a cell without a mark.
  static func unmarked(_ cell: String) -> String? {
    let rest = cell.unicodeScalars.drop(while: \.properties.isWhitespace)
    guard rest.first == mark else { return nil }
    let text = String(rest.dropFirst())
    return mayBeFormula(text) ? text : nil
  }

  /// Whether a text is a formula to some spreadsheet, which may pass over blanks and quotes before the sign.
  private static func mayBeFormula(_ text: String) -> Bool {
    for scalar in text.unicodeScalars {
      switch scalar {
      // Some programs take these away, and look at what is behind them.
      case "\t", "\r": return true
      case mark, "\"", "\u{FEFF}": continue
      case _ where scalar.properties.isWhitespace: continue
      default: return signs.contains(scalar)
      }
    }
    return false
  }
}
