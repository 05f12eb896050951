internal import Domain

/// Parses dates as tables and address books write them.
enum ForeignDate {
  /// Parses a date that can mean only one day, or whose order of numbers is known.
  static func read(
    _ text: String, field: String, order: ForeignSettings.DateOrder? = nil
  ) throws(ForeignFault) -> CivilDate {
    try date(of: readings(text, order), text, field: field)
  }

  /// Parses a date that daybook wrote, in the forms of ``CivilDate/parse(_:)``; nil for anything else.
  ///
  /// Every year is taken literally, never as a placeholder, and a year alone is a valid date.
  static func own(_ text: String) -> CivilDate? { try? CivilDate.parse(text) }

  /// Returns the possible meanings of the given text; none if it is not a date.
  static func readings(_ text: String, _ order: ForeignSettings.DateOrder?) -> [Parts] {
    let text = text.trimmed
    if let parts = iso(text) ?? named(text) { return [parts] }
    return Numbers(text)?.readings(order) ?? []
  }

  /// Returns the only valid date among the possible meanings.
  static func date(
    of readings: [Parts], _ text: String, field: String
  ) throws(ForeignFault) -> CivilDate {
    var dates: [CivilDate] = []
    var error: CivilDateError?
    for parts in readings {
      do throws(CivilDateError) {
        let date = try CivilDate(year: parts.year, month: parts.month, day: parts.day)
        if !dates.contains(date) { dates.append(date) }
      } catch let fault {
        error = fault
      }
    }
    if dates.count > 1 { throw .severalReadings(field: field, text, dates.map(\.iso)) }
    if let date = dates.first { return date }
    throw error.map { .date(field: field, text, $0) } ?? .unreadable(field: field, text)
  }

  /// Returns the order of the numbers of a date, if only one is possible.
  static func order(of text: String) -> ForeignSettings.DateOrder? {
    guard let numbers = Numbers(text.trimmed), numbers.separator != ".", numbers.year != nil else {
      return nil
    }
    if numbers.first > 12, numbers.second <= 12 { return .dayFirst }
    return numbers.second > 12 && numbers.first <= 12 ? .monthFirst : nil
  }

  /// Returns whether a date is a different one in each order of day and month.
  static func needsOrder(_ text: String) -> Bool {
    guard let numbers = Numbers(text.trimmed), numbers.separator != "." else { return false }
    return numbers.first != numbers.second && (1...12).contains(numbers.first)
      && (1...12).contains(numbers.second)
  }

  struct Parts: Equatable {
    var year: Int?
    var month: Int?
    var day: Int?
  }

  /// Two or three numbers with separators between them; the third, if present, is the year.
  private struct Numbers {
    let first: Int
    let second: Int
    let year: Int?
    let separator: Character

    init?(_ text: String) {
      guard let sign = text.first(where: { !$0.isASCIIDigit }), "/.-".contains(sign) else {
        return nil
      }
      var parts = text.split(separator: sign, omittingEmptySubsequences: false).map {
        String($0).trimmed
      }
      if parts.count == 3, parts[2].isEmpty { parts.removeLast() }
      guard parts.count == 2 || parts.count == 3, let first = ForeignDate.number(parts[0], 1...2),
        let second = ForeignDate.number(parts[1], 1...2)
      else { return nil }
      year = parts.count == 3 ? ForeignDate.number(parts[2], 4...4) : nil
      if parts.count == 3, year == nil { return nil }
      (self.first, self.second, separator) = (first, second, sign)
    }

    /// Returns the possible meanings; if dots separate the numbers, the day always comes first.
    func readings(_ order: ForeignSettings.DateOrder?) -> [Parts] {
      let dayFirst = Parts(year: year, month: second, day: first)
      let monthFirst = Parts(year: year, month: first, day: second)
      switch separator == "." ? .dayFirst : order {
      case .dayFirst?: return [dayFirst]
      case .monthFirst?: return [monthFirst]
      case nil: return [dayFirst, monthFirst]
      }
    }
  }

  /// Parses `1815-12-10`, `18151210`, `--12-10`, `--1210`, `1815-12`, `1815`, `--12`, `---10`, `1815/12/10`; a time
  /// may follow a full date.
  static func iso(_ text: String) -> Parts? {
    let date = text.prefix { $0 != "T" && $0 != "t" && $0 != " " }
    let rest = text.dropFirst(date.count).dropFirst()
    let isTimed = date.count < text.count
    if isTimed, !rest.allSatisfy({ $0.isASCIIDigit || ":.+-Zz".contains($0) }) { return nil }
    let hyphens = date.prefix { $0 == "-" }.count
    let groups = date.dropFirst(hyphens).split(omittingEmptySubsequences: false) {
      $0 == "-" || $0 == "/"
    }
    let numbers = groups.compactMap { number(String($0), 1...8) }
    guard numbers.count == groups.count else { return nil }
    let parts: Parts? =
      switch (hyphens, groups.map(\.count)) {
      case (0, [4, 2, 2]), (0, [4, 1, 2]), (0, [4, 2, 1]), (0, [4, 1, 1]):
        Parts(year: numbers[0], month: numbers[1], day: numbers[2])
      case (0, [8]):
        Parts(year: numbers[0] / 10_000, month: numbers[0] / 100 % 100, day: numbers[0] % 100)
      case (0, [4, 2]): Parts(year: numbers[0], month: numbers[1])
      case (0, [4]): Parts(year: numbers[0])
      case (2, [2, 2]): Parts(month: numbers[0], day: numbers[1])
      case (2, [4]): Parts(month: numbers[0] / 100, day: numbers[0] % 100)
      case (2, [2]): Parts(month: numbers[0])
      case (3, [2]): Parts(day: numbers[0])
      default: nil
      }
    return isTimed && parts?.day == nil ? nil : parts
  }

  /// Parses `5 December 1815`, `Dec 5`, `5. Dez 1815`, with the English or German name of the month.
  static func named(_ text: String) -> Parts? {
    let words = text.lowercased().split { " ,.".contains($0) || $0.isWhitespace }.map(String.init)
    guard words.count == 2 || words.count == 3 else { return nil }
    guard let place = words.prefix(2).firstIndex(where: { month($0) != nil }),
      let month = month(words[place])
    else { return nil }
    let dayWord = words[1 - place].trimmingOrdinal
    guard let day = number(dayWord, 1...2) else {
      // "December 1815" has no day.
      guard words.count == 2, place == 0, let year = number(dayWord, 4...4) else { return nil }
      return Parts(year: year, month: month)
    }
    guard words.count == 3 else { return Parts(month: month, day: day) }
    guard let year = number(words[2], 4...4) else { return nil }
    return Parts(year: year, month: month, day: day)
  }

  private static let months = [
    ["january", "januar"], ["february", "februar"], ["march", "märz"], ["april"], ["may", "mai"],
    ["june", "juni"], ["july", "juli"], ["august"], ["september"], ["october", "oktober"],
    ["november"], ["december", "dezember"],
  ]

  /// Returns the number of the month with an English or German name, which may be shortened to three letters.
  static func month(_ word: String) -> Int? {
    guard word.count >= 3 else { return nil }
    return months.firstIndex { names in names.contains { $0 == word || $0.prefix(3) == word } }
      .map { $0 + 1 }
  }

  static func number(_ text: String, _ digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(text)
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}

extension String {
  /// The word without the suffix of an ordinal number.
  fileprivate var trimmingOrdinal: String {
    guard let ending = ["st", "nd", "rd", "th"].first(where: hasSuffix) else { return self }
    return String(dropLast(ending.count))
  }
}
