internal import CSQLite

/// Owns one compiled statement, and finalizes it.
///
/// Bind values, call ``step()`` until it returns false, and then call ``reset()``. Bound values are kept until new
/// values are bound.
@safe package struct Statement: ~Copyable {
  let raw: OpaquePointer
  /// Whether columns can be read.
  private var hasRow = false

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
  /// If a statement fails, it is reset, so it holds no lock and can be run again.
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
  /// Each call allocates an array, so loops over very many rows should bind by type instead.
  package mutating func run(_ values: SQLiteValue...) throws(SQLiteError) {
    try bind(values)
    try run()
  }

  func pass(_ code: Int32) throws(SQLiteError) {
    try unsafe check(code, on: sqlite3_db_handle(raw), sql: sql)
  }
}

/// Columns are numbered from 0, and SQLite converts their values to the requested type.
extension Statement {
  package func columnName(_ column: Int) -> String {
    precondition((0..<columnCount).contains(column), "the statement has such a column")
    guard let name = unsafe sqlite3_column_name(raw, Int32(column)) else { return "" }
    return unsafe String(cString: name)
  }

  package func integer(_ column: Int) -> Int64 {
    unsafe sqlite3_column_int64(raw, checked(column))
  }

  package func real(_ column: Int) -> Double {
    unsafe sqlite3_column_double(raw, checked(column))
  }

  /// Returns text, which is empty for NULL.
  ///
  /// Invalid UTF-8 is replaced by U+FFFD.
  package func text(_ column: Int) -> String {
    let column = checked(column)
    // The order of these calls matters, because requesting the text may convert it and change the count.
    guard let start = unsafe sqlite3_column_text(raw, column) else { return "" }
    let count = unsafe Int(sqlite3_column_bytes(raw, column))
    return unsafe String(
      decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package func textOrNil(_ column: Int) -> String? {
    isNull(column) ? nil : text(column)
  }

  /// Returns a blob, which is empty for NULL.
  package func bytes(_ column: Int) -> [UInt8] {
    let column = checked(column)
    // The order of these calls matters, because requesting the blob may convert it and change the count.
    guard let start = unsafe sqlite3_column_blob(raw, column) else { return [] }
    let count = unsafe Int(sqlite3_column_bytes(raw, column))
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Calls the body with a blob in SQLite's memory, which is empty for NULL.
  package func withBytes<Value>(_ column: Int, _ body: (Span<UInt8>) -> Value) -> Value {
    let column = checked(column)
    // The order of these calls matters, because requesting the blob may convert it and change the count.
    let start = unsafe sqlite3_column_blob(raw, column)?.assumingMemoryBound(to: UInt8.self)
    let count = unsafe start == nil ? 0 : Int(sqlite3_column_bytes(raw, column))
    return unsafe body(UnsafeBufferPointer(start: start, count: count).span)
  }

  /// Returns the length in bytes of a text or blob value without reading it; 0 for other types.
  package func byteCount(_ column: Int) -> Int {
    switch unsafe sqlite3_column_type(raw, checked(column)) {
    case SQLITE_TEXT, SQLITE_BLOB: unsafe Int(sqlite3_column_bytes(raw, Int32(column)))
    default: 0
    }
  }

  package func isNull(_ column: Int) -> Bool {
    unsafe sqlite3_column_type(raw, checked(column)) == SQLITE_NULL
  }

  /// Returns the value of a column in the value's own type.
  package func value(_ column: Int) -> SQLiteValue {
    switch unsafe sqlite3_column_type(raw, checked(column)) {
    case SQLITE_INTEGER: .integer(integer(column))
    case SQLITE_FLOAT: .real(real(column))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: .blob(bytes(column))
    default: .null
    }
  }

  private func checked(_ column: Int) -> Int32 {
    precondition(hasRow, "a column is read from a row")
    precondition((0..<columnCount).contains(column), "the statement has such a column")
    return Int32(column)
  }
}
