internal import SQLite

/// Keeps the statements of a loop compiled.
final class StatementShelf {
  private final class Kept {
    var statement: Statement
    init(_ statement: consuming Statement) { self.statement = statement }
  }

  private let connection: Connection
  private var kept: [String: Kept] = [:]

  init(_ connection: Connection) { self.connection = connection }

  func run(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) {
    let found = try statement(sql)
    try found.statement.bind(values)
    try found.statement.run()
  }

  /// The columns of the only row of a query, if there is one.
  func row(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) -> [SQLiteValue]? {
    let found = try statement(sql)
    try found.statement.bind(values)
    guard try found.statement.step() else {
      found.statement.reset()
      return nil
    }
    let row = (0..<found.statement.columnCount).map { found.statement.value($0) }
    found.statement.reset()
    return row
  }

  private func statement(_ sql: String) throws(SQLiteError) -> Kept {
    if let found = kept[sql] { return found }
    let new = Kept(try connection.prepare(sql))
    kept[sql] = new
    return new
  }
}
