import Domain

/// Why words that somebody typed cannot be read.
package enum WordsFault: Error {
  /// They are no value of what has this name; the last words say what is.
  case badValue(_ name: String, _ words: String, _ advice: String)
  /// They are no date; of some it need not be said which year.
  case badDate(String, DayFault, isYearFree: Bool)
  /// A whole sentence says it already.
  case said(String)
}

extension WordsFault {
  package var told: Told {
    switch self {
    case .badValue(let name, let words, let advice):
      Told("bad-value", .refused, "\(name) cannot be '\(words.visible)'. \(advice)")
    case .badDate(let words, let fault, let isYearFree):
      Told("bad-date", .refused, fault.text(of: words.visible, isYearFree: isYearFree))
    case .said(let sentence): Told("bad-value", .refused, sentence)
    }
  }
}
