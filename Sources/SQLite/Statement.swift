internal import CSQLite

/// Owns one compiled statement and finalises it.
///
/// Bind values, call ``step()`` until it returns false, and then call ``reset()``. Bound values are kept until new
/// values are bound.
@safe package struct Statement: ~Copyable {
  let raw: OpaquePointer
  /// Whether columns can be read.
  var hasRow = false

  package let columnCount: Int
  package let parameterCount: Int

  @unsafe init(owning raw: OpaquePointer) {
    unsafe self.raw = raw
    columnCount = unsafe Int(sqlite3_column_count(raw))
    parameterCount = unsafe Int(sqlite3_bind_parameter_count(raw))
  }

  deinit {
    // The returned code repeats an error that `step` has already thrown.
    unsafe sqlite3_finalize(raw)
  }

  /// The text from which the statement was compiled.
  package var sql: String {
    guard let text = unsafe sqlite3_sql(raw) else { return "" }
    return unsafe String(cString: text)
  }

  /// Moves to the next row.
  ///
  /// A statement that fails is reset, so it holds no lock and can be run again.
  ///
  /// - Returns: Whether there is a row to read.
  /// - Throws: ``SQLiteError`` if the statement fails.
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

  /// Prepares the statement to be run again, and releases its locks.
  package mutating func reset() {
    // The returned code repeats an error that `step` has already thrown.
    unsafe sqlite3_reset(raw)
    hasRow = false
  }

  /// Runs to the end with the bound values, ignores any rows, and resets.
  package mutating func run() throws(SQLiteError) {
    while try step() {}
    reset()
  }

  /// Binds a value to every parameter, runs to the end, and resets.
  ///
  /// Each call allocates an array; loops over very many rows bind by type instead.
  package mutating func run(_ values: SQLiteValue...) throws(SQLiteError) {
    try bind(values)
    try run()
  }

  func pass(_ code: Int32) throws(SQLiteError) {
    try unsafe check(code, on: sqlite3_db_handle(raw), sql: sql)
  }
}
