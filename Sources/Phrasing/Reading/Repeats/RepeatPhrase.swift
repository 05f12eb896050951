package import Domain

/// A repeat phrase as a user typed it: a rule, and the first and last dates if the phrase names them.
package struct RepeatPhrase: Equatable, Sendable {
  /// The rule before it is known whether months can lack its days.
  private let template: RepeatRule
  /// Whether the words state that a month that lacks the day is omitted.
  private let omitsMissing: Bool
  /// The last day on which the rule may fall, from `until DATE`, which is the value of the field `until`.
  package let until: CivilDate?
  /// The day from which the rule applies, from `starting DATE`.
  package let begin: CivilDate?

  init(_ rule: RepeatRule, omitsMissing: Bool, until: CivilDate?, begin: CivilDate?) {
    template = rule
    self.omitsMissing = omitsMissing
    self.until = until
    self.begin = begin
  }

  /// The values that a command writes: the due date of the series, the rule, whose text is the value of the field
  /// `repeat`, and the last day if there is one.
  package struct Plan: Equatable, Sendable {
    package let due: CivilDate
    package let rule: RepeatRule
    package let until: CivilDate?
  }

  /// Determines the first date of the series.
  ///
  /// - Parameters:
  ///   - due: The due date that the same command sets, if it sets one.
  ///   - current: The to-do's present due date, which is kept if the rule can fall on it.
  ///   - today: The day from which the first date is searched if nothing else determines it.
  /// - Returns: The values to write.
  /// - Throws: The fault if the rule ends before its first date, or has no date.
  package func plan(
    due: CivilDate?, current: CivilDate? = nil, today: CivilDate
  ) throws(RepeatFault) -> Plan {
    let rule = template.skippingBackward(!omitsMissing)
    let kept = current.flatMap { begin == nil && rule.canFall(on: $0) ? $0 : nil }
    guard let first = due ?? kept ?? rule.firstDate(from: begin ?? today) else { throw .never }
    if let until, until < first { throw .endsEarly(until: until, first: first) }
    return Plan(due: first, rule: self.rule(from: first), until: until)
  }

  /// The rule of a series with the given first date.
  package func rule(from anchor: CivilDate) -> RepeatRule {
    template.skippingBackward(!omitsMissing && template.canMissDays(anchor: anchor))
  }
}
