internal import Domain
internal import SQLite

/// Named values that the caller stores.
package struct SettingTable {
  let tables: TableConnection

  /// Returns the value with the given name, or nil if there is none.
  package func value(_ name: String) throws(ReadModelError) -> [UInt8]? {
    try tables.rows("SELECT value FROM setting WHERE name = ?1", [.text(name)]) { $0.bytes(0) }
      .first
  }

  static let order = "INSERT OR REPLACE INTO setting VALUES (?1, ?2)"

  /// Stores a value under a name, outside ``ChangeWriter/commit(_:change:expecting:)``.
  package func keep(_ name: String, _ value: [UInt8]) throws(ReadModelError) {
    try reading { () throws(SQLiteError) in
      try tables.statements.run(Self.order, [.text(name), .blob(value)])
    }
  }
}
