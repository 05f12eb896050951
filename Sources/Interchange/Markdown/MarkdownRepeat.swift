internal import Domain

/// The rules of Obsidian's Tasks plugin, such as `every 2 weeks on Monday, Friday when done`.
///
/// The plugin parses the rules with the library rrule.js.
enum MarkdownRepeat: RepeatNotation {
  static func text(_ rule: RepeatRule, from due: CivilDate) -> String? {
    guard
      let words = words(rule, from: due) ?? rule.plain(from: due).flatMap({ words($0, from: due) })
    else { return nil }
    switch rule.basis {
    case .due: return words
    case .done: return words + " when done"
    // A distance in days or weeks is the same from the start and from the due date.
    case .start: return rule.frequency == .daily || rule.frequency == .weekly ? words : nil
    }
  }

  private static func words(_ rule: RepeatRule, from due: CivilDate) -> String? {
    if rule.isOfBusinessDays { return "every weekday" }
    if rule.monthDays.isEmpty, rule.skipsBackward != rule.canMissDays(anchor: due) { return nil }
    switch rule.frequency {
    case .daily: return rule.hasNoParts ? every(rule.interval, "day") : nil
    case .weekly:
      guard rule.months.isEmpty else { return nil }
      let days = rule.days.map { weekday($0.weekday) }
      return every(rule.interval, "week")
        + (days.isEmpty ? "" : " on " + days.joined(separator: ", "))
    case .monthly:
      guard let head = rule.months.isEmpty ? every(rule.interval, "month") : months(rule) else {
        return nil
      }
      return places(rule).map { head + $0 }
    case .yearly:
      if rule.hasNoParts { return every(rule.interval, "year") }
      guard rule.days.isEmpty, !rule.monthDays.isEmpty, let head = months(rule) else { return nil }
      return places(rule).map { head + $0 }
    }
  }

  private static func every(_ interval: Int, _ unit: String) -> String {
    interval == 1 ? "every \(unit)" : "every \(interval) \(unit)s"
  }

  private static func months(_ rule: RepeatRule) -> String? {
    guard rule.interval == 1, !rule.months.isEmpty else { return nil }
    return "every " + rule.months.map { monthNames[$0 - 1] }.joined(separator: ", ")
  }

  /// Returns the days within a month; nil if the plugin has no words for them.
  private static func places(_ rule: RepeatRule) -> String? {
    if rule.monthDays.isEmpty, rule.days.isEmpty { return "" }
    // The plugin skips months that lack one of the rule's days.
    guard rule.monthDays.isEmpty || rule.days.isEmpty, rule.monthDays.isEmpty || !rule.skipsBackward
    else { return nil }
    let days = rule.days.compactMap { day in
      day.ordinal.map { ordinal($0) + " " + weekday(day.weekday) }
    }
    guard days.count == rule.days.count else { return nil }
    return " on the " + (rule.monthDays.map(ordinal) + days).joined(separator: ", ")
  }

  private static func ordinal(_ number: Int) -> String {
    if number == -1 { return "last" }
    let count = abs(number)
    let ending =
      switch (count % 10, count / 10) {
      case (_, 1): "th"
      case (1, _): "st"
      case (2, _): "nd"
      case (3, _): "rd"
      default: "th"
      }
    return "\(count)\(ending)" + (number < 0 ? " last" : "")
  }

  private static func weekday(_ day: Weekday) -> String { weekdayNames[day.rawValue - 1] }

  fileprivate static let weekdayNames = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
  fileprivate static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  static func rule(_ text: String, from due: CivilDate) -> RepeatRule? {
    guard let rule = MarkdownRepeatReading(text)?.rule else { return nil }
    return rule.monthDays.isEmpty ? rule.skippingMissingDays(from: due) : rule
  }
}

extension RepeatRule {
  fileprivate var hasNoParts: Bool { months.isEmpty && monthDays.isEmpty && days.isEmpty }
}

/// Reads the words of a rule.
private struct MarkdownRepeatReading {
  private var rest: ArraySlice<String>
  private var interval = 1
  private var months: [Int] = []
  private var monthDays: [Int] = []
  private var days: [RepeatRule.Day] = []
  private var frequency = RepeatRule.Frequency.weekly
  private var basis = RepeatRule.Basis.due

  /// Reads a rule; nil for anything else.
  init?(_ text: String) {
    let words = text.lowercased().replacing(",", with: " , ").split(separator: " ")
      .map(String.init)
    rest = words[...]
    if words.suffix(2) == ["when", "done"] {
      basis = .done
      rest = rest.dropLast(2)
    }
    guard rest.popFirst() == "every", takeHead() else { return nil }
    while let word = rest.popFirst() {
      guard ["on", "the", "and", "or", ","].contains(word) || takePlace(word) else { return nil }
    }
  }

  /// The rule; nil if daybook does not support it.
  var rule: RepeatRule? {
    // In a yearly rule with months, ordinals count within the month.
    let isByMonth = frequency == .yearly && days.contains { $0.ordinal != nil }
    if frequency == .daily || frequency == .yearly, months.isEmpty,
      !(days.isEmpty && monthDays.isEmpty)
    {
      return nil
    }
    return try? RepeatRule(
      isByMonth ? .monthly : frequency, interval: interval, months: months, monthDays: monthDays,
      days: days, basis: basis)
  }

  /// Parses `2 weeks`, `weekday`, `Monday` or `January`.
  private mutating func takeHead() -> Bool {
    guard var word = rest.popFirst() else { return false }
    if let number = word == "other" ? 2 : Int(word) {
      guard number > 0, let next = rest.popFirst() else { return false }
      (interval, word) = (number, next)
    }
    switch word.hasSuffix("s") ? String(word.dropLast()) : word {
    case "day": frequency = .daily
    case "week": frequency = .weekly
    case "month": frequency = .monthly
    case "year": frequency = .yearly
    case "weekday": days = RepeatRule.Day.business
    default:
      if takePlace(word) { return interval == 1 && days.allSatisfy { $0.ordinal == nil } }
      return takeMonths(from: word)
    }
    return true
  }

  private mutating func takeMonths(from first: String) -> Bool {
    guard let month = Self.place(of: first, in: MarkdownRepeat.monthNames), interval == 1 else {
      return false
    }
    (frequency, months) = (.yearly, [month])
    while let next = rest.first {
      if let month = Self.place(of: next, in: MarkdownRepeat.monthNames) {
        months.append(month)
      } else if next != "and", next != "," {
        break
      }
      rest = rest.dropFirst()
    }
    return true
  }

  /// Parses `Monday`, `1st`, `last Friday` or `2nd last`.
  private mutating func takePlace(_ word: String) -> Bool {
    if let day = Self.weekday(word) {
      days.append(RepeatRule.Day(day))
      return true
    }
    guard var number = Self.ordinal(word) else { return false }
    if number > 0, rest.first == "last" {
      rest = rest.dropFirst()
      number = -number
    }
    if let day = rest.first.flatMap(Self.weekday) {
      rest = rest.dropFirst()
      days.append(RepeatRule.Day(day, ordinal: number))
    } else {
      monthDays.append(number)
    }
    return true
  }

  private static func weekday(_ word: String) -> Weekday? {
    let bare = word.hasSuffix("s") && word.count > 4 ? String(word.dropLast()) : word
    return place(of: bare, in: MarkdownRepeat.weekdayNames).flatMap(Weekday.init(rawValue:))
  }

  /// Returns the position of a name, counted from 1; the first three letters of the name suffice.
  private static func place(of word: String, in names: [String]) -> Int? {
    names.firstIndex { $0.lowercased() == word || $0.lowercased().prefix(3) == word }.map { $0 + 1 }
  }

  private static func ordinal(_ word: String) -> Int? {
    switch word {
    case "last": return -1
    case "first": return 1
    case "second": return 2
    case "third": return 3
    default:
      guard ["st", "nd", "rd", "th"].contains(where: word.hasSuffix) else { return nil }
      return Int(word.dropLast(2))
    }
  }
}
