internal import Domain
internal import SQLite

/// A connection to the database of a read model, with its compiled statements.
package final class TableConnection {
  let connection: Connection
  /// The path of the database, from which it can be opened again; nil in memory.
  let file: String?
  let statements: StatementCache

  /// - Parameters:
  ///   - connection: An open connection.
  ///   - file: The path of the database; nil in memory.
  init(_ connection: Connection, to file: String? = nil) {
    (self.connection, self.file) = (connection, file)
    statements = StatementCache(connection)
  }

  /// Opens a database for reading, without checking it: another connection has done that.
  package init(reading file: String) throws(ReadModelError) {
    connection = try reading { () throws(SQLiteError) in try Connection(.file(file, .readOnly)) }
    self.file = file
    statements = StatementCache(connection)
    try keepFewPages()
  }

  /// Limits the page cache for a scan.
  ///
  /// A scan needs no page twice, and new memory takes longer to get than a page to read.
  func keepFewPages() throws(ReadModelError) { try run("PRAGMA cache_size = -256") }

  /// Sets the page cache to the size for writing.
  func keepPages() throws(ReadModelError) { try run("PRAGMA cache_size = -\(Self.pagesKiB)") }

  /// The size of the page cache for writing, in KiB.
  static let pagesKiB = 24 << 10

  /// Runs a statement without values or rows.
  func run(_ sql: String) throws(ReadModelError) {
    try reading { () throws(SQLiteError) in try connection.execute(sql) }
  }

  /// All rows of a query.
  func rows<Row>(
    _ sql: String, _ values: [SQLiteValue] = [],
    _ read: (borrowing Statement) throws(ReadModelError) -> Row
  ) throws(ReadModelError) -> [Row] {
    do {
      let taken = try statements.take(sql)
      defer { statements.putBack(taken, sql) }
      try taken.statement.bind(values)
      var rows: [Row] = []
      while try taken.statement.step() { rows.append(try read(taken.statement)) }
      return rows
    } catch let error as SQLiteError {
      throw ReadModelError(error)
    } catch let error as ReadModelError {
      throw error
    } catch {
      preconditionFailure("nothing else is thrown here")
    }
  }

  /// The number in the only row of a query.
  func integer(_ sql: String, _ values: [SQLiteValue] = []) throws(ReadModelError) -> Int64 {
    try rows(sql, values) { $0.integer(0) }.first ?? 0
  }

  func transaction<Value>(
    _ body: () throws(ReadModelError) -> Value
  ) throws(ReadModelError) -> Value {
    try connection.transaction(failingAs: { ReadModelError($0) }, body)
  }

  /// Asks many small queries of one state.
  func snapshot<Value>(
    _ body: () throws(ReadModelError) -> Value
  ) throws(ReadModelError) -> Value {
    try snapshot(failingAs: { $0 }, body)
  }

  /// Asks many small queries of one state, which is sooner done than to look for the latest one at each.
  ///
  /// - Parameters:
  ///   - wrap: Tells a failure in the caller's terms.
  ///   - body: What to read; it must not write.
  /// - Returns: What the body returned.
  /// - Throws: What the body threw, or what `wrap` made of a failure to begin or end.
  package func snapshot<Value, Failure: Error>(
    failingAs wrap: (ReadModelError) -> Failure, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try connection.snapshot(failingAs: { wrap(ReadModelError($0)) }, body)
  }
}
