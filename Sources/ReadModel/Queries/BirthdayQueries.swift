package import Domain
internal import SQLite

/// Reads birthdays.
package struct BirthdayQueries {
  let tables: TableConnection

  package func birthdays(
    by order: BirthdayOrder = .name, page: Page = .all
  ) throws(ReadModelError) -> [BirthdayRow] {
    var clauses = Clauses()
    clauses.take(page, of: BirthdayTable.shown, by: order.terms)
    return try birthdays(clauses.sql, clauses.values)
  }

  /// The birthdays between two days of the year, both included, from January to December.
  ///
  /// The range may extend over New Year, but must not be longer than a year. A birthday on 29 February is included if
  /// the range contains 28 February or 1 March, because it may be celebrated on either day.
  package func birthdays(
    from first: CivilDate, through last: CivilDate
  ) throws(ReadModelError) -> [BirthdayRow] {
    var start = (first.month ?? 1, first.day ?? 1)
    var end = (last.month ?? 12, last.day ?? 31)
    let isWithinYear = start <= end
    if start == (3, 1) { start = (2, 29) }
    if end == (2, 28) { end = (2, 29) }
    if isWithinYear { return try birthdays(from: start, through: end) }
    // If the range ends just before the day on which it begins, 29 February may be at both of its ends.
    if end >= start { return try birthdaysWithDay() }
    return try birthdays(from: (1, 1), through: end) + birthdays(from: start, through: (12, 31))
  }

  /// The birthdays with a known month and day, from January to December.
  package func birthdaysWithDay() throws(ReadModelError) -> [BirthdayRow] {
    try birthdays(from: (1, 1), through: (12, 31))
  }

  package func birthday(_ key: EventKey) throws(ReadModelError) -> BirthdayRow? {
    try birthdays("WHERE log = ?1 AND sequence = ?2", key.values).first
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

  private func birthdays(
    _ clauses: String, _ values: [SQLiteValue] = []
  ) throws(ReadModelError) -> [BirthdayRow] {
    let sql = """
      SELECT \(RowHead.columns), first_name, last_name, birthdate_number, leap_rule, lead
      FROM \(BirthdayTable.shown) \(clauses)
      """
    return try tables.rows(sql, values) { row in
      let start = RowHead.count
      return BirthdayRow(
        head: RowHead(row), firstName: row.textOrNil(start), lastName: row.textOrNil(start + 1),
        birthdate: row.date(start + 2), leapRule: row.integerOrNil(start + 3),
        lead: row.texts(start + 4))
    }
  }
}
