internal import Domain
internal import SQLite

/// All rows as text.
package struct TableDump {
  let tables: TableConnection

  /// All rows of all tables as text, in the order of their keys: what two read models are compared by.
  package func dump() throws(ReadModelError) -> [String] {
    try quotedRows().map { "\($0.table): \($0.columns.joined(separator: ", "))" }
  }

  /// All rows of all tables, each column as SQL would write it.
  package func quotedRows() throws(ReadModelError) -> [(table: String, columns: [String])] {
    var found: [(table: String, columns: [String])] = []
    for (table, columns) in try BlankTables.shared.get().columns {
      // The names are those of our own schema, which holds no other characters than letters and `_`.
      let quoted = columns.map { "quote(\($0))" }.joined(separator: ", ")
      let order = columns.indices.map { "\($0 + 1)" }.joined(separator: ", ")
      found += try tables.rows("SELECT \(quoted) FROM \(table) ORDER BY \(order)") { row in
        (table, columns.indices.map { row.text($0) })
      }
    }
    return found
  }
}
