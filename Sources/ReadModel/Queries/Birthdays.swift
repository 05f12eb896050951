package import Domain
internal import SQLite

package struct BirthdayRow: Equatable, Sendable {
  package let head: RowHead
  package let firstName: String?
  package let lastName: String?
  package let birthdate: CivilDate?
  /// The number of the leap rule; nil if the person has no rule of their own.
  package let leapRule: Int64?
  package let lead: [String]
}

package enum BirthdayOrder: Hashable, Sendable {
  /// Last name, first name, then birthdate; missing names first.
  case name
  /// Year, month and day; unknown parts first, birthdays without any date last.
  case date
  /// The next birthday on or after a day; birthdays without month or day last.
  ///
  /// The rule applies to people who have no rule of their own.
  case next(from: CivilDate, rule: LeapRule = .february28)

  var terms: [String] {
    let names = ["last_name_folded", "first_name_folded", "id"]
    switch self {
    case .name:
      return ["last_name_folded", "first_name_folded", "coalesce(birthdate_number, 0)", "id"]
    case .date: return ["birthdate_number IS NULL", "coalesce(birthdate_number, 0)"] + names
    case .next(let day, let rule):
      let today = (day.month ?? 1) * 32 + (day.day ?? 1)
      let number = "coalesce(\(Self.dayNumber(from: day, rule)), 0)"
      return [
        "birth_month IS NULL OR birth_day IS NULL", "\(number) < \(today)", number,
      ] + names
    }
  }

  /// An SQL expression for the day of the year of the next birthday, as a sortable number.
  private static func dayNumber(from day: CivilDate, _ rule: LeapRule) -> String {
    let number = "birth_month * 32 + birth_day"
    let year = day.year ?? 1
    // A birthday on 29 February sorts by the day on which it is celebrated this year or, after 1 March, next year.
    let isOver = (day.month ?? 1, day.day ?? 1) > (3, 1)
    if CivilDate.isLeap(isOver ? year + 1 : year) { return number }
    return """
      CASE WHEN birth_month = 2 AND birth_day = 29
        THEN CASE WHEN coalesce(leap_rule, \(rule.rawValue)) = 1 THEN 3 * 32 + 1 ELSE 2 * 32 + 28 END
        ELSE \(number) END
      """
  }
}
