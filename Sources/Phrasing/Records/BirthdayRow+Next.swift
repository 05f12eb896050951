package import Domain
package import ReadModel

extension BirthdayRow {
  /// Returns the next occurrence on or after a day.
  ///
  /// The given rule applies to birthdays that have no rule of their own.
  package func next(from day: CivilDate, rule: LeapRule) -> UpcomingBirthday? {
    birthdate?.nextBirthday(from: day, rule: leapRule.flatMap(LeapRule.init) ?? rule)
  }

  /// The known parts of the first and last name, separated by a space.
  package var name: String { [firstName, lastName].compactMap(\.self).joined(separator: " ") }
}

extension UpcomingBirthday {
  /// Whether the age is 18 or a positive multiple of 10.
  package var isMilestone: Bool {
    turns.map { $0 > 0 && ($0 == 18 || $0.isMultiple(of: 10)) } ?? false
  }
}
