import Domain

extension Book.RepeatRule {
  /// The unit of time in which the interval of a rule is counted.
  public enum Period: Hashable, Sendable, CaseIterable {
    /// A day.
    case day
    /// A week, which begins on Monday.
    case week
    /// A month.
    case month
    /// A year.
    case year
  }

  /// A day of the week.
  public enum Weekday: Int, Hashable, Sendable, CaseIterable {
    /// Monday.
    case monday = 1
    /// Tuesday.
    case tuesday
    /// Wednesday.
    case wednesday
    /// Thursday.
    case thursday
    /// Friday.
    case friday
    /// Saturday.
    case saturday
    /// Sunday.
    case sunday
  }

  /// A day of the week, or one such day in each month.
  public enum Day: Hashable, Sendable {
    /// Every day that falls on this weekday.
    case each(Weekday)
    /// One such weekday in each month: 1 to 5 for the first to the fifth, -1 to -5 for the last to the fifth-last.
    ///
    /// Only rules whose period is counted in months have such days.
    case nth(Int, Weekday)
  }

  /// The date from which the dates are counted.
  public enum Basis: Hashable, Sendable, CaseIterable {
    /// The first due date.
    case due
    /// The first start date.
    case start
    /// The day on which the last date was closed.
    case closing
  }

  /// Creates a rule.
  ///
  /// ```swift
  /// try Book.RepeatRule(.week)                                                  // every week
  /// try Book.RepeatRule(every: 2, .week, on: [.each(.monday), .each(.friday)])  // every second week
  /// try Book.RepeatRule(.month, on: [.nth(-1, .friday)])                        // on the last Friday of the month
  /// try Book.RepeatRule(.month, monthDays: [15, -1])                            // on the 15th and on the last day
  /// try Book.RepeatRule(every: 3, .day, from: .closing)                         // 3 days after the last closing
  /// ```
  ///
  /// If several parts name days, a date must fit all of them. If no part names days, the first due date determines the
  /// day of the week, of the month or of the year.
  ///
  /// - Parameters:
  ///   - interval: The number of periods from one period with dates to the next, from 1 to 3,652,059.
  ///   - period: The period.
  ///   - months: The months with dates, from 1 to 12; empty for all.
  ///   - monthDays: The days of the month, from 1 to 31, or from -1 for the last day to -31. A weekly rule has none.
  ///   - days: The days of the week.
  ///   - count: The number of dates, including the first, from 1 to 3,652,059; nil for no end. A rule whose dates are
  ///     counted from the closing ends after that many closed dates.
  ///   - takesLastDay: Whether a month that lacks the day uses its last day instead. Otherwise, such a month has no
  ///     date.
  ///   - basis: The date from which the dates are counted.
  ///   - keepsMissed: Whether each missed date must be closed separately. Otherwise, closing a date passes over the
  ///     missed dates.
  /// - Throws: ``Book/Failure`` if a number is out of its range, or there is no such rule.
  public init(
    every interval: Int = 1, _ period: Period, in months: [Int] = [], monthDays: [Int] = [],
    on days: [Day] = [], count: Int? = nil, takesLastDay: Bool = true, from basis: Basis = .due,
    keepsMissed: Bool = false
  ) throws(Book.Failure) {
    rule = try Self.failing { () throws(RepeatRuleError) in
      let rule = try Domain::RepeatRule(
        period.frequency, interval: interval, months: months, monthDays: monthDays,
        days: days.map(\.day), count: count, skipsBackward: takesLastDay, basis: basis.basis,
        keepsMissed: keepsMissed)
      return rule.skippingBackward(takesLastDay && rule.canEverMissDays)
    }
  }

  /// Reads a rule such as `FREQ=WEEKLY;BYDAY=MO`.
  ///
  /// The parts are FREQ from DAILY to YEARLY, INTERVAL, BYMONTH, BYMONTHDAY, BYDAY and COUNT of RFC 5545,
  /// SKIP=BACKWARD of RFC 7529, and daybook's own FROM=START, FROM=DONE and MISSED=KEEP. The end is not part of the
  /// rule; see ``RecordEdit/until(_:)``.
  ///
  /// - Parameter text: The parts in any order and case, separated by semicolons.
  /// - Throws: ``Book/Failure`` if the text is not a rule, or contains a part that is not supported.
  public init(_ text: String) throws(Book.Failure) {
    rule = try Self.failing { () throws(RepeatRuleError) in
      let (rule, until) = try Domain::RepeatRule.reading(text)
      if until != nil { throw .unsupported(part: "UNTIL") }
      return rule
    }
  }

  private static func failing(
    _ body: () throws(RepeatRuleError) -> Domain::RepeatRule
  ) throws(Book.Failure) -> Domain::RepeatRule {
    do throws(RepeatRuleError) { return try body() } catch {
      throw Book.Failure(.refused(.badValue(.todo, Field.Todo.repeat, .notARule(error))))
    }
  }
}

// MARK: - Parts

extension Book.RepeatRule: CustomStringConvertible {
  /// The period that ``interval`` counts.
  public var period: Period { Period(rule.frequency) }
  /// The number of periods from one period with dates to the next.
  public var interval: Int { rule.interval }
  /// The months with dates, ascending; empty for all.
  public var months: [Int] { rule.months }
  /// The days of the month, ascending; those that count from the end of the month are negative and come last.
  public var monthDays: [Int] { rule.monthDays }
  /// The days of the week: first those without a place in the month, then the others by their place in the month.
  public var days: [Day] { rule.days.map(Day.init) }
  /// The number of dates, including the first; nil for no end.
  public var count: Int? { rule.count }
  /// Whether a month that lacks the day uses its last day instead; also false if no month lacks the day.
  public var takesLastDay: Bool { rule.skipsBackward }
  /// The date from which the dates are counted.
  public var basis: Basis { Basis(rule.basis) }
  /// Whether each missed date must be closed separately.
  public var keepsMissed: Bool { rule.keepsMissed }

  /// The rule as text, such as `FREQ=WEEKLY;BYDAY=MO`.
  public var description: String { rule.text }

  /// Reads the rule of a to-do; nil if the to-do does not repeat.
  init?(stored text: String?) {
    guard let rule = text.flatMap({ Domain::RepeatRule(canonicalIfValid: $0) }) else { return nil }
    self.rule = rule
  }
}

extension Book.RepeatRule.Period {
  fileprivate init(_ frequency: Domain::RepeatRule.Frequency) {
    self =
      switch frequency {
      case .daily: .day
      case .weekly: .week
      case .monthly: .month
      case .yearly: .year
      }
  }

  fileprivate var frequency: Domain::RepeatRule.Frequency {
    switch self {
    case .day: .daily
    case .week: .weekly
    case .month: .monthly
    case .year: .yearly
    }
  }
}

extension Book.RepeatRule.Weekday {
  fileprivate init(_ weekday: Domain::Weekday) {
    self = Self.allCases[weekday.rawValue - 1]
  }

  fileprivate var weekday: Domain::Weekday {
    switch self {
    case .monday: .monday
    case .tuesday: .tuesday
    case .wednesday: .wednesday
    case .thursday: .thursday
    case .friday: .friday
    case .saturday: .saturday
    case .sunday: .sunday
    }
  }
}

extension Book.RepeatRule.Day {
  fileprivate init(_ day: Domain::RepeatRule.Day) {
    let weekday = Book.RepeatRule.Weekday(day.weekday)
    self = day.ordinal.map { .nth($0, weekday) } ?? .each(weekday)
  }

  fileprivate var day: Domain::RepeatRule.Day {
    switch self {
    case .each(let weekday): Domain::RepeatRule.Day(weekday.weekday)
    case .nth(let place, let weekday): Domain::RepeatRule.Day(weekday.weekday, ordinal: place)
    }
  }
}

extension Book.RepeatRule.Basis {
  fileprivate init(_ basis: Domain::RepeatRule.Basis) {
    self =
      switch basis {
      case .due: .due
      case .start: .start
      case .done: .closing
      }
  }

  fileprivate var basis: Domain::RepeatRule.Basis {
    switch self {
    case .due: .due
    case .start: .start
    case .closing: .done
    }
  }
}
