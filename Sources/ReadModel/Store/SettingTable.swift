internal import Domain
internal import SQLite

/// Values that the caller keeps under names.
package struct SettingTable {
  let tables: TableConnection

  /// What the caller kept under a name.
  package func value(_ name: String) throws(ReadModelError) -> [UInt8]? {
    try tables.rows("SELECT value FROM setting WHERE name = ?1", [.text(name)]) { $0.bytes(0) }
      .first
  }

  static let order = "INSERT OR REPLACE INTO setting VALUES (?1, ?2)"

  /// Keeps something under a name that no commit has to bring.
  package func keep(_ name: String, _ value: [UInt8]) throws(ReadModelError) {
    try reading { () throws(SQLiteError) in
      try tables.statements.run(Self.order, [.text(name), .blob(value)])
    }
  }
}
