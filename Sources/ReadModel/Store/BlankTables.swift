internal import SQLite

/// The bytes of a database file with empty tables.
///
/// SQLite reads a schema much faster than it executes the statements that create one.
struct BlankTables: Sendable {
  let bytes: [UInt8]
  /// The page number of the root of each b-tree, by the name of the table or index.
  let roots: [String: Int]
  let columns: [(table: String, columns: [String])]

  /// Opens a writable copy in memory.
  func opened() throws(ReadModelError) -> Connection {
    try reading { [bytes] () throws(SQLiteError) in try Connection(pieces: [bytes]) }
  }

  /// The shared tables, which are created on first use.
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
