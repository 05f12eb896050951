/// The rule of a time zone for years without recorded changes, which is a POSIX `TZ` string such as
/// `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// The syntax is that of POSIX.1-2017, section 8.3, with hours from -167 to 167 as in RFC 9636, section 3.3.1.
struct ZoneRule: Hashable {
  /// When the clock is changed, given as a day of each year and the seconds after that day's midnight in local time.
  private struct Change: Hashable {
    enum Day: Hashable {
      /// A weekday in a month, where 0 is Sunday, and week 5 is the last week.
      case weekday(Int, week: Int, month: Int)
      /// The number of days since 1 January, without 29 February.
      case fixed(Int)
      /// The number of days since 1 January, with 29 February.
      case counted(Int)
    }

    let day: Day
    let seconds: Int
  }

  private struct Summer: Hashable {
    let offset: Int
    let start: Change
    let end: Change
  }

  /// The offset of standard time from UTC, in seconds; positive values are east of UTC.
  private let standard: Int
  private let summer: Summer?

  /// Parses a `TZ` string; nil if it is invalid.
  init?(_ text: String) {
    var parser = Parser(text)
    guard parser.skipName(), let standard = parser.offset() else { return nil }
    self.standard = -standard
    if parser.isAtEnd {
      summer = nil
      return
    }
    guard parser.skipName() else { return nil }
    var offset = self.standard + 3600
    if !parser.isNext(",") {
      guard let said = parser.offset() else { return nil }
      offset = -said
    }
    guard parser.take(","), let start = parser.change(), parser.take(","),
      let end = parser.change(), parser.isAtEnd
    else { return nil }
    summer = Summer(offset: offset, start: start, end: end)
  }

  /// The offset from UTC at a time in seconds since 1970.
  func offset(at time: Int64) -> Int {
    guard let summer else { return standard }
    // Near New Year, the year in UTC can differ from the local year. Each day of summer time is in the summer of one of
    // three years.
    let year = CalendarDays.year(ofDay: CalendarDays.day(of: time))
    for near in year - 1...year + 1 {
      let start = moment(of: summer.start, in: near, offset: standard)
      var end = moment(of: summer.end, in: near, offset: summer.offset)
      // In the southern hemisphere, summer ends in the next year.
      if end <= start { end = moment(of: summer.end, in: near + 1, offset: summer.offset) }
      if start <= time, time < end { return summer.offset }
    }
    return standard
  }

  private func moment(of change: Change, in year: Int64, offset: Int) -> Int64 {
    let day =
      switch change.day {
      case .fixed(let days):
        CalendarDays.day(ofYear: year) + Int64(days)
          + (days >= 59 && CalendarDays.isLeap(year) ? 1 : 0)
      case .counted(let days): CalendarDays.day(ofYear: year) + Int64(days)
      case .weekday(let weekday, let week, let month):
        CalendarDays.day(ofWeekday: weekday, week: week, month: month, year: year)
      }
    return day * 86_400 + Int64(change.seconds) - Int64(offset)
  }
}

extension ZoneRule {
  private struct Parser {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    func isNext(_ letter: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: letter) }

    mutating func take(_ letter: Unicode.Scalar) -> Bool {
      guard isNext(letter) else { return false }
      rest.removeFirst()
      return true
    }

    /// Skips a name such as `CET` or `<+0330>`.
    mutating func skipName() -> Bool {
      if take("<") {
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")), end > rest.startIndex else {
          return false
        }
        rest = rest[rest.index(after: end)...]
        return true
      }
      let name = rest.prefix {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
      }
      rest = rest[name.endIndex...]
      return name.count >= 3
    }

    mutating func number(upTo most: Int) -> Int? {
      let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      guard 1...4 ~= digits.count else { return nil }
      rest = rest[digits.endIndex...]
      let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
      return number <= most ? number : nil
    }

    /// Reads an offset such as `-5:45`, and returns it in seconds.
    mutating func offset(hours most: Int = 24) -> Int? {
      let sign = take("-") ? -1 : 1
      if sign == 1 { _ = take("+") }
      guard let hours = number(upTo: most) else { return nil }
      var seconds = hours * 3600
      for unit in [60, 1] where take(":") {
        guard let count = number(upTo: 59) else { return nil }
        seconds += count * unit
      }
      return sign * seconds
    }

    /// Reads a change such as `M10.5.0/3`, `J60` or `59`.
    mutating func change() -> Change? {
      guard let day = day() else { return nil }
      guard take("/") else { return Change(day: day, seconds: 7200) }
      return offset(hours: 167).map { Change(day: day, seconds: $0) }
    }

    private mutating func day() -> Change.Day? {
      if take("J") {
        guard let day = number(upTo: 365), day >= 1 else { return nil }
        return .fixed(day - 1)
      }
      guard take("M") else { return number(upTo: 365).map { .counted($0) } }
      guard let month = number(upTo: 12), month >= 1, take("."), let week = number(upTo: 5),
        week >= 1, take("."), let weekday = number(upTo: 6)
      else { return nil }
      return .weekday(weekday, week: week, month: month)
    }
  }
}
