/// The dates of a rule, counted from an anchor.
///
/// They are the slots of a series, unless its rule counts from the day of closing. The anchor is the first date,
/// whether or not it fits the rule. Each date is computed, month by month, from the anchor rather than from the date
/// before it, so the cost of a query does not depend on the age of the series.
package struct RepeatDates: Sequence, Sendable {
  package let rule: RepeatRule
  package let anchor: CivilDate
  private let anchorDay: Int
  private let anchorMonth: Int

  /// Creates the dates; nil if the anchor lacks its year, month or day.
  package init?(_ rule: RepeatRule, anchor: CivilDate) {
    guard let day = anchor.epochDay, let year = anchor.year, let month = anchor.month
    else { return nil }
    self.rule = rule
    self.anchor = anchor
    anchorDay = day
    anchorMonth = year * 12 + month - 1
  }

  package struct Iterator: IteratorProtocol {
    fileprivate let dates: RepeatDates
    fileprivate var place = 0
    fileprivate var latest: Int?

    package mutating func next() -> CivilDate? {
      if let count = dates.rule.count, place >= count { return nil }
      let following = latest.map { dates.fitting(from: $0 + 1) } ?? dates.anchorDay
      guard let following else { return nil }
      (place, latest) = (place + 1, following)
      return CivilDate(epochDay: following)
    }
  }

  package func makeIterator() -> Iterator { Iterator(dates: self) }

  /// The first date on or after a day; nil if COUNT or the year 9999 ends the dates earlier.
  package func first(onOrAfter day: CivilDate) -> CivilDate? {
    guard let day = day.epochDay, day > anchorDay else { return anchor }
    guard let found = fitting(from: day).flatMap(CivilDate.init(epochDay:)) else { return nil }
    if let most = rule.count, count(through: found) > most { return nil }
    return found
  }

  /// The number of dates from the anchor through a day, regardless of COUNT.
  package func count(through day: CivilDate) -> Int {
    guard let end = day.epochDay, end >= anchorDay else { return 0 }
    return 1 + countFitting(from: anchorDay + 1, through: end)
  }

  /// The number of dates from one day up to, but not including, another, regardless of COUNT.
  package func count(from start: CivilDate, before end: CivilDate) -> Int {
    guard let start = start.epochDay, let end = end.epochDay, start < end, end > anchorDay
    else { return 0 }
    if start > anchorDay { return countFitting(from: start, through: end - 1) }
    return 1 + countFitting(from: anchorDay + 1, through: end - 1)
  }
}

// MARK: Queries without an anchor

extension RepeatRule {
  /// The first day on which the rule can fall, from the given day on and regardless of the rule's interval; this is the
  /// anchor of a to-do without a due date.
  package func firstDate(from day: CivilDate) -> CivilDate? {
    RepeatDates(self, anchor: day)?.firstInAnyPeriod(from: day)
  }

  /// Whether the rule can fall on a day: `every monday` on Mondays, `monthly` on all days.
  package func canFall(on day: CivilDate) -> Bool {
    guard day.isComplete else { return false }
    return firstDate(from: day) == day
  }

  /// The first due date of a to-do that gets the rule.
  ///
  /// - Parameters:
  ///   - given: The due date that the command sets, if it sets one.
  ///   - present: The present due date of the to-do; it is kept if the rule can fall on it.
  ///   - today: The day from which to search for a date otherwise; nil if it is unknown.
  /// - Returns: The due date.
  /// - Throws: ``Refusal`` if the given date lacks its year, month or day, or if there is no date to return.
  package func firstDue(
    given: CivilDate?, present: CivilDate?, today: CivilDate?
  ) throws(Refusal) -> CivilDate {
    if let given {
      guard given.isComplete else { throw .repeatsWithoutDue }
      return given
    }
    if let present, canFall(on: present) { return present }
    guard let today else { throw .repeatsWithoutDue }
    guard let first = firstDate(from: today) else { throw .neverRepeats }
    return first
  }
}

// MARK: Months

extension RepeatDates {
  fileprivate func firstInAnyPeriod(from day: CivilDate) -> CivilDate? {
    for index in anchorMonth...Swift.min(anchorMonth + 4_800, MonthDays.last) {
      let month = MonthDays(index: index)
      let days = named(in: month) & month.from(anchorDay)
      if days != 0 { return CivilDate(epochDay: month.first + days.trailingZeroBitCount - 1) }
    }
    return nil
  }

  /// The first day on or after the given day that fits the rule; nil if there is none.
  private func fitting(from day: Int) -> Int? {
    guard let date = CivilDate(epochDay: day), let year = date.year, let number = date.month
    else { return nil }
    var index = year * 12 + number - 1
    // The calendar repeats after 400 years, and a rule with interval n repeats after n times as many years.
    let last = Swift.min(MonthDays.last, index + 4_800 * rule.interval)
    while let found = aligned(from: index), found <= last {
      index = found + 1
      // Other months are skipped here, because the search would otherwise take much longer for a rule that does not
      // fall on any day.
      guard rule.months.isEmpty || rule.months.contains(found % 12 + 1) else { continue }
      let month = MonthDays(index: found)
      let days = days(in: month) & month.from(day)
      if days != 0 { return month.first + days.trailingZeroBitCount - 1 }
    }
    return nil
  }

  private func countFitting(from start: Int, through end: Int) -> Int {
    guard start <= end, let date = CivilDate(epochDay: start), let year = date.year,
      let number = date.month
    else { return 0 }
    var (index, sum) = (year * 12 + number - 1, 0)
    while let found = aligned(from: index) {
      let month = MonthDays(index: found)
      guard month.first <= end else { break }
      sum += (days(in: month) & month.from(start) & ~month.from(end + 1)).nonzeroBitCount
      index = found + 1
    }
    return sum
  }

  /// The first month, starting at the given month, that belongs to a period of the rule; nil after the year 9999.
  private func aligned(from index: Int) -> Int? {
    guard index <= MonthDays.last else { return nil }
    let found: Int
    switch rule.frequency {
    case .daily, .weekly:
      // Unless the interval is long, every month has days of a period.
      guard rule.interval > (rule.frequency == .daily ? 28 : 4) else { return index }
      let first = MonthDays(index: index).first
      let day = rule.frequency == .daily ? alignedDay(from: first) : alignedWeek(from: first)
      guard let date = CivilDate(epochDay: day), let year = date.year, let month = date.month
      else { return nil }
      found = year * 12 + month - 1
    case .monthly: found = index + (anchorMonth - index).modulo(rule.interval)
    case .yearly:
      let wait = (anchorMonth / 12 - index / 12).modulo(rule.interval)
      found = wait == 0 ? index : (index / 12 + wait) * 12
    }
    return found <= MonthDays.last ? found : nil
  }

  private func alignedDay(from day: Int) -> Int {
    day + (anchorDay - day).modulo(rule.interval)
  }

  private func alignedWeek(from day: Int) -> Int {
    let monday = MonthDays.monday(of: day)
    let weeks = ((MonthDays.monday(of: anchorDay) - monday) / 7).modulo(rule.interval)
    return Swift.max(day, monday + 7 * weeks)
  }

  /// The days of a month that fit the rule.
  private func days(in month: MonthDays) -> MonthDays.Days {
    let named = named(in: month)
    guard named != 0 else { return 0 }
    return switch rule.frequency {
    case .daily: named & month.daily(from: anchorDay, every: rule.interval)
    case .weekly: named & month.weekly(from: anchorDay, every: rule.interval)
    case .monthly, .yearly: named
    }
  }

  /// The days of a month that the rule names, or that it takes from the anchor.
  private func named(in month: MonthDays) -> MonthDays.Days {
    guard rule.months.isEmpty || rule.months.contains(month.number) else { return 0 }
    var days = month.all
    if !rule.monthDays.isEmpty { days &= monthDays(rule.monthDays, in: month) }
    if !rule.days.isEmpty {
      days &= rule.days.reduce(0) { days, day in
        days | (day.ordinal.map { month.day(day.weekday, ordinal: $0) } ?? month.each(day.weekday))
      }
    }
    guard rule.monthDays.isEmpty, rule.days.isEmpty else { return days }
    switch rule.frequency {
    case .daily: return days
    case .weekly: return anchor.weekday.map(month.each) ?? 0
    case .yearly where rule.months.isEmpty && month.number != anchor.month: return 0
    case .monthly, .yearly: return monthDays([anchor.day ?? 1], in: month)
    }
  }

  private func monthDays(_ numbers: [Int], in month: MonthDays) -> MonthDays.Days {
    let canMiss = rule.frequency == .monthly || rule.frequency == .yearly
    return numbers.reduce(0) { days, number in
      if number < 0 { return days | month.day(month.length + 1 + number) }
      return days
        | month.day(canMiss && rule.skipsBackward ? Swift.min(number, month.length) : number)
    }
  }
}
