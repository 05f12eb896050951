package import Domain

/// Reads dates as users type them, relative to a day: `tomorrow`, `fri`, `+3d`, `24 dec`, `24.12.`, or the ISO form.
package struct DayWords {
  /// The current day; if it is nil, relative dates cannot be read.
  package let today: CivilDate?

  package init(today: CivilDate?) { self.today = today }

  /// Reads a date, with or without a year.
  package func date(_ words: String) throws(DayFault) -> CivilDate {
    let words = words.trimmed.lowercased()
    if let near = near(words) { return near }
    if let named = try named(words) { return named }
    if let dated = try yearFirst(words) { return dated }
    do throws(CivilDateError) { return try CivilDate.parse(words) } catch {
      guard case .unreadable = error else { throw .date(error) }
      if Self.someday.contains(words) { throw .noDay }
      if Instant.parts(words)?.seconds ?? 0 > 0 || words.contains(":") { throw .time }
      if Self.hasShortYear(words) { throw .shortYear }
      let readings = try Self.readings(words)
      guard readings.count <= 1 else { throw .severalReadings(readings) }
      guard let only = readings.first else { throw .date(.unreadable) }
      return only
    }
  }

  /// Reads a date; a date without a year means its next occurrence, which may be today.
  package func dayToCome(_ words: String) throws(DayFault) -> CivilDate {
    let date = try date(words)
    guard date.year == nil else { return date }
    if words.trimmed.hasPrefix("--") { throw .noYear }
    guard let month = date.month, let day = date.day, let today, let start = today.year else {
      throw .date(.unreadable)
    }
    // Within eight years there is always a 29 February; other days recur every year or never.
    for year in start...start + 8 {
      guard let next = try? CivilDate(year: year, month: month, day: day), next >= today
      else { continue }
      return next
    }
    throw .date(.unreadable)
  }
}

/// Why text cannot be read as a date.
package enum DayFault: Error {
  case date(CivilDateError)
  /// The words also contain a time of day.
  case time
  /// The words mean that there is no date.
  case noDay
  /// The words say that there is no year, but a year is needed.
  case noYear
  /// The year has two digits, so its century is not known.
  case shortYear
  /// The words could mean any of these dates.
  case severalReadings([CivilDate])
}

// MARK: Days by their distance

extension DayWords {
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  private func near(_ words: String) -> CivilDate? {
    switch words {
    case "today": return today
    case "tomorrow": return today?.adding(days: 1)
    case "yesterday": return today?.adding(days: -1)
    default: return comingWeekday(words) ?? distant(words) ?? placed(words)
    }
  }

  /// Returns the next day with the given weekday.
  ///
  /// It is never today, because there is the word `today`.
  private func comingWeekday(_ words: String) -> CivilDate? {
    let name = words.hasPrefix("next ") ? String(words.dropFirst(5)).trimmed : words
    guard name.count >= 3, let today, let weekday = today.weekday?.rawValue,
      let place = Self.weekdays.firstIndex(where: { $0 == name || $0.prefix(3) == name })
    else { return nil }
    return today.adding(days: (place + 1 - weekday + 6) % 7 + 1)
  }

  /// Reads `+3d`, `2w`, `-1m`, `in 3 days`.
  private func distant(_ words: String) -> CivilDate? {
    guard let today else { return nil }
    if words.hasPrefix("in ") {
      let parts = words.split(separator: " ")
      guard parts.count == 3, let count = Int(parts[1]), let unit = Self.unit(parts[2])
      else { return nil }
      return today.moved(by: count, unit)
    }
    guard words.utf8.count >= 2, words.utf8.count <= 8, let unit = words.last,
      let count = Int(words.dropLast())
    else { return nil }
    return today.moved(by: count, unit)
  }

  private static func unit(_ word: Substring) -> Character? {
    let units = ["day", "week", "month", "year"]
    return units.first { word == $0 || word == $0 + "s" }?.first
  }
}

extension CivilDate {
  /// Returns the date the given number of days, weeks, months or years later, at most the last day of its month.
  fileprivate func moved(by count: Int, _ unit: Character) -> CivilDate? {
    guard (-1_000_000...1_000_000).contains(count) else { return nil }
    switch unit {
    case "d": return adding(days: count)
    case "w": return adding(days: 7 * count)
    case "m": return adding(months: count)
    case "y": return adding(months: 12 * count)
    default: return nil
    }
  }

  private func adding(months: Int) -> CivilDate? {
    guard let year, let month, let day else { return nil }
    let sum = year * 12 + month - 1 + months
    guard sum >= 12 else { return nil }
    let last = Self.days(inMonth: sum % 12 + 1, of: sum / 12)
    // Only a year outside the calendar can make this date invalid.
    return try? CivilDate(year: sum / 12, month: sum % 12 + 1, day: min(day, last))
  }
}

// MARK: Days by their months

extension DayWords {
  /// Reads `24 dec`, `dec 24`, `24 december 2026`, `24.12.`, `24.12.2026`.
  private func named(_ words: String) throws(DayFault) -> CivilDate? {
    var parts = words.split { $0 == " " || $0 == "," }.map(String.init)
    if parts.count == 1, words.contains("."), let dotted = Self.dotted(words) { parts = dotted }
    guard parts.count == 2 || parts.count == 3 else { return nil }
    let months = parts.prefix(2).map(Self.month)
    guard let month = months[0] ?? months[1], months[0] == nil || months[1] == nil,
      let day = Self.number(months[0] == nil ? parts[0] : parts[1], 1...2)
    else { return nil }
    var year: Int?
    if parts.count == 3 {
      // The century of a year with two digits is not known.
      guard let said = Self.number(parts[2], 4...4) else { return nil }
      year = said
    }
    do throws(CivilDateError) { return try CivilDate(year: year, month: month, day: day) } catch {
      throw .date(error)
    }
  }

  private static func month(_ word: String) -> Int? {
    guard word.count >= 3 else { return nil }
    return CivilDate.monthNames.firstIndex {
      $0.lowercased() == word || $0.lowercased().prefix(3) == word
    }.map { $0 + 1 }
  }

  /// Returns the day, month and optional year of a date with dots, with the month as a name.
  private static func dotted(_ words: String) -> [String]? {
    var parts = words.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 3, parts[2].isEmpty { parts.removeLast() }
    guard parts.count == 2 || parts.count == 3, let month = number(parts[1], 1...2),
      (1...12).contains(month)
    else { return nil }
    parts[1] = CivilDate.monthNames[month - 1].lowercased()
    return parts
  }

  private static func number(_ word: String, _ digits: ClosedRange<Int>) -> Int? {
    let word = word.hasSuffix(".") ? String(word.dropLast()) : word
    guard digits.contains(word.utf8.count), word.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(word)
  }

  /// Whether the words are a day and a month followed by a year of two digits.
  private static func hasShortYear(_ words: String) -> Bool {
    let parts = words.split { " ,./-".contains($0) }.map(String.init)
    guard parts.count == 3, number(parts[2], 2...2) != nil else { return false }
    let rest = parts.prefix(2).map { month($0) != nil || number($0, 1...2) != nil }
    return rest == [true, true]
  }

  /// Returns the dates that the numbers can mean: some countries write the month first, others the day.
  ///
  /// There is one reading if only one of the numbers can be the month, or if both are equal.
  private static func readings(_ words: String) throws(DayFault) -> [CivilDate] {
    let parts = words.split(omittingEmptySubsequences: false) { "/-.".contains($0) }.map(
      String.init)
    guard parts.count == 2 || parts.count == 3, let first = number(parts[0], 1...2),
      let second = number(parts[1], 1...2)
    else { return [] }
    let year = parts.count == 3 ? number(parts[2], 4...4) : nil
    if parts.count == 3, year == nil { return [] }
    let orders = [(first, second), (second, first)].filter { (1...12).contains($0.1) }
    var dates: [CivilDate] = []
    for (day, month) in orders {
      do throws(CivilDateError) {
        let date = try CivilDate(year: year, month: month, day: day)
        if !dates.contains(date) { dates.append(date) }
      } catch {
        if orders.count == 1 { throw .date(error) }
      }
    }
    return dates
  }
}
