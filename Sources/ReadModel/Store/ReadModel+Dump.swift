internal import SQLite

extension ReadModel {
  /// All rows of all tables as text, in the order of their keys: what two read models are compared by.
  package func dump() throws(ReadModelError) -> [String] {
    try quotedRows().map { "\($0.table): \($0.columns.joined(separator: ", "))" }
  }

  /// All rows of all tables, each column as SQL would write it.
  package func quotedRows() throws(ReadModelError) -> [(table: String, columns: [String])] {
    var found: [(table: String, columns: [String])] = []
    for (table, columns) in try Self.blank.get().columns {
      // The names are those of our own schema, which holds no other characters than letters and `_`.
      let quoted = columns.map { "quote(\($0))" }.joined(separator: ", ")
      let order = columns.indices.map { "\($0 + 1)" }.joined(separator: ", ")
      found += try rows("SELECT \(quoted) FROM \(table) ORDER BY \(order)") { row in
        (table, columns.indices.map { row.text($0) })
      }
    }
    return found
  }

  /// The names of all tables' columns.
  func columns() throws(ReadModelError) -> [(table: String, columns: [String])] {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
    return try rows(sql) { $0.text(0) }.map { table throws(ReadModelError) in
      let sql = "SELECT name FROM pragma_table_info(?1) ORDER BY cid"
      return (table, try rows(sql, [.text(table)]) { $0.text(0) })
    }
  }
}
