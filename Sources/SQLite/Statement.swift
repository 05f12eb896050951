internal import CSQLite

/// Owns one compiled statement and finalises it.
///
/// Bind, then ``step()`` while it says that a row is there, then ``reset()``. Bound values stay
/// until they are bound again.
@safe package struct Statement: ~Copyable {
  let raw: OpaquePointer
  /// Whether columns may be read.
  var hasRow = false

  package let columnCount: Int
  package let parameterCount: Int

  @unsafe init(owning raw: OpaquePointer) {
    unsafe self.raw = raw
    columnCount = unsafe Int(sqlite3_column_count(raw))
    parameterCount = unsafe Int(sqlite3_bind_parameter_count(raw))
  }

  deinit {
    // The code returned repeats an error which `step` has already thrown.
    unsafe sqlite3_finalize(raw)
  }

  /// The text the statement was compiled from.
  package var sql: String {
    guard let text = unsafe sqlite3_sql(raw) else { return "" }
    return unsafe String(cString: text)
  }

  /// Moves to the next row.
  ///
  /// A statement that fails is reset, so that it holds no lock and can be run again.
  ///
  /// - Returns: Whether there is a row to read.
  package mutating func step() throws(SQLiteError) -> Bool {
    let code = unsafe sqlite3_step(raw)
    hasRow = code == SQLITE_ROW
    do throws(SQLiteError) {
      try pass(code)
    } catch {
      reset()
      throw error
    }
    return hasRow
  }

  /// Makes the statement ready to be run again, and lets go of its locks.
  package mutating func reset() {
    // The code returned repeats an error which `step` has already thrown.
    unsafe sqlite3_reset(raw)
    hasRow = false
  }

  /// Runs to the end with what is bound, drops any rows, and resets.
  package mutating func run() throws(SQLiteError) {
    while try step() {}
    reset()
  }

  /// Binds a value to every parameter, runs to the end, and resets.
  ///
  /// It makes an array for each call; loops over very many rows bind by type instead.
  package mutating func run(_ values: SQLiteValue...) throws(SQLiteError) {
    try bind(values)
    try run()
  }

  func pass(_ code: Int32) throws(SQLiteError) {
    try unsafe check(code, on: sqlite3_db_handle(raw), sql: sql)
  }
}
