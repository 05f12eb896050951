import Domain

/// The meaning of a word in a repeat phrase, in any language.
enum RepeatToken: Equatable, Sendable {
  /// `every`, `each` and `every!`.
  case every(keepsMissed: Bool = false, countsFromDone: Bool = false)
  case number(Int)
  /// `first`, `15th`, `last`; negative if counted from the end.
  case ordinal(Int)
  /// A day, week, month or year, or several of them; for example, a quarter is three months.
  case unit(RepeatRule.Frequency, count: Int = 1)
  /// `other`, as in `every other week`.
  case other
  case weekdays([Weekday])
  case month(Int)
  /// `in`, before the months of the rule.
  case inMonths
  /// `of`, between a day and its month.
  case of
  /// `of the month`.
  case ofMonth
  /// `falling on`, between days of the month and the days of the week on which they must fall.
  case falling
  /// `after done`.
  case afterDone
  /// `counted from the start`.
  case fromStart
  /// `omitting missing days`.
  case omitting

  static let workdays = RepeatToken.weekdays([.monday, .tuesday, .wednesday, .thursday, .friday])
  /// A weekend is treated as its Saturday, as in dates.
  static let weekend = RepeatToken.weekdays([.saturday])
}
