import Domain

/// Reads days that are written only in digits and separators.
enum NumericDays {
  /// Reads `20261224`, `2026-1-5` or `2026/1/5`, each of which has only one meaning because the year comes first.
  static func yearFirst(_ words: String) throws(DayFault) -> CivilDate? {
    let separator: Character = words.contains("/") ? "/" : "-"
    var parts = words.split(separator: separator, omittingEmptySubsequences: false)
    if parts.count == 1, words.utf8.count == 8 {
      parts = [words.prefix(4), words.dropFirst(4).prefix(2), words.suffix(2)]
    }
    guard parts.count == 3, parts[0].utf8.count == 4,
      parts.dropFirst().allSatisfy({ (1...2).contains($0.utf8.count) }),
      parts.allSatisfy({ $0.utf8.allSatisfy(isDigit) })
    else { return nil }
    let numbers = parts.compactMap { Int($0) }
    do throws(CivilDateError) {
      return try CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
    } catch {
      throw .date(error)
    }
  }

  /// Whether the words are a day and a month followed by a two-digit year.
  static func hasShortYear(_ words: String) -> Bool {
    guard hasDigit(words) else { return false }
    let parts = words.split { " ./-".contains($0) }
    return parts.count == 3 && number(parts[2], 2...2) != nil
      && parts.prefix(2).allSatisfy { number($0, 1...2) != nil }
  }

  /// Returns the dates that the numbers can mean.
  ///
  /// There can be two dates, because some countries write the month first and others the day. There is only one date if
  /// only one of the numbers can be the month, or if both numbers are equal.
  static func readings(_ words: String) throws(DayFault) -> [CivilDate] {
    guard hasDigit(words) else { return [] }
    let parts = words.split(omittingEmptySubsequences: false) { "/-.".contains($0) }
    guard parts.count == 2 || parts.count == 3, let first = number(parts[0], 1...2),
      let second = number(parts[1], 1...2)
    else { return [] }
    let year = parts.count == 3 ? number(parts[2], 4...4) : nil
    if parts.count == 3, year == nil { return [] }
    let orders = [(first, second), (second, first)].filter { (1...12).contains($0.1) }
    var dates: [CivilDate] = []
    for (day, month) in orders {
      do throws(CivilDateError) {
        let date = try CivilDate(year: year, month: month, day: day)
        if !dates.contains(date) { dates.append(date) }
      } catch {
        if orders.count == 1 { throw .date(error) }
      }
    }
    return dates
  }

  /// Whether the words contain a digit, which is a quick check that rules out most titles.
  private static func hasDigit(_ words: String) -> Bool { words.utf8.contains { isDigit($0) } }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func number(_ word: Substring, _ digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(word.utf8.count), word.utf8.allSatisfy(isDigit)
    else { return nil }
    return Int(word)
  }
}
