package import Domain

// Days that are named by their position in a week, month or year.

extension DayWords {
  /// Words that mean that a to-do has no date.
  package static let someday: Set<String> = ["someday", "later"]

  /// Reads `eow` as the end of this week, `som` as the start of the next month, `1st` as the next first of a month.
  ///
  /// The words are those of Taskwarrior. Weeks end on Sunday, as in ISO 8601.
  package func placed(_ words: String) -> CivilDate? {
    guard let today, let year = today.year, let month = today.month, let weekday = today.weekday
    else { return nil }
    let week = Weekday.sunday.rawValue
    switch words {
    case "eow": return today.adding(days: week - weekday.rawValue)
    case "sow": return today.adding(days: week - weekday.rawValue + 1)
    case "eom":
      return CivilDate.known(year, month, CivilDate.days(inMonth: month, of: year))
    case "som": return Self.first(ofMonth: month + 1, year)
    case "eoy": return CivilDate.known(year, 12, 31)
    case "soy": return CivilDate.known(year + 1, 1, 1)
    default: return Self.ordinal(words).flatMap { next($0, year, month) }
    }
  }

  /// Returns the next occurrence of a day of the month.
  ///
  /// It is never today, because there is the word `today`.
  private func next(_ day: Int, _ year: Int, _ month: Int) -> CivilDate? {
    guard let today else { return nil }
    // Two consecutive months never both lack the same day.
    for later in 0...2 {
      guard let first = Self.first(ofMonth: month + later, year), let month = first.month,
        let found = CivilDate.known(first.year ?? year, month, day), found > today
      else { continue }
      return found
    }
    return nil
  }

  private static func first(ofMonth month: Int, _ year: Int) -> CivilDate? {
    month > 12 ? CivilDate.known(year + 1, month - 12, 1) : CivilDate.known(year, month, 1)
  }

  /// Reads `1st`, `2nd`, `23rd`, `31st`.
  private static func ordinal(_ words: String) -> Int? {
    guard let number = Int(words.dropLast(2)), (1...31).contains(number) else { return nil }
    let ending =
      switch (number / 10, number % 10) {
      case (1, _): "th"
      case (_, 1): "st"
      case (_, 2): "nd"
      case (_, 3): "rd"
      default: "th"
      }
    return words == "\(number)\(ending)" ? number : nil
  }
}

// MARK: Days that begin with their year

extension DayWords {
  /// Reads `20261224`, `2026-1-5` or `2026/1/5`; with the year first there is only one reading.
  package func yearFirst(_ words: String) throws(DayFault) -> CivilDate? {
    let separator: Character = words.contains("/") ? "/" : "-"
    var parts = words.components(by: separator)
    if parts.count == 1, words.utf8.count == 8 {
      parts = [words.prefix(4), words.dropFirst(4).prefix(2), words.suffix(2)]
    }
    guard parts.count == 3, parts[0].utf8.count == 4,
      parts.dropFirst().allSatisfy({ (1...2).contains($0.utf8.count) }),
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    let numbers = parts.compactMap { Int($0) }
    do throws(CivilDateError) {
      return try CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
    } catch {
      throw .date(error)
    }
  }
}

extension String {
  fileprivate func components(by separator: Character) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}

extension CivilDate {
  /// Returns the date, or nil if it does not exist.
  fileprivate static func known(_ year: Int, _ month: Int, _ day: Int) -> CivilDate? {
    // The caller does not need the reason.
    try? CivilDate(year: year, month: month, day: day)
  }
}
