internal import Domain

/// An instant as text.
enum Instant {
  /// Reads `2015-01-01T00:00:00Z`, with up to three digits after the second.
  ///
  /// - Returns: Milliseconds after 1970; nil for anything else, and for leap seconds.
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

  /// Reads what stands between the seconds and the `Z`.
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
