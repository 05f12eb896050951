import Domain
internal import Wording

extension RepeatFault {
  /// Returns the fault in complete sentences.
  package func text(of words: String) -> String {
    switch self {
    case .unreadable(let word):
      let place =
        word.flatMap {
          $0 == words ? nil : " The word '\($0.visible)' is not recognized in a repeat rule."
        } ?? ""
      return "cannot read '\(words)' as a repeat rule.\(place) "
        + "Try daily, every weekday, every 2 weeks, every mon,thu, every 15th or every last friday."
    case .severalMeanings(let phrases):
      return "'\(words)' has several meanings. "
        + "Did you mean \(phrases.map { "'\($0)'" }.joined(separator: " or "))?"
    case .daysOfSeveralRules:
      return "'\(words)' needs more than one rule. Add a to-do for each day."
    case .rule(let error): return error.text
    case .date(let date, let fault): return fault.text(of: date.visible, isYearFree: false)
    case .endsEarly(let until, let first):
      return Refusal.endsBefore(first: first, until: until).text
    case .never: return "no day matches '\(words)'. Check the days and months."
    }
  }
}
