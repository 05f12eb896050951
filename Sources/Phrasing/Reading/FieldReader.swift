package import Daybook
package import Domain
package import Platform

/// Parses the values that users type for the fields of records.
package struct FieldReader {
  let timekeeper: any Timekeeper
  /// The current day, which dates without a year and relative dates require.
  let today: CivilDate?

  package init(_ timekeeper: any Timekeeper) {
    self.init(timekeeper, today: timekeeper.today)
  }

  package init(_ timekeeper: any Timekeeper, today: CivilDate?) {
    (self.timekeeper, self.today) = (timekeeper, today)
  }

  /// Reads a birth date, with or without a year, which cannot be later than today.
  package func birthdate(_ words: String) throws(WordsFault) -> CivilDate {
    let date: CivilDate
    do throws(DayFault) { date = try DayWords(today: today).date(words) } catch {
      date = try onlyBirth(words, error)
    }
    try checkBirth(date, words)
    return date
  }

  /// Returns the only date among several that is not later than today, or the first date if all are later.
  ///
  /// The method throws for all other faults, and if more than one date is possible.
  private func onlyBirth(_ words: String, _ fault: DayFault) throws(WordsFault) -> CivilDate {
    switch fault {
    case .severalReadings(let dates):
      let past = dates.filter { !isToCome($0) }
      guard past.count > 1 else { return past.first ?? dates[0] }
    case .date(.noSuchDate(let year?, let month, let day, let before, let after))
    where isToCome(after):
      let missing = "\(year) has no \(day) \(CivilDate.monthNames[month - 1])"
      throw .said(
        isToCome(before)
          ? "\(missing), and the nearest dates are in the future; for a future date, add a to-do instead."
          : "\(missing). Did you mean \(before.iso)?")
    default: break
    }
    throw .badDate(words, fault, isYearFree: true)
  }

  /// Whether a date is after today.
  ///
  /// A date with unknown parts is treated as the earliest possible day.
  private func isToCome(_ date: CivilDate) -> Bool {
    date.year != nil && today.map { date > $0 } ?? false
  }

  /// Throws if a birth date is later than today.
  package func checkBirth(_ date: CivilDate, _ words: String? = nil) throws(WordsFault) {
    if isToCome(date) {
      throw .badValue(
        "the birth date", words ?? date.words,
        "\(date.words) is in the future; add a to-do for that day instead.")
    }
  }

  /// Reads a date.
  ///
  /// A date without a year means its next occurrence.
  package func day(_ words: String) throws(WordsFault) -> CivilDate {
    do throws(DayFault) { return try DayWords(today: today).dayToCome(words) } catch {
      throw .badDate(words, error, isYearFree: false)
    }
  }

  /// Reads a date with an optional time of day.
  ///
  /// A time without a date means its next occurrence.
  package func dayAndTime(_ words: String) throws(WordsFault) -> DayAndTime {
    if let soon = soon(words) { return soon }
    do throws(DayFault) {
      let now = timekeeper.localMinute(of: timekeeper.now())
      return try DayWords(today: today).dayAndTime(words, now: now)
    } catch .time {
      throw .badValue("the time", words, Self.timeAdvice)
    } catch {
      throw .badDate(words, error, isYearFree: false)
    }
  }

  /// Reads hours and minutes from now; nil for other words, such as a number of days.
  private func soon(_ words: String) -> DayAndTime? {
    guard let seconds = DayWords.secondsAhead(words), 60..<86_400 ~= seconds else { return nil }
    let moment = Moment(milliseconds: timekeeper.now().milliseconds + seconds * 1000)
    guard let day = timekeeper.localDay(of: moment) else { return nil }
    return DayAndTime(day: day, minute: timekeeper.localMinute(of: moment))
  }

  private static let timeAdvice = "Use a time from 00:00 to 23:59, such as 17:00, 5pm or noon."

  /// Reads a time of day, in minutes after midnight.
  package func timeOfDay(_ words: String) throws(WordsFault) -> Int {
    guard let minute = DayWords.minute(words) else {
      throw .badValue("the time", words, Self.timeAdvice)
    }
    return minute
  }

  /// Reads the start of a to-do: a date, a time before its due date such as `-3d`, or `none`.
  package func start(
    _ words: String, due: CivilDate?
  ) throws(WordsFault) -> CivilDate? {
    if Self.clearsDate(words) { return nil }
    guard let days = try Self.daysBeforeDue(words) else { return try day(words) }
    guard let due else {
      throw .badValue(
        "the start", words,
        "It is counted back from the due date, but the to-do has none. Add --due DATE.")
    }
    guard let start = due.adding(days: -days) else {
      throw .badValue(
        "the start", words,
        "It cannot be counted back from the due date, \(due.iso). Use a date instead.")
    }
    return start
  }

  /// Reads words such as `-3d`, which count back from a due date; nil for other words.
  package static func daysBeforeDue(_ words: String) throws(WordsFault) -> Int? {
    let text = words.trimmed.lowercased()
    guard text.hasPrefix("-"), !text.hasPrefix("--") else { return nil }
    guard let days = days(ofLead: text.dropFirst()) else {
      throw .badValue(
        "the start", words, "Use a date, or days or weeks before the due date, such as -3d or -2w.")
    }
    return days
  }

  /// Whether words mean that there is no date.
  package static func clearsDate(_ words: String) -> Bool {
    words.trimmed.isEmpty || DayWords.isNever(words)
  }

  /// Returns the number of days in words such as `3d` or `2w`, without a sign.
  private static func days(ofLead words: Substring) -> Int? {
    guard let unit = words.last, words.dropLast().allSatisfy({ ("0"..."9").contains($0) }),
      let count = Int(words.dropLast()), count <= 100_000
    else { return nil }
    switch unit {
    case "d": return count
    case "w": return 7 * count
    default: return nil
    }
  }

  package func priority(_ words: String) throws(WordsFault) -> Priority {
    switch words.lowercased() {
    case "low", "l", "niedrig", "低": return .low
    case "normal", "n", "medium", "m", "!!", "mittel", "中": return .normal
    case "high", "h", "!!!", "hoch", "高": return .high
    default: throw .badValue("the priority", words, "Use low, normal or high.")
    }
  }

  package func colour(_ words: String) throws(WordsFault) -> Int64 {
    if let named = ColourNames.colour(of: words) { return named }
    var digits = words.hasPrefix("#") ? words.dropFirst() : words[...]
    // As in style sheets, three digits stand for six, with each digit doubled.
    if digits.utf8.count == 3 { digits = digits.map { "\($0)\($0)" }.joined()[...] }
    guard digits.utf8.count == 6, !digits.hasPrefix("+"), !digits.hasPrefix("-"),
      let colour = Int64(digits, radix: 16)
    else { throw .badValue("the colour", words, "Use a colour such as #3366cc or red.") }
    return colour
  }

  /// Reads a whole number that is at least `lowest`.
  package func number(
    _ words: String, _ name: String, from lowest: Int64
  ) throws(WordsFault) -> Int64 {
    try number(words, name, in: lowest...Int64.max)
  }

  package func number(
    _ words: String, _ name: String, in range: ClosedRange<Int64>
  ) throws(WordsFault) -> Int64 {
    guard let number = Int64(words), range.contains(number) else {
      let bounds =
        switch (range.lowerBound > .min, range.upperBound < .max) {
        case (true, true): " from \(range.lowerBound) to \(range.upperBound)"
        case (true, false): " of at least \(range.lowerBound)"
        case (false, true): " of at most \(range.upperBound)"
        case (false, false): ""
        }
      throw .badValue(name, words, "Use a whole number\(bounds).")
    }
    return number
  }

  /// Splits each of the given strings at its commas, and returns the parts.
  package func texts(_ words: [String]) -> [String] {
    words.flatMap { $0.split(separator: ",") }.map { String($0).trimmed }.filter { !$0.isEmpty }
  }

  /// The word for to-dos on no list.
  package static let noList = "none"

  /// Returns the content to write to a field.
  ///
  /// Empty text clears the field.
  package func content(
    _ words: [String], for field: FieldSchema, in book: Book
  ) throws -> Request.Assignment.Content {
    if let content = try whenContent(words, for: field) { return content }
    if case .texts = field.type {
      let texts = texts(words)
      if field.name == "lead", !texts.isEmpty, LeadTimes(texts) == nil {
        throw WordsFault.badValue("the lead", words.joined(separator: ","), LeadTimes.advice)
      }
      return .value(.texts(texts))
    }
    let words = words.last ?? ""
    if words.isEmpty { return .value(.null) }
    if case .date = field.type, DayWords.isNever(words) { return .value(.null) }
    if case .reference(let kind) = field.type {
      if field.field == Field.Todo.parent, DayWords.isNever(words) { return .value(.null) }
      if kind == .list, words == Self.noList { return .value(.null) }
      return .record(try book.finder.find(words, kind: kind).id)
    }
    return .value(try value(words, for: field))
  }

  private func value(_ words: String, for field: FieldSchema) throws(WordsFault) -> Value {
    switch field.type {
    case .text: return .text(words)
    case .date: return .date(try field.name == "birthdate" ? birthdate(words) : day(words))
    case .instant: return .integer(try instant(words).milliseconds)
    case .priority: return .integer(try priority(words).rawValue)
    case .colour: return .integer(try colour(words))
    case .boolean: return .boolean(try flag(words, field.optionName))
    case .leapRule: return .integer(try leapRule(words).rawValue)
    case .minute: return .integer(Int64(try timeOfDay(words)))
    case .integer(let range): return .integer(try number(words, field.optionName, in: range))
    case .reference, .texts, .tag, .bytes, .map, .repeatRule:
      throw .badValue(field.optionName, words, "It cannot be set here.")
    }
  }

  private func flag(_ words: String, _ name: String) throws(WordsFault) -> Bool {
    switch words {
    case "yes", "true": return true
    case "no", "false": return false
    default: throw .badValue(name, words, "Use yes or no.")
    }
  }

  private func leapRule(_ words: String) throws(WordsFault) -> LeapRule {
    guard let rule = LeapRule(words: words) else {
      throw .badValue("the leap-rule", words, "Use february-28 or march-1.")
    }
    return rule
  }
}

extension LeadTimes {
  package static let advice =
    "Use days or weeks (at most 366 days), separated by commas, such as 7,1,0 or 2w,0, or the word 'none'."
}
