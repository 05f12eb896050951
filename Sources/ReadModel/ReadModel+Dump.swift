internal import SQLite

extension ReadModel {
  /// All rows of all tables as text, in the order of their keys: what two read models are compared by.
  package func dump() throws(ReadModelError) -> [String] {
    let names = try rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
    ) { $0.text(0) }
    var lines: [String] = []
    for name in names {
      let columns = try rows("SELECT name FROM pragma_table_info(?1) ORDER BY cid", [.text(name)]) {
        $0.text(0)
      }
      // The names are those of our own schema, which holds no other characters than letters and `_`.
      let quoted = columns.map { "quote(\($0))" }.joined(separator: " || ', ' || ")
      lines += try rows("SELECT \(quoted) FROM \(name) ORDER BY 1") { "\(name): \($0.text(0))" }
    }
    return lines
  }
}
