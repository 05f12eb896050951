internal import Domain

/// Reads another program's RRULE as a daybook rule that has the same dates.
///
/// Programs write the same rule in several ways. The reader converts what daybook's own rules can express in another
/// way: BYSETPOS within a month, and ordinals in a yearly rule. It ignores WKST if weeks that begin on Monday give the
/// same dates.
struct RecurrenceReading {
  private(set) var rule: RepeatRule
  /// The last date, or the last time in UTC or local time.
  private(set) var until: BasicInstant.Reading?

  private typealias Parts = [String: String]

  /// Reads the value of an RRULE; nil if daybook has no rule with the same dates.
  ///
  /// - Parameters:
  ///   - text: The value.
  ///   - anchor: The first date.
  init?(_ text: String, anchor: CivilDate) {
    guard var parts = Self.parts(text) else { return nil }
    Self.dropWeekStart(&parts, anchor)
    guard Self.translateYear(&parts, anchor), Self.translatePositions(&parts) else { return nil }
    let words = parts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    guard let read = try? RepeatRule.reading(words.joined(separator: ";")) else { return nil }
    rule = read.rule
    if let text = read.until {
      guard let reading = BasicInstant.read(text) else { return nil }
      until = reading
    }
  }

  /// Returns the same reading with a rule that counts from another date, or keeps missed dates.
  func replacing(basis: RepeatRule.Basis, keepsMissed: Bool) -> RecurrenceReading {
    var reading = self
    let same = rule.replacing(
      skipsBackward: rule.skipsBackward, basis: rule.basis == .done ? .done : basis,
      keepsMissed: keepsMissed || rule.keepsMissed, count: rule.count)
    reading.rule = same ?? rule
    return reading
  }

  /// Returns the parts by their names; nil if a part has no value, or occurs twice.
  private static func parts(_ text: String) -> Parts? {
    var parts: Parts = [:]
    for part in text.trimmed.uppercased().split(separator: ";") {
      let halves = part.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
      guard halves.count == 2, parts.updateValue(halves[1], forKey: halves[0]) == nil else {
        return nil
      }
    }
    return parts
  }

  private static let weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  private static func items(_ parts: Parts, _ name: String) -> [String] {
    (parts[name] ?? "").split(separator: ",").map(String.init)
  }

  /// Removes the first day of the week if weeks that begin on Monday have the same dates.
  ///
  /// The first day matters only if a rule skips weeks, and only if it is between a weekday of the rule and the weekday
  /// of the first date.
  private static func dropWeekStart(_ parts: inout Parts, _ anchor: CivilDate) {
    guard let start = parts["WKST"], let shift = weekdays.firstIndex(of: start),
      let first = anchor.weekday?.rawValue
    else { return }
    func distance(_ day: Int, _ start: Int) -> Int {
      (day - start + 7) % 7 - (first - 1 - start + 7) % 7
    }
    let days = items(parts, "BYDAY").map { weekdays.firstIndex(of: $0) }
    let isSame = days.allSatisfy { day in
      day.map { distance($0, shift) == distance($0, 0) } ?? false
    }
    if isSame { parts["WKST"] = nil }
  }

  /// Turns a yearly rule with ordinals, such as the last Sunday of March, into a monthly rule.
  private static func translateYear(_ parts: inout Parts, _ anchor: CivilDate) -> Bool {
    guard parts["FREQ"] == "YEARLY", parts["BYSETPOS"] != nil || hasOrdinals(parts) else {
      return true
    }
    let months = items(parts, "BYMONTH").compactMap { Int($0) }
    let interval = parts["INTERVAL"].map { Int($0) } ?? 1
    // Without a month, ordinals count within the year.
    guard let interval, !months.isEmpty else { return false }
    parts["FREQ"] = "MONTHLY"
    if interval == 1 { return parts["BYSETPOS"] == nil || months.count == 1 }
    // The only month must be the month of the first date, from which the interval counts.
    guard months == [anchor.month], (1...10_000).contains(interval) else { return false }
    parts["INTERVAL"] = String(12 * interval)
    return true
  }

  private static func hasOrdinals(_ parts: Parts) -> Bool {
    items(parts, "BYDAY").contains { $0.count > 2 }
  }

  /// Translates the places of dates in a month.
  private static func translatePositions(_ parts: inout Parts) -> Bool {
    guard let text = parts.removeValue(forKey: "BYSETPOS") else { return true }
    guard parts["FREQ"] == "MONTHLY" else { return false }
    let days = items(parts, "BYDAY")
    if parts["BYMONTHDAY"] == nil, !hasOrdinals(parts), let place = Int(text) {
      // The rule may mean the first Monday or, if it names all weekdays, the last day of the month.
      if days.count == 1, (1...5).contains(abs(place)) {
        parts["BYDAY"] = "\(place)\(days[0])"
        return true
      }
      guard Set(days) == Set(weekdays) else { return false }
      (parts["BYDAY"], parts["BYMONTHDAY"]) = (nil, String(place))
      return true
    }
    guard days.isEmpty, parts["SKIP"] == nil, let same = lastDays(parts, text) else { return false }
    parts["BYMONTHDAY"] = same.map(String.init).joined(separator: ",")
    parts["SKIP"] = "BACKWARD"
    return true
  }

  /// Returns the days of a rule with a date on the last day of each month, but not after a limit from the 29th to the
  /// 31st; nil for any other rule.
  ///
  /// The rule may also have dates on days up to the 28th.
  private static func lastDays(_ parts: Parts, _ positions: String) -> [Int]? {
    let days = items(parts, "BYMONTHDAY").compactMap { Int($0) }.sorted()
    let places = positions.split(separator: ",").compactMap { Int($0) }
    guard let last = days.last, (29...31).contains(last), days.allSatisfy({ $0 > 0 }),
      Array(days.suffix(last - 27)) == Array(28...last)
    else { return nil }
    let earlier = Array(days.dropLast(last - 27))
    let others = [earlier, earlier + [28]].first { days in
      places == days.indices.map { $0 + 1 } + [-1]
    }
    return others.map { $0 + [last] }
  }
}
