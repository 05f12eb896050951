internal import SQLite

/// Writes the rows of one table, with statements that stay compiled; the first two columns are the key.
final class TableWriter {
  private let name: String
  private let columns: [String]
  private let shelf: StatementCache
  private let select: StatementCache.Taken
  private let insert: StatementCache.Taken
  private let delete: StatementCache.Taken
  /// The update statements, by the indices of the columns that they set.
  private var updates: [[Int]: StatementCache.Taken] = [:]

  /// The condition that selects a row by its key.
  static let isKey = "log = ?1 AND sequence = ?2"

  init(_ name: String, _ columns: [String], _ shelf: StatementCache) throws(SQLiteError) {
    let names = columns.joined(separator: ", ")
    let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    (self.name, self.columns, self.shelf) = (name, columns, shelf)
    select = try shelf.take("SELECT \(names) FROM \(name) WHERE \(Self.isKey)")
    insert = try shelf.take("INSERT INTO \(name) (\(names)) VALUES (\(places))")
    delete = try shelf.take("DELETE FROM \(name) WHERE \(Self.isKey)")
  }

  func row(_ key: [SQLiteValue]) throws(SQLiteError) -> [SQLiteValue]? { try select.row(key) }

  func remove(_ key: [SQLiteValue]) throws(SQLiteError) { try delete.run(key) }

  /// Inserts a row, or updates the columns of an existing row that differ.
  ///
  /// A row can be in more than ten b-trees, on a different page in each. Most changes affect one column, which only a
  /// few indexes contain.
  func put(_ values: [SQLiteValue], over old: [SQLiteValue]?) throws(SQLiteError) {
    guard let old else { return try insert.run(values) }
    let changed = values.indices.filter { !values[$0].isStored(as: old[$0]) }
    guard !changed.isEmpty else { return }
    try update(at: changed).run(values[..<2] + changed.map { values[$0] })
  }

  private func update(at changed: [Int]) throws(SQLiteError) -> StatementCache.Taken {
    if let known = updates[changed] { return known }
    let sets = changed.enumerated().map { "\(columns[$1]) = ?\($0 + 3)" }
    let new = try shelf.take(
      "UPDATE \(name) SET \(sets.joined(separator: ", ")) WHERE \(Self.isKey)")
    updates[changed] = new
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
