internal import Domain
internal import SQLite

/// Dumps all rows as text.
package struct TableDump {
  let tables: TableConnection

  /// All rows of all tables as text, sorted; equal dumps mean equal tables.
  package func dump() throws(ReadModelError) -> [String] {
    try quotedRows().map { "\($0.table): \($0.columns.joined(separator: ", "))" }
  }

  /// All rows of all tables, sorted, with each column as an SQL literal.
  package func quotedRows() throws(ReadModelError) -> [(table: String, columns: [String])] {
    var found: [(table: String, columns: [String])] = []
    for (table, columns) in try BlankTables.shared.get().columns {
      // The names come from this module's schema. They consist of letters and `_` only.
      let quoted = columns.map { "quote(\($0))" }.joined(separator: ", ")
      let order = columns.indices.map { "\($0 + 1)" }.joined(separator: ", ")
      found += try tables.rows("SELECT \(quoted) FROM \(table) ORDER BY \(order)") { row in
        (table, columns.indices.map { row.text($0) })
      }
    }
    return found
  }
}
