internal import Domain

/// Taskwarrior's attribute `recur`, such as `weekly`, `3days` or `P2M`.
///
/// Source: `getNextRecurrence` of version 2.6. A month in a duration is 30 days and a year is 365 days, unless the
/// duration has one of the forms that count calendar months.
enum TaskwarriorRepeat: RepeatNotation {
  static func text(_ rule: RepeatRule, from due: CivilDate) -> String? {
    // Taskwarrior counts from the due date; a distance in days or weeks is the same from the start.
    let isFixed = rule.frequency == .daily || rule.frequency == .weekly
    guard rule.basis == .due || (rule.basis == .start && isFixed) else { return nil }
    if rule.isOfBusinessDays { return "weekdays" }
    guard let plain = rule.plain(from: due) else { return nil }
    switch (plain.frequency, plain.interval) {
    case (.daily, 1): return "daily"
    case (.daily, let count): return "\(count)days"
    case (.weekly, 1): return "weekly"
    case (.weekly, let count): return "\(count)weeks"
    case (.monthly, 1): return "monthly"
    case (.monthly, let count): return "P\(count)M"
    case (.yearly, 1): return "yearly"
    case (.yearly, let count): return "P\(12 * count)M"
    }
  }

  static func rule(_ text: String, from due: CivilDate) -> RepeatRule? {
    guard let period = Period(text) else { return nil }
    let rule: RepeatRule? =
      switch period {
      case .businessDays: try? RepeatRule(.weekly, days: RepeatRule.Day.business)
      case .days(let count) where count.isMultiple(of: 7):
        try? RepeatRule(.weekly, interval: count / 7)
      case .days(let count): try? RepeatRule(.daily, interval: count)
      case .months(let count) where count.isMultiple(of: 12):
        try? RepeatRule(.yearly, interval: count / 12)
      case .months(let count): try? RepeatRule(.monthly, interval: count)
      }
    return rule?.skippingMissingDays(from: due)
  }

  /// Returns the due date that Taskwarrior itself computes, which stays on an earlier day once a month has lacked the
  /// day.
  ///
  /// - Parameters:
  ///   - index: The number of periods.
  ///   - text: The value of `recur`.
  ///   - due: The first due date.
  /// - Returns: The due date; nil if the period is not in calendar months, or is not readable.
  static func drifted(_ index: Int, _ text: String, from due: CivilDate) -> CivilDate? {
    guard case .months(let count)? = Period(text), let year = due.year, let month = due.month,
      var day = due.day, (0...12_000).contains(index), count <= 12_000
    else { return nil }
    var last = (year: year, month: month)
    for step in 0...index {
      let months = year * 12 + month - 1 + step * count
      last = (months / 12, months % 12 + 1)
      day = min(day, CivilDate.days(inMonth: last.month, of: last.year))
    }
    return try? CivilDate(year: last.year, month: last.month, day: day)
  }

  private enum Period {
    case businessDays
    case days(Int)
    case months(Int)

    /// Reads the value of `recur`; nil for anything else, and for periods of less than a day.
    init?(_ text: String) {
      let word = text.trimmed.lowercased()
      if let named = Self.named[word] {
        self = named
        return
      }
      let isISO = word.hasPrefix("p")
      let digits = word.dropFirst(isISO ? 1 : 0).prefix { $0.isASCII && $0.isNumber }
      let unit = String(word.dropFirst((isISO ? 1 : 0) + digits.count))
      guard (1...5).contains(digits.count), let count = Int(digits), count > 0 else { return nil }
      if unit == "m" {
        self = .months(count)
      } else if unit == "q", !isISO {
        self = .months(3 * count)
      } else if let days = Self.days[unit] {
        self = .days(days * count)
      } else {
        return nil
      }
    }

    private static let named: [String: Period] = [
      "weekdays": .businessDays, "daily": .days(1), "day": .days(1), "weekly": .days(7),
      "week": .days(7), "biweekly": .days(14), "fortnight": .days(14), "monthly": .months(1),
      "month": .days(30), "bimonthly": .months(2), "quarterly": .months(3),
      "semiannual": .months(6), "annual": .months(12), "yearly": .months(12),
      "p1y": .months(12), "biannual": .months(24), "biyearly": .months(24), "p2y": .months(24),
      "year": .days(365),
    ]

    private static let days: [String: Int] = [
      "d": 1, "day": 1, "days": 1, "w": 7, "wk": 7, "wks": 7, "week": 7, "weeks": 7, "mo": 30,
      "mos": 30, "month": 30, "months": 30, "y": 365, "yr": 365, "yrs": 365, "year": 365,
      "years": 365,
    ]
  }
}
