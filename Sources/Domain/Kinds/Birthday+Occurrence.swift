/// The day on which a person born on 29 February celebrates in a year without that day.
package enum LeapRule: Int64, Sendable {
  case february28 = 0
  case march1 = 1
}

/// The next occurrence of a birthday.
package struct UpcomingBirthday: Hashable, Sendable {
  package let date: CivilDate
  /// The number of days until the occurrence.
  package let inDays: Int
  /// The age reached on that day; nil if the year of birth is unknown.
  package let turns: Int?
  /// The rule that moved the day, if the person was born on 29 February and the year has no such day; otherwise nil.
  package let observedRule: LeapRule?

  package init(date: CivilDate, inDays: Int, turns: Int?, observedRule: LeapRule?) {
    self.date = date
    self.inDays = inDays
    self.turns = turns
    self.observedRule = observedRule
  }
}

extension CivilDate {
  /// The year that address books write for an unknown year of birth.
  private static let yearMeaningNone = 1604

  /// The first birthday on or after a day; nil if the month or day of birth is unknown.
  ///
  /// For a birth date in the future, the result is the birth date itself. Each occurrence is computed from the birth
  /// date.
  package func nextBirthday(from today: CivilDate, rule: LeapRule) -> UpcomingBirthday? {
    let birthYear = year == Self.yearMeaningNone ? nil : year
    guard let thisYear = today.year, today.isComplete else { return nil }
    let first = max(thisYear, birthYear ?? thisYear)
    for year in first...first + 1 {
      guard let date = occurrence(in: year, rule: rule), let inDays = date.days(since: today),
        inDays >= 0
      else { continue }
      return UpcomingBirthday(
        date: date, inDays: inDays, turns: birthYear.map { year - $0 },
        observedRule: date.day == day ? nil : rule)
    }
    return nil
  }

  /// The day of a year on which the date recurs; nil unless month and day are known and the year is 1 to 9999.
  ///
  /// The occurrence is computed from the date itself rather than from an earlier occurrence, because occurrences of 29
  /// February would otherwise drift.
  package func occurrence(in year: Int, rule: LeapRule) -> CivilDate? {
    guard let month, let day, Self.years.contains(year) else { return nil }
    if month == 2, day == 29, !Self.isLeap(year) {
      return switch rule {
      case .february28: CivilDate(valid: year, 2, 28)
      case .march1: CivilDate(valid: year, 3, 1)
      }
    }
    return CivilDate(valid: year, month, day)
  }
}

extension Birthday {
  /// The next occurrence on or after a day.
  ///
  /// `rule` applies to people without a rule of their own.
  package func next(
    from today: CivilDate, rule: LeapRule = .february28
  ) -> UpcomingBirthday? {
    birthdate?.nextBirthday(from: today, rule: leapRule ?? rule)
  }
}
