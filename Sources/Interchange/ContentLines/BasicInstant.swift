internal import Domain

/// Instants and dates in the basic format of calendar files, such as `20261120T120000Z` or `20261120`.
enum BasicInstant {
  static func text(_ milliseconds: Int64) -> String? {
    let second = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    return Instant.text(second * 1000).map { $0.filter { $0 != "-" && $0 != ":" } }
  }

  static func text(_ date: CivilDate) -> String { date.iso.filter { $0 != "-" } }

  /// A date with or without a time.
  struct Reading: Equatable {
    var day: CivilDate
    /// Seconds after midnight, if the text contains a time.
    var seconds: Int?
    var isUTC = false

    /// The instant in milliseconds; nil unless the text contains a time in UTC.
    var instant: Int64? {
      guard isUTC, let seconds, let day = day.epochDay else { return nil }
      return (Int64(day) * 86_400 + Int64(seconds)) * 1000
    }
  }

  static func read(_ text: String) -> Reading? {
    let text = text.trimmed.uppercased()
    let halves = text.split(separator: "T", omittingEmptySubsequences: false)
    guard let date = halves.first, let parts = ForeignDate.iso(String(date)), parts.day != nil,
      // A date that does not exist is rejected.
      let day = try? CivilDate(year: parts.year, month: parts.month, day: parts.day),
      halves.count <= 2
    else { return nil }
    guard halves.count == 2 else { return Reading(day: day) }
    let isUTC = halves[1].last == "Z"
    let digits = halves[1].filter { $0 != ":" && $0 != "Z" }
    guard digits.utf8.count == 6 || digits.utf8.count == 4, let number = Int(digits) else {
      return nil
    }
    let clock = digits.utf8.count == 6 ? number : number * 100
    let (hour, minute, second) = (clock / 10_000, clock / 100 % 100, clock % 100)
    guard hour < 24, minute < 60, second <= 60 else { return nil }
    return Reading(day: day, seconds: hour * 3600 + minute * 60 + min(second, 59), isUTC: isUTC)
  }
}
