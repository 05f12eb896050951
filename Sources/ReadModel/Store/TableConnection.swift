internal import Domain
internal import SQLite

/// A connection to the database of a read model, with a cache of compiled statements.
package final class TableConnection {
  let connection: Connection
  /// The path of the database, for additional connections; nil in memory.
  let file: String?
  let statements: StatementCache

  /// Wraps an open connection.
  ///
  /// - Parameters:
  ///   - connection: The open connection.
  ///   - file: The path of the database; nil in memory.
  init(_ connection: Connection, to file: String? = nil) {
    (self.connection, self.file) = (connection, file)
    statements = StatementCache(connection)
  }

  /// Opens a database for reading without checking it; another connection must have checked it.
  package init(reading file: String) throws(ReadModelError) {
    connection = try reading { () throws(SQLiteError) in try Connection(.file(file, .readOnly)) }
    connection.leftLogBytes = .max
    self.file = file
    statements = StatementCache(connection)
    try keepFewPages()
  }

  /// Limits the page cache for a scan.
  ///
  /// A scan reads each page once, and allocating memory takes longer than reading a page.
  func keepFewPages() throws(ReadModelError) { try run("PRAGMA cache_size = -256") }

  /// Sets the page cache to the size for writing.
  func keepPages() throws(ReadModelError) { try run("PRAGMA cache_size = -\(Self.pagesKiB)") }

  /// The size of the page cache for writing, in KiB.
  static let pagesKiB = 24 << 10

  /// Runs SQL without parameters and without result rows.
  func run(_ sql: String) throws(ReadModelError) {
    try reading { () throws(SQLiteError) in try connection.execute(sql) }
  }

  /// Runs a query and converts all its rows.
  func rows<Row>(
    _ sql: String, _ values: [SQLiteValue] = [],
    _ read: (borrowing Statement) throws(ReadModelError) -> Row
  ) throws(ReadModelError) -> [Row] {
    do {
      let taken = try statements.take(sql)
      defer { statements.putBack(taken) }
      try taken.statement.bind(values)
      var rows: [Row] = []
      while try taken.statement.step() { rows.append(try read(taken.statement)) }
      return rows
    } catch let error as SQLiteError {
      throw ReadModelError(error)
    } catch let error as ReadModelError {
      throw error
    } catch {
      preconditionFailure("no other errors are thrown here")
    }
  }

  /// Returns the integer in the only row of a query, or 0 if there is no row.
  func integer(_ sql: String, _ values: [SQLiteValue] = []) throws(ReadModelError) -> Int64 {
    try rows(sql, values) { $0.integer(0) }.first ?? 0
  }

  func transaction<Value>(
    _ body: () throws(ReadModelError) -> Value
  ) throws(ReadModelError) -> Value {
    try connection.transaction(failingAs: { ReadModelError($0) }, body)
  }

  /// Runs several queries on one state of the database.
  func snapshot<Value>(
    _ body: () throws(ReadModelError) -> Value
  ) throws(ReadModelError) -> Value {
    try snapshot(failingAs: { $0 }, body)
  }

  /// Runs several queries on one state of the database.
  ///
  /// A snapshot is faster than separate queries, each of which has to find the latest state.
  ///
  /// - Parameters:
  ///   - wrap: Converts an error at the beginning or the end of the transaction.
  ///   - body: Runs the queries; it must not write.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, or the result of `wrap`.
  package func snapshot<Value, Failure: Error>(
    failingAs wrap: (ReadModelError) -> Failure, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try connection.snapshot(failingAs: { wrap(ReadModelError($0)) }, body)
  }
}
