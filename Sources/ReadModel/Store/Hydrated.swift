package import Domain
internal import SQLite

/// Records for facts to be applied to, with the rows they were read from, so that these need not be looked up
/// once more to be written over.
package struct Hydrated {
  package var records: Records
  var rows = StoredRows()

  /// Records that nothing was read for.
  package init(_ records: Records) { self.records = records }
}

/// The rows of `entity` as they stood when they were read.
struct StoredRows {
  private var rows: [EventKey: [SQLiteValue]?] = [:]

  /// Keeps what stood under a key; nil says that nothing did.
  mutating func note(_ row: [SQLiteValue]?, under key: EventKey) {
    rows.updateValue(row, forKey: key)
  }

  /// The row of an entity; where it was not kept, what reading it gives.
  func row(
    _ key: EventKey, reading: () throws(SQLiteError) -> [SQLiteValue]?
  ) throws(SQLiteError) -> [SQLiteValue]? {
    if let known = rows[key] { return known }
    return try reading()
  }
}

/// What a row of `entity` says of the document.
struct Shown: Equatable {
  /// The member it is shown under.
  let key: EventKey
  let isAlive: Bool

  init(under key: EventKey, isAlive: Bool) { (self.key, self.isAlive) = (key, isAlive) }

  /// Reads a row; nil where it belongs to no document.
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
