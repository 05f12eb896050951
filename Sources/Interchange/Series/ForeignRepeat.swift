package import Domain

/// How a to-do repeats according to words in a file.
package struct ForeignRepeat: Equatable, Sendable {
  package var rule: RepeatRule
  /// The first due date: the due date in the file, or else the first date of the rule that is not in the past.
  package var due: CivilDate
  package var until: CivilDate?
  /// The minute of the day at which the to-do is due.
  package var minute: Int64?

  package init(
    _ rule: RepeatRule, due: CivilDate, until: CivilDate? = nil, minute: Int64? = nil
  ) {
    (self.rule, self.due, self.until, self.minute) = (rule, due, until, minute)
  }
}
