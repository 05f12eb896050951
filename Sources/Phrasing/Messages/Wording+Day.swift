import Domain

extension DayFault {
  /// Returns the fault in complete sentences.
  package func text(of words: String, isYearFree: Bool) -> String {
    switch self {
    case .date(.unreadable):
      return "cannot read date '\(words)'. \(Self.advice(on: words, isYearFree))"
    case .date(.noSuchDate(nil, let month, let day, let before, let after)):
      // The suggestions are in words, which are valid even where a year is required.
      return "there is no \(day) \(CivilDate.monthNames[month - 1]). "
        + "Did you mean \(Self.list([before, after]))?"
    case .date(let fault): return fault.text(of: words)
    case .noYear:
      return "'\(words)' has no year. Use 2026-12-24, or '24 dec' for the next 24 December."
    case .never: return "'\(words)' is not a day. Leave the date out."
    case .repeating:
      return
        "'\(words)' is more than one day. Use --repeat '\(words)', and use the first day as the date."
    case .yearHas(let year, let count, let units):
      let limit = year.map { "\($0) has \(count)" } ?? "a year has at most \(count)"
      return "'\(words)' is not in the calendar: \(limit) \(units)."
    case .time: return "'\(words)' includes a time. Use the day alone."
    case .noDay: return "'\(words)' is not a day. Leave the date empty, and add the tag 'someday'."
    case .shortYear:
      return "the century of the year in '\(words)' is not clear. Use all four digits."
    case .severalReadings(let readings):
      return "'\(words)' means different dates in different countries. "
        + "Did you mean \(Self.list(readings))?"
    }
  }

  /// Returns what words that cannot be read may mean, or examples if nothing is similar.
  private static func advice(on words: String, _ isYearFree: Bool) -> String {
    if let meant = DayGuess.correction(of: words, isYearFree: isYearFree) {
      return "Did you mean '\(meant)'?"
    }
    return isYearFree
      ? "Try 1990-12-24, 24 dec 1990, or --12-24 if the year is not known."
      : halves(of: words) ?? "Try 2026-12-24, tomorrow, fri, +3d or 24 dec."
  }

  /// Returns the two times that an hour such as `tomorrow at 5` can mean.
  private static func halves(of words: String) -> String? {
    let text = words.lowercased()
    guard let found = text.firstMatch(of: #/^(.*?) ?\bat ([1-9]|1[0-2])$/#) else { return nil }
    let day = found.output.1.isEmpty ? "" : "\(found.output.1) "
    let hour = found.output.2
    return "Did you mean '\(day)\(hour)am' or '\(day)\(hour)pm'?"
  }

  private static func list(_ dates: [CivilDate]) -> String {
    dates.map { "'\($0.year == nil ? $0.dayWords.lowercased() : $0.iso)'" }
      .joined(separator: " or ")
  }
}
