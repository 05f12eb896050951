import Domain

/// The reason why text that a user typed cannot be parsed.
package enum WordsFault: Error {
  /// The text is not a valid value for the named option or field; the advice lists the valid values.
  case badValue(_ name: String, _ words: String, _ advice: String)
  /// The text is not a date; `isYearFree` states whether a date without a year is allowed.
  case badDate(String, DayFault, isYearFree: Bool)
  /// The sentence is the whole message.
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
