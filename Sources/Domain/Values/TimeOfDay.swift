/// A time of day in whole minutes, from 00:00 to 23:59.
package struct TimeOfDay: Hashable, Comparable, Sendable {
  /// The minutes since midnight on the clock, from 0 to 1439.
  package let minute: Int64

  /// Creates a time; nil if a day has no such minute.
  package init?(minute: Int64) {
    guard 0..<1440 ~= minute else { return nil }
    self.minute = minute
  }

  /// Parses a time in the form `17:00`; the hour has one or two digits, the minute two.
  package init?(text: some StringProtocol) {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 2, 1...2 ~= parts[0].count, parts[1].count == 2,
      let hour = Self.number(parts[0]), let minute = Self.number(parts[1]), hour < 24, minute < 60
    else { return nil }
    self.minute = hour * 60 + minute
  }

  /// The time in the form `17:00`, with two digits for the hour and two for the minute.
  package var text: String {
    let (hour, minute) = minute.quotientAndRemainder(dividingBy: 60)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }

  package static func < (left: TimeOfDay, right: TimeOfDay) -> Bool { left.minute < right.minute }

  private static func number(_ digits: some Collection<UInt8>) -> Int64? {
    digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      ? digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) } : nil
  }
}
