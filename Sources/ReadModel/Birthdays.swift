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

package enum BirthdayOrder: Sendable {
  /// Last name, then first name; missing names first.
  case name
  /// Year, month and day; unknown parts first, birthdays without any date last.
  case date

  fileprivate var sql: String {
    switch self {
    case .name: "last_name_folded, first_name_folded, birthdate_number, id"
    case .date:
      "birthdate_number IS NULL, birthdate_number, last_name_folded, first_name_folded, id"
    }
  }
}

extension ReadModel {
  package func birthdays(
    by order: BirthdayOrder = .name, page: Page = .all
  ) throws(ReadModelError) -> [BirthdayRow] {
    try birthdays("ORDER BY \(order.sql) LIMIT ?1 OFFSET ?2", page.values)
  }

  /// The birthdays of which month and day are known, in the order of the calendar.
  package func birthdaysWithDay() throws(ReadModelError) -> [BirthdayRow] {
    try birthdays(
      """
      WHERE birth_month IS NOT NULL AND birth_day IS NOT NULL
      ORDER BY birth_month, birth_day, last_name_folded, first_name_folded, id
      """)
  }

  package func birthday(_ key: EventKey) throws(ReadModelError) -> BirthdayRow? {
    try birthdays("WHERE log = ?1 AND sequence = ?2", key.values).first
  }

  private func birthdays(
    _ clauses: String, _ values: [SQLiteValue] = []
  ) throws(ReadModelError) -> [BirthdayRow] {
    let sql = """
      SELECT \(RowHead.columns), first_name, last_name, birthdate_number, leap_rule, lead
      FROM shown_birthday \(clauses)
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

extension EventKey {
  var values: [SQLiteValue] { [.integer(log), .integer(sequence)] }
}
