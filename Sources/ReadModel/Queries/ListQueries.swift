package import Domain
internal import SQLite

package struct ListRow: Equatable, Sendable {
  package let head: RowHead
  package let name: String?
  /// The colour as 0xRRGGBB.
  package let colour: Int64?
  /// The number of to-dos on the list, and the number of these that are open.
  package let todos: Int64
  package let openTodos: Int64
}

/// Reads lists.
package struct ListQueries {
  let tables: TableConnection

  /// All lists, by name.
  package func lists(page: Page = .all) throws(ReadModelError) -> [ListRow] {
    var clauses = Clauses()
    clauses.take(
      page, of: ListTable.shown,
      by: ["coalesce(name_order, name_folded)", "coalesce(name, '')", "id"])
    return try lists(clauses.sql, clauses.values)
  }

  package func list(_ key: EventKey) throws(ReadModelError) -> ListRow? {
    try lists("WHERE log = ?1 AND sequence = ?2", key.values).first
  }

  /// The number of lists with each colour.
  package func countsByColour() throws(ReadModelError) -> [Int64: Int] {
    let sql = """
      SELECT colour, count(*) FROM \(ListTable.shown) WHERE colour IS NOT NULL GROUP BY colour
      """
    let counts = try tables.rows(sql) { ($0.integer(0), Int($0.integer(1))) }
    return Dictionary(counts, uniquingKeysWith: +)
  }

  private func lists(
    _ clauses: String, _ values: [SQLiteValue]
  ) throws(ReadModelError) -> [ListRow] {
    let sql = """
      SELECT \(RowHead.columns), name, colour,
        \(Self.count(of: "todos")), \(Self.count(of: "open"))
      FROM \(ListTable.shown) \(clauses)
      """
    return try tables.rows(sql, values) { row in
      let start = RowHead.count
      return ListRow(
        head: RowHead(row), name: row.textOrNil(start), colour: row.integerOrNil(start + 1),
        todos: row.integer(start + 2), openTodos: row.integer(start + 3))
    }
  }

  /// The SQL for a count of the to-dos on a list, summed over all members of the list.
  private static func count(of column: String) -> String {
    """
    (SELECT coalesce(sum(\(column)), 0) FROM entity AS member
      JOIN todo_count ON list_log = member.log AND list_sequence = member.sequence
      WHERE member.shown_log = shown_list.log AND member.shown_sequence = shown_list.sequence)
    """
  }
}
