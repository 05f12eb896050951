package import Domain
internal import SQLite

/// Records to which facts can be applied, with the rows that they were read from.
///
/// A commit compares the new rows with the stored rows, and does not have to read them again.
package struct Hydrated {
  package var records: Records
  var rows = StoredRows()

  /// Wraps records without any rows.
  package init(_ records: Records) { self.records = records }
}

/// The rows of `entity` as they were read.
struct StoredRows {
  private var rows: [EventKey: [SQLiteValue]?] = [:]

  /// Stores the row of an entity; nil means that the entity has no row.
  mutating func note(_ row: [SQLiteValue]?, under key: EventKey) {
    rows.updateValue(row, forKey: key)
  }

  /// Returns the stored row of an entity, or the result of `reading` if none is stored.
  func row(
    _ key: EventKey, reading: () throws(SQLiteError) -> [SQLiteValue]?
  ) throws(SQLiteError) -> [SQLiteValue]? {
    if let known = rows[key] { return known }
    return try reading()
  }
}

/// The columns of an `entity` row that describe its document.
struct Shown: Equatable {
  /// The member under which the document is shown.
  let key: EventKey
  let isAlive: Bool

  init(under key: EventKey, isAlive: Bool) { (self.key, self.isAlive) = (key, isAlive) }

  /// Reads the columns from a row, or returns nil if the entity belongs to no document.
  init?(_ row: [SQLiteValue]) {
    guard case .integer(let log) = row[Self.log], case .integer(let sequence) = row[Self.log + 1]
    else { return nil }
    key = EventKey(log: UInt32(truncatingIfNeeded: log), sequence: UInt64(bitPattern: sequence))
    isAlive = row[Self.log + 2] == 1
  }

  private static let log: Int = {
    guard let place = TableSchema.entityColumns.firstIndex(of: "shown_log") else {
      preconditionFailure("entities are shown")
    }
    return place
  }()
}
