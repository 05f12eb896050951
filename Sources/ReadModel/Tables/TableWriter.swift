internal import SQLite

/// Writes the rows of one table, with statements that stay compiled; the first two columns are the key.
///
/// Each statement is compiled on first use, because compiling an insert or a delete for a table with many indexes takes
/// longer than the rest of a commit with one row.
final class TableWriter {
  private let name: String
  private let columns: [String]
  private let shelf: StatementCache
  private var select: StatementCache.Taken?
  private var insert: StatementCache.Taken?
  private var delete: StatementCache.Taken?
  /// The update statements, by the indices of the columns that they set.
  private var updates: [[Int]: StatementCache.Taken] = [:]

  /// The condition that selects a row by its key.
  static let isKey = "log = ?1 AND sequence = ?2"

  init(_ name: String, _ columns: [String], _ shelf: StatementCache) {
    (self.name, self.columns, self.shelf) = (name, columns, shelf)
  }

  func row(_ key: [SQLiteValue]) throws(SQLiteError) -> [SQLiteValue]? {
    try ready(&select) {
      "SELECT \(columns.joined(separator: ", ")) FROM \(name) WHERE \(Self.isKey)"
    }.row(key)
  }

  func remove(_ key: [SQLiteValue]) throws(SQLiteError) {
    try ready(&delete) { "DELETE FROM \(name) WHERE \(Self.isKey)" }.run(key)
  }

  /// Inserts a row, or updates the columns of an existing row that differ.
  ///
  /// A row can be in more than ten b-trees, on a different page in each. Most changes affect one column, which only a
  /// few indexes contain.
  func put(_ values: [SQLiteValue], over old: [SQLiteValue]?) throws(SQLiteError) {
    guard let old else { return try add(values) }
    let changed = values.indices.filter { !values[$0].isStored(as: old[$0]) }
    guard !changed.isEmpty else { return }
    try update(at: changed).run(values[..<2] + changed.map { values[$0] })
  }

  private func add(_ values: [SQLiteValue]) throws(SQLiteError) {
    try ready(&insert) {
      let names = columns.joined(separator: ", ")
      let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
      return "INSERT INTO \(name) (\(names)) VALUES (\(places))"
    }.run(values)
  }

  private func update(at changed: [Int]) throws(SQLiteError) -> StatementCache.Taken {
    try ready(&updates[changed]) {
      let sets = changed.enumerated().map { "\(columns[$1]) = ?\($0 + 3)" }
      return "UPDATE \(name) SET \(sets.joined(separator: ", ")) WHERE \(Self.isKey)"
    }
  }

  /// Returns a statement, which is compiled if there is none yet.
  private func ready(
    _ kept: inout StatementCache.Taken?, _ sql: () -> String
  ) throws(SQLiteError) -> StatementCache.Taken {
    if let kept { return kept }
    let new = try shelf.take(sql())
    kept = new
    return new
  }
}

extension SQLiteValue {
  /// Whether a column that holds `other` need not be written; strings must be equal byte for byte.
  fileprivate func isStored(as other: SQLiteValue) -> Bool {
    if case .text(let text) = self, case .text(let stored) = other {
      return text.utf8.elementsEqual(stored.utf8)
    }
    return self == other
  }
}
