internal import SQLite

/// Compiled statements, by their SQL text.
///
/// Compiling a statement usually takes longer than running it.
final class StatementCache {
  /// A statement, which has at most one user at a time.
  final class Taken {
    var statement: Statement
    fileprivate var isInUse = true
    fileprivate init(_ statement: consuming Statement) { self.statement = statement }

    func run(_ values: [SQLiteValue]) throws(SQLiteError) {
      try statement.bind(values)
      try statement.run()
    }

    /// Runs a query that has at most one row, and returns its columns.
    func row(_ values: [SQLiteValue]) throws(SQLiteError) -> [SQLiteValue]? {
      defer { statement.reset() }
      try statement.bind(values)
      guard try statement.step() else { return nil }
      return (0..<statement.columnCount).map { statement.value($0) }
    }
  }

  // The statements are declared before the connection, so that they are released first. The file is closed when the
  // last of them is released.
  private var kept: [String: Taken] = [:]
  private let connection: Connection

  /// The maximum number of cached statements; a full cache is emptied.
  ///
  /// Queries are composed of parts, so a long-running process could compile any number of statements.
  private static let most = 200

  init(_ connection: Connection) { self.connection = connection }

  func run(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) {
    let taken = try take(sql)
    defer { putBack(taken) }
    try taken.run(values)
  }

  /// Takes a statement out of the cache, or compiles it.
  ///
  /// Until the statement is returned, another caller that requests the same SQL receives a separate statement, which
  /// replaces it in the cache. A caller that runs a statement many times can keep it.
  func take(_ sql: String) throws(SQLiteError) -> Taken {
    if let found = kept[sql], !found.isInUse {
      found.isInUse = true
      return found
    }
    let new = Taken(try connection.prepare(sql))
    if kept.count >= Self.most { kept = [:] }
    kept[sql] = new
    return new
  }

  /// Returns a statement to the cache, and releases its locks and bindings.
  func putBack(_ taken: Taken) {
    taken.statement.reset()
    taken.statement.clearBindings()
    taken.isInUse = false
  }
}
