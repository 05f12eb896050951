/// The meaning of a phrase for a day, which is completed by the values of the phrase's slots.
enum DayMeaning: Sendable {
  /// The given number of days after today.
  case days(Int)
  /// The number of units after today that `number` and `unit` state, times 1 or -1.
  case distance(Int)
  /// The `weekday` alone, which means the next such day or, in the past, the last such day, but never today.
  case weekday
  /// The given number of weeks after the next `weekday`, which is never today.
  case coming(weeks: Int)
  /// `number` weeks after the next `weekday`.
  case comingLater
  /// The latest `weekday` before today.
  case previous
  /// The `weekday` of a week, counted from this week. Weeks begin on Monday, as in ISO 8601.
  case inWeek(Int)
  /// The next Saturday, or today if it is a day of the weekend.
  case weekend
  /// The first day of a week, month or year, counted from the current week, month or year.
  case first(DayUnit, Int)
  /// A whole week, month or year rather than a day, counted from the current week, month or year.
  case whole(DayUnit, Int)
  /// A whole `month` rather than a day, in `year` if the phrase has one.
  case wholeMonth
  /// The last day of a week, month or year, counted from the current week, month or year.
  case last(DayUnit, Int)
  /// The next `day` of a month or, in the past, the last such day, but never today.
  case nextDay
  /// The `day` of a month, counted from this month.
  case inMonth(Int)
  /// The `day` of `month`, in `year` if the phrase has one.
  case date
  /// The `day` of `month` in a year, counted from this year.
  case inYear(Int)
  /// A day of each year.
  case holiday(month: Int, day: Int)
  /// A part of `month`, in `year` if the phrase has one.
  case part(MonthPart)
  /// The `weekday` at `ordinal` in `month`, in `year` if the phrase has one.
  case nth
  /// The `weekday` at `ordinal` in a month, counted from this month.
  case nthInMonth(Int)
  /// The Monday or `weekday` of `week`, in `year` if the phrase has one.
  case week
  /// The day `yearDay` of `year`.
  case yearDay
}

enum DayUnit: Int, Sendable {
  case day = 1
  case week, month, year
}

enum MonthPart: Sendable {
  case beginning, middle, end
}
