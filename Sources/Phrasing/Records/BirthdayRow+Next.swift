package import Domain
package import ReadModel

extension BirthdayRow {
  /// The next occurrence on or after a day; the rule is for those who have none of their own.
  package func next(from day: CivilDate, rule: LeapRule) -> UpcomingBirthday? {
    birthdate?.nextBirthday(from: day, rule: leapRule.flatMap(LeapRule.init) ?? rule)
  }

  /// First and last name as far as they are known.
  package var name: String { [firstName, lastName].compactMap(\.self).joined(separator: " ") }
}

extension UpcomingBirthday {
  /// Whether the age is one that people make more of.
  package var isMilestone: Bool {
    turns.map { $0 > 0 && ($0 == 18 || $0.isMultiple(of: 10)) } ?? false
  }
}
