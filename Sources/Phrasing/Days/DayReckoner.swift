import Domain

/// Finds the day that a phrase means.
struct DayReckoner {
  /// The current day; if it is nil, only calendar dates are recognized.
  let today: CivilDate?
  /// Whether a day without a year, month or week means the last such day rather than the next one.
  var looksBack = false

  /// Returns the day; nil if there is no current day, or if the day is outside the years 1 to 9999.
  ///
  /// - Throws: ``DayFault`` if the calendar does not contain the day.
  func day(_ meaning: DayMeaning, _ values: SlotValues) throws(DayFault) -> CivilDate? {
    // The century of a two-digit year is uncertain.
    if let year = values[.year], year < 100 { throw .shortYear }
    return switch meaning {
    case .days(let days): today?.adding(days: days)
    case .distance(let sign): distance(sign, values)
    case .weekday, .coming, .comingLater, .previous, .inWeek, .weekend: weekday(meaning, values)
    case .first(let unit, let count): first(of: unit, count)
    case .last(let unit, let count): first(of: unit, count + 1)?.adding(days: -1)
    case .nextDay: try nextDay(values)
    case .inMonth(let months): try date(inMonthOf: first(of: .month, months), values)
    case .date: try date(values[.year], values[.month], values[.day])
    case .inYear(let years):
      try date(in: first(of: .year, years)?.year, values)
    case .holiday(let month, let day): try date(nil, month, day)
    case .part(let part): partDay(part, values)
    case .whole, .wholeMonth: nil
    case .nth: nth(values)
    case .nthInMonth(let months): nth(values, in: first(of: .month, months))
    case .week: try WeekFinder(today: today, looksBack: looksBack).day(values)
    case .yearDay: try yearDay(values)
    }
  }

  private func distance(_ sign: Int, _ values: SlotValues) -> CivilDate? {
    guard let number = values[.number], let unit = values[.unit].flatMap(DayUnit.init) else {
      return nil
    }
    return today?.moved(by: sign * number, unit)
  }

  private func weekday(_ meaning: DayMeaning, _ values: SlotValues) -> CivilDate? {
    guard let today, let current = today.weekday?.rawValue else { return nil }
    if case .weekend = meaning {
      return today.adding(days: max(0, Weekday.saturday.rawValue - current))
    }
    guard let wanted = values[.weekday] else { return nil }
    let coming = (wanted - current + 6) % 7 + 1
    let last = coming == 7 ? -7 : coming - 7
    return switch meaning {
    case .weekday: today.adding(days: looksBack ? last : coming)
    case .coming(let weeks): today.adding(days: coming + 7 * weeks)
    case .comingLater: values[.number].flatMap { today.adding(days: coming + 7 * $0) }
    case .previous: today.adding(days: last)
    case .inWeek(let weeks): today.adding(days: wanted - current + 7 * weeks)
    default: nil
    }
  }

  /// Returns the first day of the week, month or year that is `count` such units after the current one.
  fileprivate func first(of unit: DayUnit, _ count: Int) -> CivilDate? {
    guard let today, let year = today.year, let month = today.month,
      let weekday = today.weekday?.rawValue
    else { return nil }
    let start: CivilDate? =
      switch unit {
      case .day: today
      case .week: today.adding(days: 1 - weekday)
      case .month: .known(year, month, 1)
      case .year: .known(year, 1, 1)
      }
    return start?.moved(by: count, unit)
  }

  private func nextDay(_ values: SlotValues) throws(DayFault) -> CivilDate? {
    guard let today, let day = values[.day] else { return nil }
    do throws(CivilDateError) { _ = try CivilDate(day: day) } catch { throw .date(error) }
    // No two consecutive months both lack the same day.
    for distance in 0...2 {
      guard let first = first(of: .month, looksBack ? -distance : distance),
        let year = first.year, let month = first.month,
        let found = CivilDate.known(year, month, day), looksBack ? found < today : found > today
      else { continue }
      return found
    }
    return nil
  }

  private func date(
    inMonthOf first: CivilDate?, _ values: SlotValues
  ) throws(DayFault) -> CivilDate? {
    guard let first else { return nil }
    return try date(first.year, first.month, values[.day])
  }

  private func date(in year: Int?, _ values: SlotValues) throws(DayFault) -> CivilDate? {
    guard let year else { return nil }
    return try date(year, values[.month], values[.day])
  }

  private func date(_ year: Int?, _ month: Int?, _ day: Int?) throws(DayFault) -> CivilDate? {
    do throws(CivilDateError) { return try CivilDate(year: year, month: month, day: day) } catch {
      throw .date(error)
    }
  }

  /// Returns the weekday at a position in its month; without a year, the nearest such day from today on.
  private func nth(_ values: SlotValues) -> CivilDate? {
    guard let month = values[.month] else { return nil }
    if let year = values[.year] { return nth(values, in: .known(year, month, 1)) }
    return nearest { year in nth(values, in: .known(year, month, 1)) }
  }

  /// Returns the first such day from today on, in this year or the next.
  ///
  /// When looking back, returns the last such day up to today, in this year or the previous one.
  private func nearest(_ day: (Int) -> CivilDate?) -> CivilDate? {
    guard let today, let year = today.year else { return nil }
    let days = [year, looksBack ? year - 1 : year + 1].compactMap(day)
    return days.first { looksBack ? $0 <= today : $0 >= today }
  }

  private func partDay(_ part: MonthPart, _ values: SlotValues) -> CivilDate? {
    guard let month = values[.month] else { return nil }
    let year = values[.year]
    switch part {
    // A month and a day are valid with or without a year.
    case .beginning: return try? CivilDate(year: year, month: month, day: 1)
    case .middle: return try? CivilDate(year: year, month: month, day: 15)
    case .end:
      // The last day of the month can differ between years.
      if let year { return CivilDate.known(year, month, 1)?.lastDayOfMonth }
      return nearest { CivilDate.known($0, month, 1)?.lastDayOfMonth }
    }
  }

  private func nth(_ values: SlotValues, in first: CivilDate?) -> CivilDate? {
    guard let first, let start = first.weekday?.rawValue, let wanted = values[.weekday],
      let ordinal = values[.ordinal], let last = first.lastDayOfMonth
    else { return nil }
    if ordinal == Slot.lastOrdinal, let end = last.weekday?.rawValue {
      return last.adding(days: -((end - wanted + 7) % 7))
    }
    return first.adding(days: (wanted - start + 7) % 7 + 7 * (ordinal - 1))
  }

  private func yearDay(_ values: SlotValues) throws(DayFault) -> CivilDate? {
    guard let year = values[.year], let day = values[.yearDay], year > 0 else { return nil }
    let days = CivilDate.isLeap(year) ? 366 : 365
    guard (1...days).contains(day) else { throw .yearHas(year, days, "days") }
    return CivilDate.known(year, 1, 1)?.adding(days: day - 1)
  }
}

// MARK: Spans

extension DayReckoner {
  /// Returns the packed dates of the whole week, month or year that a phrase means; nil if it means a day.
  func span(_ meaning: DayMeaning, _ values: SlotValues) throws(DayFault) -> ClosedRange<Int64>? {
    switch meaning {
    case .first(let unit, let count), .whole(let unit, let count): span(of: unit, count)
    case .wholeMonth: monthSpan(values)
    case .week where values[.weekday] == nil:
      try days(from: WeekFinder(today: today, looksBack: looksBack).day(values), 7)
    case .weekend: weekendSpan
    default: nil
    }
  }

  private func span(of unit: DayUnit, _ count: Int) -> ClosedRange<Int64>? {
    guard let first = first(of: unit, count), let year = first.year, let month = first.month else {
      return nil
    }
    switch unit {
    case .day: return first.span
    case .week: return days(from: first, 7)
    // These ranges also contain to-dos that are due in the month or year, but on no particular day.
    case .month: return (try? CivilDate(year: year, month: month))?.span
    case .year: return (try? CivilDate(year: year))?.span
    }
  }

  /// Returns the month; without a year, the next such month that has not ended.
  private func monthSpan(_ values: SlotValues) -> ClosedRange<Int64>? {
    guard let month = values[.month] else { return nil }
    let end = nearest { CivilDate.known($0, month, 1)?.lastDayOfMonth }
    guard let year = values[.year] ?? end?.year else { return nil }
    return (try? CivilDate(year: year, month: month))?.span
  }

  private var weekendSpan: ClosedRange<Int64>? {
    guard let today, let weekday = today.weekday else { return nil }
    let saturday = today.adding(days: Weekday.saturday.rawValue - weekday.rawValue)
    return days(from: saturday, 2)
  }

  private func days(from first: CivilDate?, _ count: Int) -> ClosedRange<Int64>? {
    guard let first, let last = first.adding(days: count - 1) else { return nil }
    return first.packed...last.packed
  }
}

/// Finds days by the weeks of ISO 8601, which begin on Monday.
///
/// The first week of a year contains 4 January.
private struct WeekFinder {
  let today: CivilDate?
  let looksBack: Bool

  /// Returns the day.
  ///
  /// Without a year, the week is the first such week that has not ended or, when looking back, the last such week that
  /// has begun.
  func day(_ values: SlotValues) throws(DayFault) -> CivilDate? {
    guard let week = values[.week] else { return nil }
    let weekday = values[.weekday]
    if let year = values[.year] {
      guard let monday = Self.monday(of: week, year) else {
        throw .yearHas(year, Self.monday(of: 53, year) == nil ? 52 : 53, "weeks")
      }
      return monday.adding(days: (weekday ?? 1) - 1)
    }
    guard (1...53).contains(week) else { throw .yearHas(nil, 53, "weeks") }
    guard let today, let year = today.year else { return nil }
    // A week 53 occurs every five or six years, or after seven years at the latest.
    let years = looksBack ? Array((year - 8...year + 1).reversed()) : Array(year - 1...year + 8)
    for year in years {
      guard let monday = Self.monday(of: week, year),
        let start = monday.adding(days: (weekday ?? 1) - 1),
        let end = monday.adding(days: (weekday ?? 7) - 1),
        looksBack ? start <= today : end >= today
      else { continue }
      return start
    }
    return nil
  }

  private static func monday(of week: Int, _ year: Int) -> CivilDate? {
    guard week >= 1, let fourth = CivilDate.known(year, 1, 4), let weekday = fourth.weekday,
      let monday = fourth.adding(days: 1 - weekday.rawValue + 7 * (week - 1))
    else { return nil }
    // A week belongs to the year of its Thursday.
    return monday.adding(days: 3)?.year == year ? monday : nil
  }
}

extension CivilDate {
  /// Returns the date, or nil if it does not exist.
  fileprivate static func known(_ year: Int, _ month: Int, _ day: Int) -> CivilDate? {
    // The caller does not need the reason.
    try? CivilDate(year: year, month: month, day: day)
  }

  fileprivate var lastDayOfMonth: CivilDate? {
    guard let year, let month else { return nil }
    return Self.known(year, month, Self.days(inMonth: month, of: year))
  }

  /// Returns the date the given number of units later.
  ///
  /// If the month lacks the day, its last day is used.
  fileprivate func moved(by count: Int, _ unit: DayUnit) -> CivilDate? {
    switch unit {
    case .day: adding(days: count)
    case .week: adding(days: 7 * count)
    case .month: adding(months: count)
    case .year: adding(months: 12 * count)
    }
  }

  private func adding(months: Int) -> CivilDate? {
    guard let year, let month, let day else { return nil }
    let sum = year * 12 + month - 1 + months
    guard sum >= 12 else { return nil }
    let last = Self.days(inMonth: sum % 12 + 1, of: sum / 12)
    // This date can be invalid only if the year is outside the calendar.
    return Self.known(sum / 12, sum % 12 + 1, min(day, last))
  }
}
