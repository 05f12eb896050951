package import Domain
package import Platform

/// Reads and writes instants in RFC 3339 format.
package enum Instant {
  private static let dayMilliseconds: Int64 = 86_400_000

  /// Reads an instant such as `2015-01-01T00:00:00Z`, optionally with a fraction or a different offset; nil if the text
  /// does not have this form.
  ///
  /// Digits of the fraction after the third one are ignored.
  package static func parse(_ text: String) -> Moment? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[10] == 0x54 || bytes[10] == 0x74 || bytes[10] == 0x20,
      let day = date(text.prefix(10)), let hour = number(bytes[11..<13]),
      let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
      bytes[13] == 0x3A, bytes[16] == 0x3A, hour < 24, minute < 60, second < 60
    else { return nil }
    var rest = bytes[19...]
    var milliseconds: Int64 = 0
    if rest.first == 0x2E {
      let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { return nil }
      let padded = Array(digits.prefix(3)) + Array(repeating: 0x30, count: max(0, 3 - digits.count))
      milliseconds = number(padded[...]) ?? 0
      rest = rest[digits.endIndex...]
    }
    guard let offset = offsetMinutes(rest) else { return nil }
    let seconds = hour * 3600 + (minute - offset) * 60 + second
    return Moment(milliseconds: Int64(day) * dayMilliseconds + seconds * 1000 + milliseconds)
  }

  /// Separates the words for a day from a time of day, which is returned in seconds after midnight: `2026-01-31 18:00`,
  /// `fri`.
  ///
  /// The seconds are 0 if there is no time. The result is nil if the text contains a colon but no valid time.
  package static func parts(_ text: String) -> (day: String, seconds: Int64)? {
    let bytes = Array(text.utf8)
    let isJoined = bytes.count > 10 && (bytes[10] == 0x54 || bytes[10] == 0x74)
    guard let place = isJoined ? 10 : bytes.lastIndex(of: 0x20),
      let seconds = clock(bytes[(place + 1)...])
    else { return bytes.contains(0x3A) ? nil : (text, 0) }
    return (String(decoding: bytes[..<place], as: UTF8.self), seconds)
  }

  /// Reads a time such as `9:00`, `18:00` or `18:00:30`.
  private static func clock(_ bytes: ArraySlice<UInt8>) -> Int64? {
    let parts = bytes.split(separator: 0x3A, omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, (1...2).contains(parts[0].count),
      parts.dropFirst().allSatisfy({ $0.count == 2 })
    else { return nil }
    let numbers = parts.compactMap(number)
    guard numbers.count == parts.count, numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    return numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
  }

  private static func date(_ text: Substring) -> Int? {
    // Text that is not a date is not an instant either, and the caller reports the error.
    (try? CivilDate.parse(String(text)))?.epochDay
  }

  private static func offsetMinutes(_ bytes: ArraySlice<UInt8>) -> Int64? {
    guard let sign = bytes.first else { return nil }
    if sign == 0x5A || sign == 0x7A { return bytes.count == 1 ? 0 : nil }
    let digits = bytes.dropFirst()
    guard sign == 0x2B || sign == 0x2D, digits.count == 5,
      digits[digits.startIndex + 2] == 0x3A, let hours = number(digits.prefix(2)),
      let minutes = number(digits.suffix(2)), hours < 24, minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (sign == 0x2D ? -1 : 1)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  /// The instant in UTC, with milliseconds only if they are not 0.
  ///
  /// Outside the years 1 to 9999, it is the number itself.
  package static func text(_ milliseconds: Int64) -> String {
    guard let date = CivilDate(ofInstant: milliseconds) else { return "\(milliseconds)" }
    let day = milliseconds.floored(by: dayMilliseconds)
    let rest = milliseconds - day * dayMilliseconds
    let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60]
    let fraction = rest % 1000 == 0 ? "" : "." + String(rest % 1000).padded(to: 3)
    let time = clock.map { String($0).padded(to: 2) }.joined(separator: ":")
    return "\(date.iso)T\(time)\(fraction)Z"
  }
}

extension Instant {
  /// The date in UTC, or the number itself outside the years 1 to 9999.
  package static func dayText(_ milliseconds: Int64) -> String {
    CivilDate(ofInstant: milliseconds)?.iso ?? "\(milliseconds)"
  }
}

extension Int64 {
  fileprivate func floored(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    String(repeating: "0", count: max(0, width - count)) + self
  }
}

extension Timekeeper {
  /// The current local date.
  package var today: CivilDate? { localDay(of: now()) }

  /// The local date of the instant; nil outside the years 1 to 9999.
  package func localDay(of moment: Moment) -> CivilDate? {
    localMilliseconds(at: moment).flatMap(CivilDate.init(ofInstant:))
  }

  /// The instant with the local offset added; nil if the sum overflows, because a peer can send any number.
  private func localMilliseconds(at moment: Moment) -> Int64? {
    let offset = Int64(localOffsetSeconds(at: moment)) * 1000
    let (sum, overflows) = moment.milliseconds.addingReportingOverflow(offset)
    return overflows ? nil : sum
  }

  /// The instant at which clocks show the given number of seconds after midnight on a day; nil if the date is
  /// incomplete.
  ///
  /// If the clock skips the time, the offset before the change is used. If the time occurs twice, its first occurrence
  /// is used (RFC 5545, section 3.3.5).
  ///
  /// - Parameters:
  ///   - date: The day.
  ///   - seconds: The seconds after midnight.
  ///   - zone: The zone of the clocks; nil for local time.
  /// - Returns: The instant.
  package func moment(of date: CivilDate, seconds: Int64, in zone: ZoneRules? = nil) -> Moment? {
    guard let day = date.epochDay else { return nil }
    let local = Moment(milliseconds: Int64(day) * 86_400_000 + seconds * 1000)
    return .showing(local) { zone?.offsetSeconds(at: $0) ?? localOffsetSeconds(at: $0) }
  }

  /// The local date and time to the minute, for users, or the number itself outside the years 1 to 9999.
  package func localText(of milliseconds: Int64) -> String {
    guard let day = localDay(of: Moment(milliseconds: milliseconds)) else {
      return "\(milliseconds)"
    }
    return "\(day.iso) \(localClock(of: milliseconds))"
  }

  /// The local time of day in minutes after midnight; nil if it cannot be computed, because a peer can send any number.
  package func localMinute(of moment: Moment) -> Int? {
    localMilliseconds(at: moment).map { local in
      Int((local - local.floored(by: 86_400_000) * 86_400_000) / 60_000)
    }
  }

  /// The local time of day to the minute, or the number itself outside the years 1 to 9999.
  package func localClock(of milliseconds: Int64) -> String {
    guard let local = localMilliseconds(at: Moment(milliseconds: milliseconds)),
      CivilDate(ofInstant: local) != nil
    else { return "\(milliseconds)" }
    return String(Instant.text(local).dropFirst(11).prefix(5))
  }
}
