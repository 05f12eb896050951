// The text of a rule: RFC 5545, 3.3.10, with SKIP from RFC 7529 and daybook's own parts FROM and MISSED.

extension RepeatRule {
  /// The canonical text, which the field `repeat` contains: parts in a fixed order, and no part that has its default.
  package var text: String {
    var parts = ["FREQ=\(frequency.rawValue)"]
    if interval != 1 { parts.append("INTERVAL=\(interval)") }
    if !months.isEmpty { parts.append("BYMONTH=\(Self.list(months))") }
    if !monthDays.isEmpty { parts.append("BYMONTHDAY=\(Self.list(monthDays))") }
    if !days.isEmpty { parts.append("BYDAY=\(days.map(\.text).joined(separator: ","))") }
    if let count { parts.append("COUNT=\(count)") }
    if skipsBackward { parts.append("SKIP=BACKWARD") }
    switch basis {
    case .due: break
    case .start: parts.append("FROM=START")
    case .done: parts.append("FROM=DONE")
    }
    if keepsMissed { parts.append("MISSED=KEEP") }
    return parts.joined(separator: ";")
  }

  private static func list(_ numbers: [Int]) -> String {
    numbers.map(String.init).joined(separator: ",")
  }

  /// Reads the canonical text and no other form.
  ///
  /// The read model calls this initializer for the value of the field `repeat`; if the initializer throws an error, the
  /// to-do does not repeat.
  package init(canonical text: String) throws(RepeatRuleError) {
    let (rule, until) = try Self.reading(text)
    if until != nil { throw .unsupported(part: "UNTIL") }
    guard rule.text.utf8.elementsEqual(text.utf8) else { throw .notCanonical(rule.text) }
    self = rule
  }

  /// Reads the canonical text; nil for any other text.
  package init?(canonicalIfValid text: String) {
    do throws(RepeatRuleError) { try self.init(canonical: text) } catch { return nil }
  }

  /// Reads a rule of another program, whose parts may be in any order and letter case and may include defaults and
  /// UNTIL.
  ///
  /// Importers call this method, and commands call it for text that a user typed. The field `repeat` gets the ``text``
  /// of the rule, and the field `until` gets the day of UNTIL, whose text is returned unchanged.
  package static func reading(
    _ text: String
  ) throws(RepeatRuleError) -> (rule: RepeatRule, until: String?) {
    var parts = Parts()
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { throw .unreadable(String(part)) }
      try parts.take(pair[0].uppercased(), pair[1].uppercased())
    }
    return (try parts.rule(), parts.until)
  }
}

extension RepeatRule.Day {
  private static let codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  fileprivate var text: String {
    (ordinal.map(String.init) ?? "") + Self.codes[weekday.rawValue - 1]
  }

  /// Reads `MO`, `1MO`, `-1FR`.
  fileprivate init?(_ text: Substring) {
    guard let place = Self.codes.firstIndex(of: String(text.suffix(2))),
      let weekday = Weekday(rawValue: place + 1)
    else { return nil }
    let number = text.dropLast(2)
    if number.isEmpty {
      self.init(weekday)
    } else {
      guard let ordinal = Parts.number(number) else { return nil }
      self.init(weekday, ordinal: ordinal)
    }
  }
}

/// The parts of a text that have been read so far.
private struct Parts {
  private var names: Set<String> = []
  private var frequency: RepeatRule.Frequency?
  private var interval = 1
  private var months: [Int] = []
  private var monthDays: [Int] = []
  private var days: [RepeatRule.Day] = []
  private var count: Int?
  private var skipsBackward = false
  private var basis = RepeatRule.Basis.due
  private var keepsMissed = false
  private var weekStart = "MO"
  var until: String?

  mutating func take(_ name: String, _ value: String) throws(RepeatRuleError) {
    guard names.insert(name).inserted else { throw .repeated(part: name) }
    func only<Meaning>(_ meanings: [String: Meaning]) throws(RepeatRuleError) -> Meaning {
      guard let meaning = meanings[value] else { throw .badValue(name, value) }
      return meaning
    }
    func numbers() throws(RepeatRuleError) -> [Int] {
      let words = value.split(separator: ",", omittingEmptySubsequences: false)
      let numbers = words.compactMap(Self.number)
      guard numbers.count == words.count else { throw .badValue(name, value) }
      return numbers
    }
    func number() throws(RepeatRuleError) -> Int {
      let numbers = try numbers()
      guard numbers.count == 1 else { throw .badValue(name, value) }
      return numbers[0]
    }
    switch name {
    case "FREQ":
      guard let known = RepeatRule.Frequency(rawValue: value) else { throw .badValue(name, value) }
      frequency = known
    case "INTERVAL": interval = try number()
    case "BYMONTH": months = try numbers()
    case "BYMONTHDAY": monthDays = try numbers()
    case "BYDAY":
      let words = value.split(separator: ",", omittingEmptySubsequences: false)
      days = words.compactMap { RepeatRule.Day($0) }
      guard days.count == words.count else { throw .badValue(name, value) }
    case "COUNT": count = try number()
    case "UNTIL": until = value
    case "WKST": weekStart = value
    // RFC 7529 requires RSCALE together with SKIP.
    case "RSCALE": _ = try only(["GREGORIAN": true])
    case "SKIP": skipsBackward = try only(["BACKWARD": true, "OMIT": false])
    case "FROM": basis = try only(["START": .start, "DONE": .done, "DUE": .due])
    case "MISSED": keepsMissed = try only(["KEEP": true, "SKIP": false])
    default: throw .unsupported(part: name)
    }
  }

  func rule() throws(RepeatRuleError) -> RepeatRule {
    guard let frequency else { throw .noFrequency }
    let rule = try RepeatRule(
      frequency, interval: interval, months: months, monthDays: monthDays, days: days, count: count,
      skipsBackward: skipsBackward, basis: basis, keepsMissed: keepsMissed)
    // The first day of the week makes no difference to other rules.
    let mattersWhenWeekStarts = frequency == .weekly && interval > 1 && !days.isEmpty
    if weekStart != "MO", mattersWhenWeekStarts { throw .badValue("WKST", weekStart) }
    return rule
  }

  /// Reads a number with at most seven digits and an optional sign.
  static func number(_ word: Substring) -> Int? {
    let digits = word.hasPrefix("-") || word.hasPrefix("+") ? word.dropFirst() : word
    guard (1...7).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(word)
  }
}
