/// Days of the proleptic Gregorian calendar as numbers since 1970.
package enum CalendarDays {
  static func isLeap(_ year: Int64) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  /// The lengths of the twelve months.
  private static func monthLengths(of year: Int64) -> [Int64] {
    [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  }

  /// The day that contains a time in seconds since 1970.
  package static func day(of time: Int64) -> Int64 { floor(time, 86_400) }

  /// The day of 1 January in a year.
  static func day(ofYear year: Int64) -> Int64 {
    let before = year - 1
    return before * 365 + floor(before, 4) - floor(before, 100) + floor(before, 400) - 719_162
  }

  static func year(ofDay day: Int64) -> Int64 {
    // There are 146,097 days in 400 years. The quotient is at most one year off.
    var year = floor((day + 719_162) * 400, 146_097) + 1
    while Self.day(ofYear: year) > day { year -= 1 }
    while Self.day(ofYear: year + 1) <= day { year += 1 }
    return year
  }

  static func day(ofWeekday weekday: Int, week: Int, month: Int, year: Int64) -> Int64 {
    let lengths = monthLengths(of: year)
    let first = day(ofYear: year) + lengths[..<(month - 1)].reduce(0, +)
    let ahead = (Int64(weekday) - Int64(self.weekday(ofDay: first)) + 7) % 7
    let day = ahead + Int64(week - 1) * 7
    return first + (day < lengths[month - 1] ? day : day - 7)
  }

  /// The weekday of a day, where 0 is Sunday.
  package static func weekday(ofDay day: Int64) -> Int {
    // 1 January 1970 was a Thursday.
    Int(floorRemainder(day + 4, 7))
  }

  /// The day of a date; nil if there is no such date.
  package static func day(year: Int64, month: Int, day: Int) -> Int64? {
    guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
    let lengths = monthLengths(of: year)
    guard (1...lengths[month - 1]).contains(Int64(day)) else { return nil }
    return self.day(ofYear: year) + lengths[..<(month - 1)].reduce(0, +) + Int64(day) - 1
  }

  /// The date of a day.
  package static func date(ofDay day: Int64) -> (year: Int64, month: Int, day: Int) {
    let year = year(ofDay: day)
    var (month, rest) = (1, day - self.day(ofYear: year))
    for length in monthLengths(of: year) {
      guard rest >= length else { break }
      (month, rest) = (month + 1, rest - length)
    }
    return (year, month, Int(rest) + 1)
  }

  private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  private static func floorRemainder(_ number: Int64, _ divisor: Int64) -> Int64 {
    number - floor(number, divisor) * divisor
  }
}
