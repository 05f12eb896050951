/// Prevents spreadsheets from evaluating cells as formulas, by marking text with a leading apostrophe.
///
/// The mark is unambiguous. Text that begins with an apostrophe can still be a formula, so text that looks marked
/// is marked again, and reading a cell removes one mark.
enum FormulaGuard {
  private static let mark: Unicode.Scalar = "'"

  /// The first characters of formulas, including the full-width forms that East Asian spreadsheets accept.
  private static let signs: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]

  /// Returns the cell for the given text.
  static func marked(_ text: String) -> String { mayBeFormula(text) ? "\(mark)\(text)" : text }

  /// Returns the text of a marked cell; nil for a cell without a mark.
  static func unmarked(_ cell: String) -> String? {
    let rest = cell.unicodeScalars.drop(while: \.properties.isWhitespace)
    guard rest.first == mark else { return nil }
    let text = String(rest.dropFirst())
    return mayBeFormula(text) ? text : nil
  }

  /// Returns whether a spreadsheet may read the given text as a formula; it may skip spaces and quotes before the sign.
  private static func mayBeFormula(_ text: String) -> Bool {
    for scalar in text.unicodeScalars {
      switch scalar {
      // Some programs remove these characters and examine the text after them.
      case "\t", "\r": return true
      case mark, "\"", "\u{FEFF}": continue
      case _ where scalar.properties.isWhitespace: continue
      default: return signs.contains(scalar)
      }
    }
    return false
  }
}
