internal import Domain

/// The word `rec:` of Simpletask, topydo and pter: `rec:1w` counts from the day of completion, and `rec:+1w` from the
/// due date.
///
/// `1b` is a business day: a day from Monday to Friday.
enum TodoTxtRepeat: RepeatNotation {
  static func text(_ rule: RepeatRule, from due: CivilDate) -> String? {
    guard let period = period(rule, from: due) else { return nil }
    switch rule.basis {
    case .done: return period
    case .due: return "+" + period
    // A distance in days or weeks is the same from the start and from the due date.
    case .start: return "dwb".contains(period.last ?? " ") ? "+" + period : nil
    }
  }

  private static func period(_ rule: RepeatRule, from due: CivilDate) -> String? {
    if rule.isOfBusinessDays { return "1b" }
    guard let plain = rule.plain(from: due) else { return nil }
    let unit =
      switch plain.frequency {
      case .daily: "d"
      case .weekly: "w"
      case .monthly: "m"
      case .yearly: "y"
      }
    return "\(plain.interval)\(unit)"
  }

  static func rule(_ text: String, from due: CivilDate) -> RepeatRule? {
    let isStrict = text.first == "+"
    let digits = text.dropFirst(isStrict ? 1 : 0).dropLast()
    guard (1...6).contains(digits.utf8.count),
      digits.allSatisfy({ $0.isASCII && $0.isNumber }), let interval = Int(digits)
    else { return nil }
    let basis: RepeatRule.Basis = isStrict ? .due : .done
    let frequency: RepeatRule.Frequency
    switch text.last {
    case "d": frequency = .daily
    case "w": frequency = .weekly
    case "m": frequency = .monthly
    case "y": frequency = .yearly
    case "b":
      guard interval == 1 else { return nil }
      return try? RepeatRule(.weekly, days: RepeatRule.Day.business, basis: basis)
    default: return nil
    }
    // An interval of 0 is not valid.
    return (try? RepeatRule(frequency, interval: interval, basis: basis))?
      .skippingMissingDays(from: due)
  }
}

extension RepeatRule {
  /// Whether the dates are all days from Monday to Friday.
  var isOfBusinessDays: Bool {
    (frequency == .weekly || frequency == .daily) && interval == 1 && months.isEmpty
      && monthDays.isEmpty && days == Day.business
  }
}

extension RepeatRule.Day {
  /// Monday to Friday.
  static let business = (1...5).compactMap { Weekday(rawValue: $0).map { RepeatRule.Day($0) } }
}
