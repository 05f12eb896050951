import Platform

/// Times in the formats of S3 and HTTP, in milliseconds since 1970.
package enum UTCTime {
  /// Returns a time in the format used in signed requests, such as `20130524T000000Z`.
  static func compact(_ time: Int64) -> String {
    let seconds = time / 1_000 - (time % 1_000 < 0 ? 1 : 0)
    let day = CalendarDays.day(of: seconds)
    let (year, month, number) = CalendarDays.date(ofDay: day)
    let clock = seconds - day * 86_400
    let date = padded(year, 4) + padded(Int64(month), 2) + padded(Int64(number), 2)
    return date + "T" + padded(clock / 3_600, 2) + padded(clock / 60 % 60, 2)
      + padded(clock % 60, 2) + "Z"
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Parses a time in the format used in listings (RFC 3339), such as `2009-10-12T17:50:30.123Z`; nil for other
  /// formats.
  package static func parse(_ text: String) -> Int64? {
    var rest = Array(text.utf8)[...]
    guard let year = number(&rest, 4), take("-", &rest), let month = number(&rest, 2),
      take("-", &rest), let day = number(&rest, 2), take("T", &rest),
      let clock = clock(&rest)
    else { return nil }
    var milliseconds = 0
    if take(".", &rest) {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard (1...9).contains(digits.count) else { return nil }
      rest = rest.dropFirst(digits.count)
      for place in 0..<3 {
        milliseconds = milliseconds * 10 + Int(digits.dropFirst(place).first.map { $0 - 0x30 } ?? 0)
      }
    }
    guard rest.elementsEqual("Z".utf8) else { return nil }
    return time(year, month, day, clock).map { $0 + Int64(milliseconds) }
  }

  /// Parses the preferred format of dates in HTTP, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
  package static func parseHTTPDate(_ text: String) -> Int64? {
    var rest = Array(text.utf8)[...]
    guard rest.count == 29, rest.dropFirst(3).starts(with: ", ".utf8) else { return nil }
    rest = rest.dropFirst(5)
    guard let day = number(&rest, 2), take(" ", &rest) else { return nil }
    let name = String(decoding: rest.prefix(3), as: UTF8.self)
    rest = rest.dropFirst(3)
    guard let month = months.firstIndex(of: name), take(" ", &rest), let year = number(&rest, 4),
      take(" ", &rest), let clock = clock(&rest), rest.elementsEqual(" GMT".utf8)
    else { return nil }
    return time(year, month + 1, day, clock)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func time(_ year: Int, _ month: Int, _ day: Int, _ clock: Int) -> Int64? {
    CalendarDays.day(year: Int64(year), month: month, day: day).map {
      ($0 * 86_400 + Int64(clock)) * 1_000
    }
  }

  /// Parses a time of day such as `08:49:37`, and returns its seconds.
  private static func clock(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard let hour = number(&rest, 2), take(":", &rest), let minute = number(&rest, 2),
      take(":", &rest), let second = number(&rest, 2), hour < 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3_600 + minute * 60 + second
  }

  private static func number(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func take(_ letter: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.first == UInt8(ascii: letter) else { return false }
    rest = rest.dropFirst()
    return true
  }
}
