internal import Domain
internal import SQLite

/// Dumps all rows as text.
package struct TableDump {
  let tables: TableConnection

  /// All rows of all tables as text, sorted; equal dumps mean equal tables.
  package func dump() throws(ReadModelError) -> [String] {
    try quotedRows().map { "\($0.table): \($0.columns.joined(separator: ", "))" }
  }

  /// A row, with the value of each column as an SQL literal.
  package struct QuotedRow: Sendable {
    package let table: String
    package let names: [String]
    package let columns: [String]
  }

  /// All rows of all tables, sorted.
  package func quotedRows() throws(ReadModelError) -> [QuotedRow] {
    var found: [QuotedRow] = []
    for (table, columns) in try BlankTables.shared.get().columns {
      // The names come from this module's schema. They consist of letters and `_` only.
      let quoted = columns.map { "quote(\($0))" }.joined(separator: ", ")
      let order = columns.indices.map { "\($0 + 1)" }.joined(separator: ", ")
      found += try tables.rows("SELECT \(quoted) FROM \(table) ORDER BY \(order)") { row in
        QuotedRow(table: table, names: columns, columns: columns.indices.map { row.text($0) })
      }
    }
    return found
  }
}
