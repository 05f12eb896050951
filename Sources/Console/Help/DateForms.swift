import Phrasing

/// The forms of dates and times, as listed in the help and the manual.
enum DateForms {
  static let rules = [
    "Dates are read in the forms of all these languages. Case, commas and final dots do not matter.",
    "A weekday or a day of the month means the next one after today; "
      + "a date without a year means its next occurrence, except for a birthday, whose year is then unknown. "
      + "With 'at', 'show --at', 'diff', --since and 'log --until', which look back, each means the most recent one.",
    "In a filter, a week, month or year such as 'next week', W50 or december means all of its days; "
      + "elsewhere, it means its first day.",
    "Where a command accepts a time of day, the time follows the date or is given alone.",
    "The words that mean 'never' clear a date; in a filter, they select records without a date.",
  ]

  static var help: [String] {
    var lines: [String] = []
    for (language, phrases) in examples {
      lines.append(language)
      lines += phrases.map { "  " + $0 }
      lines.append("")
    }
    return lines + rules
  }

  /// The examples of each language, in lines of at most 76 columns.
  static var examples: [(language: String, lines: [String])] {
    packed(DayLanguages.examples.map { ($0.0, $0.1) })
  }

  /// Returns the phrases of languages in lines of at most 76 columns.
  static func packed(
    _ examples: [(language: String, phrases: [String])]
  ) -> [(language: String, lines: [String])] {
    examples.map { ($0.language, packed($0.phrases)) }
  }

  /// Returns the phrases in lines of at most 76 columns.
  private static func packed(_ phrases: [String]) -> [String] {
    var lines: [String] = []
    for (place, phrase) in phrases.enumerated() {
      let item = place == phrases.count - 1 ? phrase : phrase + ","
      if let line = lines.last, TextWidth.columns(of: line) + TextWidth.columns(of: item) < 76 {
        lines[lines.count - 1] = "\(line) \(item)"
      } else {
        lines.append(item)
      }
    }
    return lines
  }
}
