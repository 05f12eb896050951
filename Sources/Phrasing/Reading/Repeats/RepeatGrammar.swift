import Domain
import Wording

/// Interprets the words of a repeat phrase as a rule.
struct RepeatGrammar {
  private let tokens: [RepeatToken]
  private var place = 0
  private var leads = 0
  private var keepsMissed = false
  private var basis = RepeatRule.Basis.due
  private(set) var omitsMissing = false
  private var interval: Int?
  private var unit: RepeatRule.Frequency?
  private var isOfMonth = false
  private var isInMonths = false
  private var found = FoundDays()

  /// The days and months that have been read.
  private struct FoundDays {
    var months: [Int] = []
    var monthDays: [Int] = []
    var days: [RepeatRule.Day] = []
    var yearDays: [YearDay] = []
    /// Ordinals whose day is not known yet.
    var pending: [Int] = []
    /// The ordinals of the last weekday, which also apply to the weekdays after it, as in `first mon and tue`.
    var shared: [Int] = []
  }

  private struct YearDay: Hashable {
    var month: Int
    var day: Int

    /// Throws if no year has the day, such as 30 February.
    func check() throws(RepeatFault) {
      do throws(CivilDateError) { _ = try CivilDate(month: month, day: day) } catch {
        throw .date("\(day) \(CivilDate.monthNames[month - 1])", .date(error))
      }
    }
  }

  init(_ tokens: [RepeatToken]) { self.tokens = tokens }

  /// Whether the words state that something repeats: `every`, `after done`.
  var isLed: Bool { leads > 0 || basis == .done }

  /// Returns the rule, without SKIP.
  mutating func rule(count: Int?) throws(RepeatFault) -> RepeatRule {
    while place < tokens.count { try take(tokens[place]) }
    flush()
    if !found.yearDays.isEmpty {
      for day in found.yearDays { try day.check() }
      found.months += Set(found.yearDays.map(\.month))
      found.monthDays += Set(found.yearDays.map(\.day))
      guard found.yearDays.count == Set(found.months).count * Set(found.monthDays).count
      else { throw .daysOfSeveralRules }
    }
    guard var frequency = unit ?? impliedUnit else { throw .unreadable(word: nil) }
    let hasOrdinals = found.days.contains { $0.ordinal != nil }
    // For a day such as the first Monday of January of each year, the rule is a monthly rule with BYMONTH.
    if frequency == .yearly, hasOrdinals, interval ?? 1 == 1 {
      frequency = .monthly
      if found.months.isEmpty {
        let meanings = try [[], [1]].map { months throws(RepeatFault) in
          try rule(frequency, in: months, count: nil).words(from: nil)
        }
        throw .severalMeanings(meanings)
      }
    }
    return try rule(frequency, in: found.months, count: count)
  }

  private func rule(
    _ frequency: RepeatRule.Frequency, in months: [Int], count: Int?
  ) throws(RepeatFault) -> RepeatRule {
    do throws(RepeatRuleError) {
      return try RepeatRule(
        frequency, interval: interval ?? 1, months: months, monthDays: found.monthDays,
        days: found.days,
        count: count, basis: basis, keepsMissed: keepsMissed)
    } catch {
      throw .rule(error)
    }
  }

  private var impliedUnit: RepeatRule.Frequency? {
    if !found.yearDays.isEmpty { return .yearly }
    if isOfMonth || !found.monthDays.isEmpty || found.days.contains(where: { $0.ordinal != nil }) {
      return .monthly
    }
    return found.days.isEmpty ? nil : .weekly
  }

  private func token(_ distance: Int) -> RepeatToken? {
    tokens.indices.contains(place + distance) ? tokens[place + distance] : nil
  }

  private var isAfterLead: Bool { if case .every? = token(-1) { true } else { false } }

  /// Treats ordinals without a weekday as days of the month.
  private mutating func flush() {
    found.monthDays += found.pending
    (found.pending, found.shared) = ([], [])
  }

  private mutating func take(_ token: RepeatToken) throws(RepeatFault) {
    let wasInMonths = isInMonths
    isInMonths = false
    switch token {
    case .every(let keepsMissed, let countsFromDone):
      leads += 1
      self.keepsMissed = self.keepsMissed || keepsMissed
      if countsFromDone { basis = .done }
    case .number(let number): try take(number: number)
    case .ordinal(let number): try take(ordinal: number)
    case .unit(let unit, let count): try take(unit, count)
    case .other: try takeOther()
    case .weekdays(let weekdays): try take(weekdays)
    case .month(let month): try take(month: month, isListed: wasInMonths)
    case .inMonths:
      flush()
      isInMonths = true
    case .of: isInMonths = found.pending.isEmpty
    case .ofMonth: isOfMonth = true
    case .falling: flush()
    case .afterDone: basis = .done
    case .fromStart: if basis != .done { basis = .start }
    case .omitting: omitsMissing = true
    }
    place += 1
  }

  private mutating func take(_ unit: RepeatRule.Frequency, _ count: Int) throws(RepeatFault) {
    if !found.pending.isEmpty { flush() }
    guard self.unit == nil || self.unit == unit && count == 1 && interval == nil
    else { throw .unreadable(word: nil) }
    self.unit = unit
    if count > 1 { interval = count }
  }

  /// Takes a number with its noun: `2 weeks`, `24 dec`.
  private mutating func take(number: Int) throws(RepeatFault) {
    switch token(1) {
    case .unit(let unit, let count):
      guard self.unit == nil else { throw .unreadable(word: String(number)) }
      (interval, self.unit) = (number * count, unit)
      place += 1
    case .month: found.pending.append(number)
    default:
      throw .severalMeanings(["every \(number) days", "every month on the \(number.ordinal)"])
    }
  }

  /// Takes an ordinal with its noun: `last day`, `2nd week`, `15th`.
  private mutating func take(ordinal: Int) throws(RepeatFault) {
    guard case .unit(let unit, let count)? = token(1) else {
      found.pending.append(ordinal)
      return
    }
    let isInterval = isAfterLead && self.unit == nil && ordinal > 1 && token(2) != .ofMonth
    place += 1
    if isInterval {
      (interval, self.unit) = (ordinal * count, unit)
    } else {
      guard unit == .daily else { throw .unreadable(word: nil) }
      found.monthDays += found.pending + [ordinal]
      found.pending = []
    }
  }

  private mutating func takeOther() throws(RepeatFault) {
    guard interval == nil else { throw .unreadable(word: "other") }
    switch token(1) {
    case .unit(let unit, count: 1) where self.unit == nil:
      (interval, self.unit) = (2, unit)
      place += 1
    case .weekdays where self.unit == nil: (interval, self.unit) = (2, .weekly)
    default: throw .unreadable(word: "other")
    }
  }

  private mutating func take(_ weekdays: [Weekday]) throws(RepeatFault) {
    if found.pending == [2], unit == nil, !isOfMonth, let day = weekdays.first {
      // German and English speakers differ on whether this means every second week or the second week of the month.
      let followers = tokens[(place + 1)...]
      let hasMonth = followers.contains {
        switch $0 {
        case .ofMonth, .month, .unit(.monthly, _): true
        default: false
        }
      }
      guard hasMonth else {
        throw .severalMeanings([
          "every 2 weeks on \(day.shortName)", "every month on the second \(day.shortName)",
        ])
      }
    }
    if !found.pending.isEmpty { (found.shared, found.pending) = (found.pending, []) }
    for weekday in weekdays {
      if found.shared.isEmpty { found.days.append(RepeatRule.Day(weekday)) }
      found.days += found.shared.map { RepeatRule.Day(weekday, ordinal: $0) }
    }
  }

  /// Reads `in january`, `24 dec`, `dec 24`.
  ///
  /// A month alone means its first day.
  private mutating func take(month: Int, isListed: Bool) throws(RepeatFault) {
    if isListed || !found.days.isEmpty {
      found.months.append(month)
      isInMonths = true
    } else if !found.pending.isEmpty {
      found.yearDays += found.pending.map { YearDay(month: month, day: $0) }
      found.pending = []
    } else if let day = dayBehindMonth {
      found.yearDays.append(YearDay(month: month, day: day))
      place += 1
    } else if token(1) == nil || unit == nil && !isOrdinal(token(1)) {
      found.yearDays.append(YearDay(month: month, day: 1))
    } else {
      found.months.append(month)
    }
  }

  private func isOrdinal(_ token: RepeatToken?) -> Bool {
    if case .ordinal? = token { true } else { false }
  }

  /// The day in `dec 24`; nil for `12月第一个周一`.
  private var dayBehindMonth: Int? {
    let day: Int
    switch token(1) {
    case .number(let number), .ordinal(let number): day = number
    default: return nil
    }
    return switch token(2) {
    case .weekdays, .unit: nil
    default: day
    }
  }
}
