package import Domain

/// The reason why text cannot be read as a repeat phrase.
package enum RepeatFault: Error {
  /// The words do not form a rule; `word` is the first one that does not fit, if there is one.
  case unreadable(word: String?)
  /// The words have several meanings, each of which is stated clearly by one of the given phrases.
  case severalMeanings([String])
  /// The words name days of the year that one rule cannot express: `24 dec and 1 jan`.
  case daysOfSeveralRules
  /// The text is, or the words mean, an RFC 5545 rule that is not supported.
  case rule(RepeatRuleError)
  /// The words after `until` or `starting` are not a date.
  case date(String, DayFault)
  /// The rule ends before its first date.
  case endsEarly(until: CivilDate, first: CivilDate)
  /// The rule has no date up to the year 9999.
  case never
}
