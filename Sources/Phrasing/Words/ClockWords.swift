package import Daybook

/// Words for the difference between clocks.
package enum ClockWords {
  private static let hour: UInt64 = 3_600_000
  private static let day = 24 * hour
  private static let year = 8766 * hour

  /// Returns a span in years if it is two years or more, in days if it is ten days or more, and otherwise in hours.
  ///
  /// Years are rounded to the nearest number, whereas days and hours are rounded down.
  package static func span(_ milliseconds: UInt64) -> String {
    let (count, unit): (UInt64, String) =
      if milliseconds >= 2 * year {
        ((milliseconds + year / 2) / year, "year")
      } else if milliseconds >= 10 * day {
        (milliseconds / day, "day")
      } else {
        (milliseconds / hour, "hour")
      }
    return count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
  }
}

extension Device {
  /// The suspected error of the device's clock; empty if there is none.
  package var clockWords: String {
    guard isClockSuspect, let offset = clockOffset else { return "" }
    return "clock \(ClockWords.span(offset.magnitude)) \(offset > 0 ? "ahead" : "behind")?"
  }
}
