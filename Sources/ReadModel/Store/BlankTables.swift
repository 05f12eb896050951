internal import SQLite

/// Tables with nothing in them, as the bytes of a file.
///
/// SQLite reads a schema much faster than it executes the statements that make one.
struct BlankTables: Sendable {
  let bytes: [UInt8]
  /// The pages at the top of all b-trees, by name.
  let roots: [String: Int]
  let columns: [(table: String, columns: [String])]

  /// Opens them in memory, where they can be written to.
  func opened() throws(ReadModelError) -> Connection {
    try reading { [bytes] () throws(SQLiteError) in try Connection(pieces: [bytes]) }
  }

  /// Made at the first use.
  static let shared: Result<BlankTables, ReadModelError> = Result { () throws(ReadModelError) in
    let tables = TableConnection(
      try reading { () throws(SQLiteError) in try Connection(.memory) })
    try TableSchema.create(in: tables, isFile: false)
    let roots = try tables.rows("SELECT name, rootpage FROM sqlite_schema") { row in
      (row.text(0), Int(row.integer(1)))
    }
    return BlankTables(
      bytes: try reading { () throws(SQLiteError) in try tables.connection.contents() },
      roots: Dictionary(uniqueKeysWithValues: roots), columns: try TableSchema.columns(of: tables))
  }
}
