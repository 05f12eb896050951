/// A day of the week, numbered as in ISO 8601.
package enum Weekday: Int, Sendable {
  case monday = 1
  case tuesday, wednesday, thursday, friday, saturday, sunday
}

extension CivilDate {
  /// The number of days from 0001-01-01 to 1970-01-01.
  private static let daysBeforeEpoch = 719_162

  /// Creates the date that is the given number of days after 1970-01-01; nil outside the years 1 to 9999.
  package init?(epochDay: Int) {
    guard (-Self.daysBeforeEpoch...2_932_896).contains(epochDay) else { return nil }
    let days = epochDay + Self.daysBeforeEpoch
    // There are 146,097 days in 400 years. The estimated year is never too late, and is too early by at most one.
    var year = days * 400 / 146_097 + 1
    while year < Self.years.upperBound, Self.daysBefore(year: year + 1) <= days { year += 1 }
    var day = days - Self.daysBefore(year: year) + 1
    var month = 1
    while day > Self.days(inMonth: month, of: year) {
      day -= Self.days(inMonth: month, of: year)
      month += 1
    }
    self.init(valid: year, month, day)
  }

  /// Creates the UTC date of an instant in milliseconds since 1970; nil outside the years 1 to 9999.
  package init?(ofInstant milliseconds: Int64) {
    let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
    self.init(epochDay: Int(remainder < 0 ? quotient - 1 : quotient))
  }

  /// The number of days since 1970-01-01; nil unless year, month and day are known.
  package var epochDay: Int? {
    guard let year, let month, let day else { return nil }
    var days = Self.daysBefore(year: year) + day - 1
    for earlier in 1..<month { days += Self.days(inMonth: earlier, of: year) }
    return days - Self.daysBeforeEpoch
  }

  package var weekday: Weekday? {
    guard let epochDay else { return nil }
    // 0001-01-01 was a Monday.
    return Weekday(rawValue: (epochDay + Self.daysBeforeEpoch) % 7 + 1)
  }

  package func days(since earlier: CivilDate) -> Int? {
    guard let epochDay, let start = earlier.epochDay else { return nil }
    return epochDay - start
  }

  /// The date the given number of days later; nil if a part is unknown or the year would be outside 1 to 9999.
  package func adding(days: Int) -> CivilDate? {
    guard let epochDay else { return nil }
    let (sum, overflows) = epochDay.addingReportingOverflow(days)
    return overflows ? nil : CivilDate(epochDay: sum)
  }

  private static func daysBefore(year: Int) -> Int {
    let before = year - 1
    return before * 365 + before / 4 - before / 100 + before / 400
  }
}
