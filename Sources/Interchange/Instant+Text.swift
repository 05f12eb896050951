internal import Domain

/// Converts instants to and from text.
package enum Instant {
  /// Parses `2015-01-01T00:00:00Z`, with up to three decimal places after the second.
  ///
  /// - Parameter text: The text.
  /// - Returns: Milliseconds since 1970; nil for anything else, including leap seconds.
  static func parse(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[10] == UInt8(ascii: "T"), bytes.last == UInt8(ascii: "Z"),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
      let second = number(bytes[17..<19]), hour < 24, minute < 60, second < 60,
      let fraction = milliseconds(bytes[19..<(bytes.count - 1)]),
      let day = day(String(decoding: bytes[..<10], as: UTF8.self))
    else { return nil }
    return ((day * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + fraction
  }

  private static func day(_ iso: String) -> Int64? {
    do throws(CivilDateError) {
      return try CivilDate.parse(iso).epochDay.map(Int64.init)
    } catch {
      return nil
    }
  }

  /// Parses the text between the seconds and the `Z`.
  private static func milliseconds(_ digits: ArraySlice<UInt8>) -> Int64? {
    guard let point = digits.first else { return 0 }
    guard point == UInt8(ascii: "."), (2...4).contains(digits.count),
      let number = number(digits.dropFirst())
    else { return nil }
    return [100, 10, 1][digits.count - 2] * number
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    var number: Int64 = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      number = number * 10 + Int64(digit - 0x30)
    }
    return number
  }
}

extension Instant {
  /// Formats an instant as ``parse(_:)`` reads it, with milliseconds only if they are not zero; nil outside the years 1
  /// to 9999.
  package static func text(_ milliseconds: Int64) -> String? {
    guard let date = CivilDate(ofInstant: milliseconds), let day = date.epochDay else { return nil }
    let rest = milliseconds - Int64(day) * 86_400_000
    let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { padded($0, 2) }
    let fraction = rest % 1000 == 0 ? "" : "." + padded(rest % 1000, 3)
    return "\(date.iso)T\(clock.joined(separator: ":"))\(fraction)Z"
  }

  /// Formats an instant that is not a whole second; nil for a whole second.
  static func textWithMilliseconds(_ instant: Int64) -> String? {
    instant % 1000 == 0 ? nil : text(instant)
  }

  /// Returns the instant in the given text that ``textWithMilliseconds(_:)`` wrote next to a property with whole
  /// seconds.
  ///
  /// Another program may have changed the property since then, so the second itself is returned if the text is not an
  /// instant within it.
  static func exact(_ text: String?, inSecond second: Int64) -> Int64 {
    guard let text, let instant = parse(text), (second..<second + 1000).contains(instant) else {
      return second
    }
    return instant
  }

  static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
