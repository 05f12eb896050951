package import Domain

/// Why text cannot be read as a repeat phrase.
package enum RepeatFault: Error {
  /// The words do not form a rule; the word is the first that does not fit, if there is one.
  case unreadable(word: String?)
  /// The words have several meanings, each of which the given phrases say clearly.
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
