internal import Domain

/// A format's own notation of repeat rules, such as `rec:+1w`.
///
/// Other programs read the notation. Parts of a rule that the notation cannot express are in a word that only daybook
/// reads.
protocol RepeatNotation {
  /// Returns the text for a rule.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - due: The first due date.
  /// - Returns: The text, perhaps without the end of the rule and other parts that the notation lacks; nil if no text
  ///   has the same dates.
  static func text(_ rule: RepeatRule, from due: CivilDate) -> String?

  /// Reads the text of a rule; nil for anything else, and for rules that daybook does not support.
  static func rule(_ text: String, from due: CivilDate) -> RepeatRule?
}

extension RepeatNotation {
  /// Returns the text for a rule, which is the imported text if that still means the rule.
  static func text(_ rule: RepeatRule, from due: CivilDate, as kept: String?) -> String? {
    if let kept, self.rule(kept, from: due) == rule { return kept }
    return text(rule, from: due)
  }

  /// Returns whether text alone describes a rule completely.
  static func says(_ text: String?, _ rule: RepeatRule, from due: CivilDate) -> Bool {
    text.flatMap { self.rule($0, from: due) } == rule
  }

  /// Returns the rule of an entry.
  ///
  /// - Parameters:
  ///   - text: The text in the format's own notation, which other programs may have changed.
  ///   - own: The rule that daybook wrote next to the text.
  ///   - due: The first due date.
  /// - Returns: The rule; nil if the entry has no rule that daybook can express.
  static func rule(_ text: String?, beside own: RepeatRule?, from due: CivilDate) -> RepeatRule? {
    let told = text.flatMap { self.rule($0, from: due) }
    guard let own else { return told }
    let written = self.text(own, from: due).flatMap { self.rule($0, from: due) }
    return written == told ? own : told
  }
}

extension RepeatRule {
  /// Returns the rule itself if all months have its days, otherwise the rule that replaces a missing day with the last
  /// day of the month, as most programs do.
  func skippingMissingDays(from due: CivilDate) -> RepeatRule {
    canMissDays(anchor: due) ? skippingBackward(true) : self
  }

  /// The same rule, except that each missed date must be closed.
  var keepingMissed: RepeatRule? {
    replacing(skipsBackward: skipsBackward, basis: basis, keepsMissed: true, count: count)
  }

  /// Returns a rule with the same dates that needs neither months nor days, because it takes them from the first date;
  /// nil if there is none.
  func plain(from due: CivilDate) -> RepeatRule? {
    let isOfAnchor =
      switch frequency {
      case .daily: months.isEmpty && monthDays.isEmpty && days.isEmpty
      case .weekly:
        months.isEmpty
          && (days.isEmpty || (days.count == 1 && days[0].weekday == due.weekday))
      case .monthly: months.isEmpty && days.isEmpty && isMonthDay(of: due)
      case .yearly:
        days.isEmpty && (months.isEmpty ? monthDays.isEmpty : months == [due.month ?? 0])
          && isMonthDay(of: due)
      }
    guard isOfAnchor, basis != .done || (months.isEmpty && monthDays.isEmpty && days.isEmpty) else {
      return nil
    }
    let plain = replacing(
      months: [], monthDays: [], days: [], skipsBackward: skipsBackward, basis: basis,
      keepsMissed: keepsMissed, count: count)
    // Programs move a day that a month lacks to the last day of that month.
    guard let plain, plain.skipsBackward == plain.canMissDays(anchor: due) else { return nil }
    return plain
  }

  private func isMonthDay(of due: CivilDate) -> Bool {
    monthDays.isEmpty || monthDays == [due.day ?? 0]
  }

  /// Returns a rule with the days of the first date as parts, which has the same dates if it counts from another date.
  func named(after first: CivilDate, on due: CivilDate) -> RepeatRule {
    guard basis != .done, monthDays.isEmpty, days.isEmpty, let day = first.day,
      let month = first.month, let weekday = first.weekday
    else { return self }
    let named: RepeatRule?
    switch frequency {
    case .daily: return self
    case .weekly:
      if weekday == due.weekday { return self }
      named = replacing(
        days: [Day(weekday)], basis: basis, keepsMissed: keepsMissed, count: count)
    case .monthly, .yearly:
      if day == due.day, frequency == .monthly || month == due.month { return self }
      named = replacing(
        months: frequency == .yearly && months.isEmpty ? [month] : months, monthDays: [day],
        skipsBackward: skipsBackward, basis: basis, keepsMissed: keepsMissed, count: count)
    }
    return named ?? self
  }
}
