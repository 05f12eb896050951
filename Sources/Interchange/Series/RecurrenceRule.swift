internal import Domain

/// The rule of a series as an RFC 5545 RRULE, which has no `SKIP`.
struct RecurrenceRule: Equatable {
  /// The rule without its end, and without the parts that exist only in daybook or RFC 7529.
  private var rule: RepeatRule
  /// The part BYSETPOS: the positions of the dates among the candidate days of a month.
  private var positions: [Int] = []

  /// The value of the RRULE, without its end.
  var text: String {
    let places = positions.map(String.init).joined(separator: ",")
    return rule.text + (places.isEmpty ? "" : ";BYSETPOS=\(places)")
  }

  /// Creates the rule with the same dates; nil if there is none.
  ///
  /// - Parameters:
  ///   - rule: The rule of the series. If it counts from the day of closing, its dates are those that result if each
  ///     date is closed when it is due.
  ///   - anchor: The first slot.
  init?(_ rule: RepeatRule, anchor: CivilDate) {
    guard let bare = rule.replacing(days: rule.daysOfOneKind) else { return nil }
    self.rule = bare
    guard rule.skipsBackward else { return }
    let days = MovedDays(rule, anchor: anchor)
    guard days.canMove else { return }
    if let same = days.withoutPositions, let plain = days.rule(bare, on: same, bare.frequency) {
      self.rule = plain
      return
    }
    guard let (same, positions) = days.withPositions, let frequency = days.frequencyByMonth,
      let plain = days.rule(bare, on: same, frequency)
    else { return nil }
    (self.rule, self.positions) = (plain, positions)
  }
}

/// The month days of a rule whose dates move back to the last day in months that lack them.
private struct MovedDays {
  private let rule: RepeatRule
  private let days: [Int]
  private let months: [Int]
  /// Whether the rule takes its day of the month from the anchor.
  private let isOfAnchor: Bool

  init(_ rule: RepeatRule, anchor: CivilDate) {
    self.rule = rule
    isOfAnchor = rule.monthDays.isEmpty
    days = rule.monthDays.isEmpty ? [anchor.day ?? 1] : rule.monthDays
    if !rule.months.isEmpty {
      months = rule.months
    } else if rule.frequency == .yearly, isOfAnchor {
      months = [anchor.month ?? 1]
    } else {
      months = Array(1...12)
    }
  }

  /// Whether any month lacks one of the days.
  var canMove: Bool {
    guard rule.frequency == .monthly || rule.frequency == .yearly,
      !rule.monthDays.isEmpty || rule.days.isEmpty
    else { return false }
    return months.contains { month in days.contains { $0 > Self.fewest(month) } }
  }

  private static func fewest(_ month: Int) -> Int { CivilDate.days(inMonth: month, of: 1) }

  /// The days of the month that yield the same dates without positions: a day that every month either lacks or ends
  /// with becomes the last day.
  var withoutPositions: [Int]? {
    let longest = months.map { CivilDate.days(inMonth: $0, of: nil) }.max() ?? 31
    // In a month that lacks another of the days, that day also becomes the last day.
    guard days.contains(where: { $0 >= longest }) else { return nil }
    return days.filter { $0 < longest } + [-1]
  }

  /// The days of the month, and the positions of the dates among them.
  ///
  /// For a late day such as the 30th, the date is the last of the days 28, 29 and 30 that the month has.
  var withPositions: (days: [Int], positions: [Int])? {
    let others = days.filter { $0 <= 28 }
    guard let late = days.first(where: { $0 > 28 }), days.count == others.count + 1,
      others.allSatisfy({ $0 > 0 }), rule.days.isEmpty
    else { return nil }
    return (
      Array(Set(others + Array(28...late))).sorted(), Array(others.indices.map { $0 + 1 }) + [-1]
    )
  }

  /// The frequency with which positions count within a month; nil if there is none.
  var frequencyByMonth: RepeatRule.Frequency? {
    rule.frequency == .monthly || rule.interval == 1 ? .monthly : nil
  }

  /// Returns a rule with other days of the month.
  func rule(
    _ rule: RepeatRule, on days: [Int], _ frequency: RepeatRule.Frequency
  ) -> RepeatRule? {
    let isOneMonth = months.count == 1 || !self.rule.months.isEmpty
    return rule.replacing(frequency, months: isOneMonth ? months : [], monthDays: days)
  }
}

extension RepeatRule {
  /// Returns the rule with other parts, and without an end; nil if there is no such rule.
  func replacing(
    _ frequency: Frequency? = nil, interval: Int? = nil, months: [Int]? = nil,
    monthDays: [Int]? = nil, days: [Day]? = nil, skipsBackward: Bool = false,
    basis: Basis = .due, keepsMissed: Bool = false, count: Int? = nil
  ) -> RepeatRule? {
    // The parts of the original rule fit together, so an error means only that the new parts do not.
    try? RepeatRule(
      frequency ?? self.frequency, interval: interval ?? self.interval,
      months: months ?? self.months, monthDays: monthDays ?? self.monthDays,
      days: days ?? self.days,
      count: count, skipsBackward: skipsBackward, basis: basis, keepsMissed: keepsMissed)
  }

  /// The days of the week; if one of them has an ordinal, all of them get ordinals.
  ///
  /// `MO,2TU` means each Monday and the second Tuesday, but some libraries find only the dates that both have in
  /// common.
  fileprivate var daysOfOneKind: [Day] {
    guard days.contains(where: { $0.ordinal != nil }) else { return days }
    return days.flatMap { day in
      day.ordinal == nil ? (1...5).map { Day(day.weekday, ordinal: $0) } : [day]
    }
  }
}
