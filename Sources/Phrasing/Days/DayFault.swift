package import Domain

/// The reason why text cannot be read as a date.
package enum DayFault: Error {
  case date(CivilDateError)
  /// The words also contain a time of day.
  case time
  /// The words mean that no date has been chosen yet.
  case noDay
  /// The words mean that there is no date.
  case never
  /// The words name a repetition.
  case repeating
  /// The words state that there is no year, but a year is needed.
  case noYear
  /// The year has only two digits, so its century is not known.
  case shortYear
  /// The given year, or any year if it is nil, has at most this many days or weeks.
  case yearHas(Int?, Int, String)
  /// The words could mean any of these dates.
  case severalReadings([CivilDate])
}
