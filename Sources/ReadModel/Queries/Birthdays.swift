package import Domain
internal import SQLite

package struct BirthdayRow: Equatable, Sendable {
  package let head: RowHead
  package let firstName: String?
  package let lastName: String?
  package let birthdate: CivilDate?
  /// As the number of a leap rule; nil where the person has none of their own.
  package let leapRule: Int64?
  package let lead: [String]
}

package enum BirthdayOrder: Hashable, Sendable {
  /// Last name, then first name; missing names first.
  case name
  /// Year, month and day; unknown parts first, birthdays without any date last.
  case date
  /// As they come round from a day on, birthdays without month or day last; the rule is for those who have none of
  /// their own.
  case next(from: CivilDate, rule: LeapRule = .february28)

  fileprivate var terms: [String] {
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

  /// The day of the year on which a birthday comes next, as a number that sorts.
  private static func dayNumber(from day: CivilDate, _ rule: LeapRule) -> String {
    let number = "birth_month * 32 + birth_day"
    let year = day.year ?? 1
    // 29 February counts where it is kept in the year whose February is next.
    let isOver = (day.month ?? 1, day.day ?? 1) > (3, 1)
    if CivilDate.isLeap(isOver ? year + 1 : year) { return number }
    return """
      CASE WHEN birth_month = 2 AND birth_day = 29
        THEN CASE WHEN coalesce(leap_rule, \(rule.rawValue)) = 1 THEN 3 * 32 + 1 ELSE 2 * 32 + 28 END
        ELSE \(number) END
      """
  }
}

extension ReadModel {
  package func birthdays(
    by order: BirthdayOrder = .name, page: Page = .all
  ) throws(ReadModelError) -> [BirthdayRow] {
    var clauses = Clauses()
    clauses.take(page, of: BirthdayTable.shown, by: order.terms)
    return try birthdays(clauses.sql, clauses.values)
  }

  /// The birthdays of which month and day are known, in the order of the calendar.
  package func birthdaysWithDay() throws(ReadModelError) -> [BirthdayRow] {
    try birthdays(from: (1, 1), through: (12, 31))
  }

  /// The birthdays that come round from one day to another, less than a year later, in the order of the calendar.
  ///
  /// Those on 29 February are among them where either day they may be kept on is.
  package func birthdays(
    from first: CivilDate, through last: CivilDate
  ) throws(ReadModelError) -> [BirthdayRow] {
    var start = (first.month ?? 1, first.day ?? 1)
    var end = (last.month ?? 12, last.day ?? 31)
    let isWithinYear = start <= end
    if start == (3, 1) { start = (2, 29) }
    if end == (2, 28) { end = (2, 29) }
    if isWithinYear { return try birthdays(from: start, through: end) }
    // A span that ends right before it begins may have 29 February at both ends.
    if end >= start { return try birthdaysWithDay() }
    return try birthdays(from: (1, 1), through: end) + birthdays(from: start, through: (12, 31))
  }

  private func birthdays(
    from start: (Int, Int), through end: (Int, Int)
  ) throws(ReadModelError) -> [BirthdayRow] {
    try birthdays(
      """
      WHERE (birth_month, birth_day) >= (?1, ?2) AND (birth_month, birth_day) <= (?3, ?4)
      ORDER BY birth_month, birth_day, last_name_folded, first_name_folded, id
      """, [start.0, start.1, end.0, end.1].map { .integer(Int64($0)) })
  }

  package func birthday(_ key: EventKey) throws(ReadModelError) -> BirthdayRow? {
    try birthdays("WHERE log = ?1 AND sequence = ?2", key.values).first
  }

  private func birthdays(
    _ clauses: String, _ values: [SQLiteValue] = []
  ) throws(ReadModelError) -> [BirthdayRow] {
    let sql = """
      SELECT \(RowHead.columns), first_name, last_name, birthdate_number, leap_rule, lead
      FROM \(BirthdayTable.shown) \(clauses)
      """
    return try rows(sql, values) { row in
      let start = RowHead.count
      return BirthdayRow(
        head: RowHead(row), firstName: row.textOrNil(start), lastName: row.textOrNil(start + 1),
        birthdate: row.date(start + 2), leapRule: row.integerOrNil(start + 3),
        lead: row.texts(start + 4))
    }
  }
}
