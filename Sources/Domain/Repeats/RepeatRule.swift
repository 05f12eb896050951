/// The rule by which a to-do repeats: the subset of RFC 5545's recurrence rules that daybook supports.
///
/// A rule has no dates of its own. ``RepeatDates`` computes them from an anchor.
package struct RepeatRule: Hashable, Sendable {
  package enum Frequency: String, Sendable {
    case daily = "DAILY"
    case weekly = "WEEKLY"
    case monthly = "MONTHLY"
    case yearly = "YEARLY"
  }

  /// The date from which the dates are counted.
  package enum Basis: Sendable {
    /// The due date of the series.
    case due
    /// The start date of the series, as in some rules of other programs.
    case start
    /// The day on which the last occurrence was closed.
    case done
  }

  /// A day of the week; in a monthly rule, perhaps only the first, second or last such day of the month.
  package struct Day: Hashable, Sendable {
    /// 1 stands for the first such day in the month, and -1 for the last; nil means every such day.
    package let ordinal: Int?
    package let weekday: Weekday

    package init(_ weekday: Weekday, ordinal: Int? = nil) {
      self.ordinal = ordinal
      self.weekday = weekday
    }
  }

  package let frequency: Frequency
  package let interval: Int
  /// The months in which dates fall, ascending; empty if the rule names none.
  package let months: [Int]
  /// The days of the month, ascending, followed by the days that count from its end: `1, 15, -2, -1`.
  package let monthDays: [Int]
  /// The days of the week: first the days without an ordinal, from Monday on; then the days with an ordinal, of which
  /// the days that count from the end of the month come last.
  package let days: [Day]
  /// The number of dates, the anchor included; nil if there is no end.
  package let count: Int?
  /// Whether a day that its month lacks becomes the last day of the month.
  ///
  /// Otherwise, the date on the missing day is omitted. Only monthly and yearly rules have such days. Days counted from
  /// the end of the month are always omitted.
  package let skipsBackward: Bool
  package let basis: Basis
  /// Whether each missed date must be closed separately.
  package let keepsMissed: Bool

  /// The number of days in the years 1 to 9999; larger intervals and counts would be useless.
  package static let most = 3_652_059

  /// Creates a rule, with its lists sorted and without duplicates.
  package init(
    _ frequency: Frequency, interval: Int = 1, months: [Int] = [], monthDays: [Int] = [],
    days: [Day] = [], count: Int? = nil, skipsBackward: Bool = false, basis: Basis = .due,
    keepsMissed: Bool = false
  ) throws(RepeatRuleError) {
    try Self.check(interval, 1...Self.most, of: "INTERVAL")
    if let count { try Self.check(count, 1...Self.most, of: "COUNT") }
    for month in months { try Self.check(month, 1...12, of: "BYMONTH") }
    for day in monthDays { try Self.check(abs(day), 1...31, of: "BYMONTHDAY", day) }
    for case let ordinal? in days.map(\.ordinal) {
      guard frequency == .monthly else { throw .ordinalOutsideMonth }
      try Self.check(abs(ordinal), 1...5, of: "BYDAY", ordinal)
    }
    if frequency == .weekly, !monthDays.isEmpty { throw .monthDayInWeek }
    self.frequency = frequency
    self.interval = interval
    self.months = Set(months).sorted()
    self.monthDays = Set(monthDays).sorted { Self.place($0) < Self.place($1) }
    self.days = Set(days).sorted {
      (Self.place($0.ordinal ?? 0), $0.weekday.rawValue)
        < (Self.place($1.ordinal ?? 0), $1.weekday.rawValue)
    }
    self.count = count
    self.skipsBackward = skipsBackward
    self.basis = basis
    self.keepsMissed = keepsMissed
  }

  private static func check(
    _ number: Int, _ range: ClosedRange<Int>, of part: String, _ shown: Int? = nil
  ) throws(RepeatRuleError) {
    guard range.contains(number) else { throw .badValue(part, String(shown ?? number)) }
  }

  /// The sort position of a number; numbers that count from the end come after the others.
  private static func place(_ number: Int) -> Int { number < 0 ? number + 1_000 : number }

  private init(_ other: RepeatRule, count: Int?, skipsBackward: Bool) {
    frequency = other.frequency
    interval = other.interval
    months = other.months
    monthDays = other.monthDays
    days = other.days
    self.count = count
    self.skipsBackward = skipsBackward
    basis = other.basis
    keepsMissed = other.keepsMissed
  }

  /// The rule with a changed ``skipsBackward``.
  package func skippingBackward(_ skipsBackward: Bool) -> RepeatRule {
    RepeatRule(self, count: count, skipsBackward: skipsBackward)
  }

  /// The rule without an end.
  package var endless: RepeatRule {
    RepeatRule(self, count: nil, skipsBackward: skipsBackward)
  }

  /// Whether a month can lack a day that the rule names or, if it names none, the day of its anchor.
  ///
  /// Commands call this method once the anchor is known, and set ``skipsBackward`` if the result is true. A rule that
  /// counts from the day of closing may later count from any day.
  package func canMissDays(anchor: CivilDate) -> Bool {
    let daysNamed: [Int]
    switch frequency {
    case .daily, .weekly: return false
    case .monthly, .yearly:
      if !monthDays.isEmpty {
        daysNamed = monthDays
      } else if !days.isEmpty {
        return false
      } else if basis == .done {
        daysNamed = [31]
      } else {
        daysNamed = [anchor.day ?? 1]
      }
    }
    return daysNamed.contains { day in
      monthsNamed(anchor).contains { day > CivilDate.days(inMonth: $0, of: 1) }
    }
  }

  /// Whether months can lack a day of the rule, for some anchor.
  package var canEverMissDays: Bool {
    [CivilDate(valid: 2000, 1, 31), CivilDate(valid: 2000, 2, 29)].contains { anchor in
      canMissDays(anchor: anchor)
    }
  }

  private func monthsNamed(_ anchor: CivilDate) -> [Int] {
    if !months.isEmpty { return months }
    let isOfAnchor = frequency == .yearly && monthDays.isEmpty && basis != .done
    return isOfAnchor ? [anchor.month ?? 1] : Array(1...12)
  }
}

/// The reason why text is not a rule that daybook supports.
package enum RepeatRuleError: Error, Hashable, Sendable {
  /// The text is not a list of `NAME=VALUE` parts separated by semicolons.
  case unreadable(String)
  case noFrequency
  /// daybook does not support the part.
  case unsupported(part: String)
  /// daybook supports the part, but not with this value.
  case badValue(_ part: String, String)
  case repeated(part: String)
  /// `1MO` is possible only in a monthly rule.
  case ordinalOutsideMonth
  /// RFC 5545 forbids BYMONTHDAY in a weekly rule.
  case monthDayInWeek
  /// The parts are not in the order of the canonical text, or are written differently.
  case notCanonical(String)
}
