import Domain
import Phrasing

// Dates and numbers as text that, in most cases, is short enough for the margin.

extension CivilDate {
  /// The date in a short form, such as `10 Dec 1815`, `Dec 1815`, `1815` or `10 Dec`.
  var shortWords: String {
    guard let month else { return iso }
    let name = Self.monthNames[month - 1].prefix(3)
    return [day.map { "\($0)" }, String(name), year.map { "\($0)" }].compactMap(\.self)
      .joined(separator: " ")
  }

  /// The day and the month in a short form, such as `10 Dec`.
  var shortDayWords: String {
    guard let month, let day else { return shortWords }
    return "\(day) \(Self.monthNames[month - 1].prefix(3))"
  }

  /// Returns the date with its weekday, such as `Mon 30 Nov`, and with the year if it differs from the given year.
  func nearWords(in year: Int?) -> String {
    let words = self.year == year ? shortDayWords : shortWords
    return [weekdayName, words].compactMap(\.self).joined(separator: " ")
  }

  /// The short name of the weekday, such as `Thu`; nil if the date is incomplete.
  var weekdayName: String? { longWeekdayName.map { String($0.prefix(3)) } }

  /// The name of the weekday, such as `Thursday`; nil if the date is incomplete.
  var longWeekdayName: String? {
    let names = [
      "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    return weekday.map { names[$0.rawValue - 1] }
  }

  /// The name of the month, and the year, such as `December 2026`.
  var monthWords: String {
    [month.map { Self.monthNames[$0 - 1] }, year.map { "\($0)" }].compactMap(\.self)
      .joined(separator: " ")
  }
}

/// Returns a number with its noun, such as `1 list` or `2 lists`.
func counted(_ count: some BinaryInteger, _ one: String, _ many: String) -> String {
  count == 1 ? "1 \(one)" : "\(count) \(many)"
}
