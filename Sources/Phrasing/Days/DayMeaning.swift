/// What a phrase for a day means; the values of its slots complete it.
enum DayMeaning: Sendable {
  /// That many days after today.
  case days(Int)
  /// The `number` of `unit` after today, times 1 or -1.
  case distance(Int)
  /// The next `weekday`, which is never today, and that many weeks later.
  case coming(weeks: Int)
  /// The next `weekday`, and `number` weeks later.
  case comingLater
  /// The latest `weekday` before today.
  case previous
  /// The `weekday` of the week that is so many weeks after this one. Weeks begin on Monday, as in ISO 8601.
  case inWeek(Int)
  /// The next Saturday; today at the weekend.
  case weekend
  /// The first day of the week, month or year that is so many after this one.
  case first(DayUnit, Int)
  /// The last day of such a week, month or year.
  case last(DayUnit, Int)
  /// The next `day` of a month, which is never today.
  case nextDay
  /// The `day` of the month that is so many after this one.
  case inMonth(Int)
  /// The `day` of `month`, and of `year` if it is said.
  case date
  /// The `day` of `month` in the year that is so many after this one.
  case inYear(Int)
  /// A day of each year.
  case holiday(month: Int, day: Int)
  /// A part of `month`, and of `year` if it is said.
  case part(MonthPart)
  /// The `weekday` at `ordinal` in `month`, and of `year` if it is said.
  case nth
  /// The `weekday` at `ordinal` in the month that is so many after this one.
  case nthInMonth(Int)
  /// The Monday or `weekday` of `week`, and of `year` if it is said.
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
