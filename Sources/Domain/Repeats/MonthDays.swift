/// A month of a year, whose days are represented as sets of bits in which bit 1 is the first day.
struct MonthDays {
  typealias Days = UInt64

  /// The number of months since January of the year 0.
  let index: Int
  /// The day number of the first of the month, counted from 1970-01-01.
  let first: Int
  let length: Int

  static let last = 9999 * 12 + 11

  /// Creates a month of the years 1 to 9999.
  init(index: Int) {
    self.index = index
    let date = CivilDate(valid: index / 12, index % 12 + 1, 1)
    first = date.epochDay ?? 0
    length = CivilDate.days(inMonth: index % 12 + 1, of: index / 12)
  }

  var year: Int { index / 12 }
  var number: Int { index % 12 + 1 }
  var all: Days { (1 << Days(length + 1)) - 2 }

  /// The days on or after a day.
  func from(_ day: Int) -> Days {
    guard day > first else { return all }
    let passed = day - first
    return passed >= length ? 0 : all & (Days.max << Days(passed + 1))
  }

  /// The single day, or none if the month lacks it.
  func day(_ number: Int) -> Days {
    (1...length).contains(number) ? 1 << Days(number) : 0
  }

  /// All Mondays, or all Tuesdays, and so on.
  func each(_ weekday: Weekday) -> Days {
    all & (0b1_0000001_0000001_0000001_0000001 << Days(firstDay(weekday)))
  }

  /// A day of the week with an ordinal, such as the first Monday or the last Friday; none if the month has fewer.
  func day(_ weekday: Weekday, ordinal: Int) -> Days {
    let start = firstDay(weekday)
    let place = ordinal > 0 ? ordinal - 1 : (length - start) / 7 + 1 + ordinal
    return place < 0 ? 0 : day(start + 7 * place)
  }

  /// The days whose distance from the anchor is a multiple of the interval.
  func daily(from anchor: Int, every interval: Int) -> Days {
    var days: Days = 0
    var number = (anchor - first).modulo(interval) + 1
    while number <= length {
      days |= 1 << Days(number)
      number += interval
    }
    return days
  }

  /// The days in weeks whose distance from the week of the anchor is a multiple of the interval.
  ///
  /// Weeks begin on Monday.
  func weekly(from anchor: Int, every interval: Int) -> Days {
    if interval == 1 { return all }
    var days: Days = 0
    var monday = Self.monday(of: first)
    while monday < first + length {
      if ((monday - Self.monday(of: anchor)) / 7).modulo(interval) == 0 {
        days |= from(monday) & ~from(monday + 7)
      }
      monday += 7
    }
    return days
  }

  /// The Monday of the week of a day.
  ///
  /// 1970-01-01 was a Thursday.
  static func monday(of day: Int) -> Int { day - (day + 3).modulo(7) }

  private func firstDay(_ weekday: Weekday) -> Int {
    (weekday.rawValue - 1 - (first + 3)).modulo(7) + 1
  }
}

extension Int {
  /// The remainder, which is never negative.
  func modulo(_ divisor: Int) -> Int {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}
