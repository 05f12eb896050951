internal import SQLite

/// Compiled statements, by their SQL.
///
/// Compiling most statements takes longer than running them.
final class StatementCache {
  /// A statement that is in use.
  final class Taken {
    var statement: Statement
    fileprivate init(_ statement: consuming Statement) { self.statement = statement }

    func run(_ values: [SQLiteValue]) throws(SQLiteError) {
      try statement.bind(values)
      try statement.run()
    }

    /// The columns of the only row of a query, if there is one.
    func row(_ values: [SQLiteValue]) throws(SQLiteError) -> [SQLiteValue]? {
      defer { statement.reset() }
      try statement.bind(values)
      guard try statement.step() else { return nil }
      return (0..<statement.columnCount).map { statement.value($0) }
    }
  }

  // Before the connection: the last one to go closes the file.
  private var kept: [String: Taken] = [:]
  private let connection: Connection

  /// The number of statements that are kept.
  ///
  /// Queries are composed of parts, so a long-lived process could use any number.
  private static let most = 200

  init(_ connection: Connection) { self.connection = connection }

  func run(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) {
    let taken = try take(sql)
    defer { putBack(taken, sql) }
    try taken.run(values)
  }

  /// Takes a statement out of the cache, or compiles it.
  ///
  /// Until it is put back, another caller gets a statement of its own. A caller that runs it many times can keep it.
  func take(_ sql: String) throws(SQLiteError) -> Taken {
    if let found = kept.removeValue(forKey: sql) { return found }
    return Taken(try connection.prepare(sql))
  }

  /// Puts a statement back.
  ///
  /// That releases its locks and its bindings.
  func putBack(_ taken: Taken, _ sql: String) {
    taken.statement.reset()
    taken.statement.clearBindings()
    if kept.count >= Self.most { kept = [:] }
    kept[sql] = taken
  }
}
