internal import SQLite

/// Keeps statements compiled, since to compile one takes longer than to run most of them.
final class StatementShelf {
  final class Kept {
    var statement: Statement
    init(_ statement: consuming Statement) { self.statement = statement }
  }

  // Before the connection: the last one to go closes the file.
  private var kept: [String: Kept] = [:]
  private let connection: Connection

  /// So many are kept; queries are put together from parts, and a process that stays might ask for all.
  private static let most = 200

  init(_ connection: Connection) { self.connection = connection }

  func run(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) {
    let found = try take(sql)
    defer { putBack(found, sql) }
    try found.statement.bind(values)
    try found.statement.run()
  }

  /// The columns of the only row of a query, if there is one.
  func row(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) -> [SQLiteValue]? {
    let found = try take(sql)
    defer { putBack(found, sql) }
    try found.statement.bind(values)
    guard try found.statement.step() else { return nil }
    return (0..<found.statement.columnCount).map { found.statement.value($0) }
  }

  /// Takes a statement off the shelf, or compiles it; meanwhile somebody else who asks for it gets another.
  func take(_ sql: String) throws(SQLiteError) -> Kept {
    if let found = kept.removeValue(forKey: sql) { return found }
    return Kept(try connection.prepare(sql))
  }

  /// Puts a statement back, which lets go of its locks and of what was bound to it.
  func putBack(_ found: Kept, _ sql: String) {
    found.statement.reset()
    found.statement.clearBindings()
    if kept.count >= Self.most { kept = [:] }
    kept[sql] = found
  }
}
