internal import Domain

/// How long before it is due a to-do reminds of itself: `30m`, `2h`, `1d`, `1w`, or `0` for the due time itself.
enum ReminderLead {
  private static let units: [(sign: Character, minutes: Int64)] = [
    ("w", 10_080), ("d", 1440), ("h", 60), ("m", 1),
  ]
  /// About a hundred years.
  private static let most: Int64 = 52_596_000

  /// The minute of the day at which a to-do without a time reminds.
  static let minuteOfUntimed: Int64 = 540

  /// Returns the number of minutes; nil for any other text.
  static func minutes(_ text: String) -> Int64? {
    let word = text.trimmed.lowercased()
    if word == "0" { return 0 }
    guard let unit = units.first(where: { $0.sign == word.last }),
      word.dropLast().allSatisfy({ $0.isASCII && $0.isNumber }),
      let count = Int64(word.dropLast()), count <= most / unit.minutes
    else { return nil }
    return count * unit.minutes
  }

  /// Returns the text for a number of minutes, in the largest unit up to days that is exact.
  static func text(_ minutes: Int64) -> String {
    guard minutes != 0 else { return "0" }
    let unit = units.dropFirst().first { minutes.isMultiple(of: $0.minutes) }
    return unit.map { "\(minutes / $0.minutes)\($0.sign)" } ?? "0"
  }
}
