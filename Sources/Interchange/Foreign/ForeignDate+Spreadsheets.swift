internal import Domain

extension ForeignDate {
  /// Returns whether the given text means that there is no date: it contains only zeros, or is a day that programs use
  /// as a placeholder.
  static func isNone(_ text: String) -> Bool {
    guard ["", "T", "TZ", "AM", "PM"].contains(text.uppercased().filter(\.isLetter)) else {
      return false
    }
    let numbers = text.split { !$0.isASCII || !$0.isNumber }.map { Int($0) ?? .max }
    if !numbers.isEmpty, numbers.allSatisfy({ $0 == 0 }) { return true }
    return emptyDays.contains(numbers.prefix(3).sorted())
  }

  /// The numbers of placeholder days, sorted.
  private static let emptyDays: [[Int]] = [
    // Day zero in spreadsheets, the last day in Outlook, and the first day in .NET.
    [0, 1, 1900], [1, 1, 4501], [1, 1, 1],
  ]

  /// Returns the day for a spreadsheet serial number of five digits, counted from 1899-12-30; the first such day is
  /// 1927-05-18.
  static func serial(_ text: String) -> CivilDate? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let days = number(String(parts[0]), 5...5),
      parts.count < 2 || parts[1].allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    return CivilDate(epochDay: days - daysBeforeEpoch)
  }

  /// Days from 1899-12-30 to 1970-01-01.
  private static let daysBeforeEpoch = 25_569
}
