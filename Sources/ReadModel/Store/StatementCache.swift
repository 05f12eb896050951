internal import SQLite

/// Keeps statements compiled, since to compile one takes longer than to run most of them.
final class StatementCache {
  /// A statement that somebody has taken.
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

  /// So many are kept; queries are put together from parts, and a process that stays might ask for all.
  private static let most = 200

  init(_ connection: Connection) { self.connection = connection }

  func run(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) {
    let taken = try take(sql)
    defer { putBack(taken, sql) }
    try taken.run(values)
  }

  /// Takes a statement off the shelf, or compiles it; meanwhile somebody else who asks for it gets another.
  ///
  /// Whoever runs it so often that to look for it would count may keep it.
  func take(_ sql: String) throws(SQLiteError) -> Taken {
    if let found = kept.removeValue(forKey: sql) { return found }
    return Taken(try connection.prepare(sql))
  }

  /// Puts a statement back, which lets go of its locks and of what was bound to it.
  func putBack(_ taken: Taken, _ sql: String) {
    taken.statement.reset()
    taken.statement.clearBindings()
    if kept.count >= Self.most { kept = [:] }
    kept[sql] = taken
  }
}
