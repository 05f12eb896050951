internal import CSQLite

/// Parameters are numbered from 1, as in `?1`.
///
/// SQLite copies text and blobs, so bound values need not exist after the call.
extension Statement {
  package mutating func bind(_ value: Int64, at position: Int) throws(SQLiteError) {
    try pass(unsafe sqlite3_bind_int64(raw, Int32(position), value))
  }

  package mutating func bind(_ value: Int, at position: Int) throws(SQLiteError) {
    try bind(Int64(value), at: position)
  }

  /// Binds 1 for true and 0 for false, because SQLite has no Boolean type.
  package mutating func bind(_ value: Bool, at position: Int) throws(SQLiteError) {
    try bind(value ? 1 as Int64 : 0, at: position)
  }

  package mutating func bind(_ value: Double, at position: Int) throws(SQLiteError) {
    try pass(unsafe sqlite3_bind_double(raw, Int32(position), value))
  }

  package mutating func bind(_ value: String, at position: Int) throws(SQLiteError) {
    let span = value.utf8.span
    let code = unsafe span.withUnsafeBufferPointer { buffer in
      // SQLite treats a null address as NULL, and an empty buffer may have no address.
      guard !buffer.isEmpty else {
        return unsafe sqlite3_bind_text(raw, Int32(position), "", 0, daybook_sqlite_transient())
      }
      return unsafe buffer.withMemoryRebound(to: CChar.self) { text in
        unsafe sqlite3_bind_text64(
          raw, Int32(position), text.baseAddress, UInt64(text.count), daybook_sqlite_transient(),
          UInt8(SQLITE_UTF8))
      }
    }
    try pass(code)
  }

  package mutating func bind(_ value: String?, at position: Int) throws(SQLiteError) {
    guard let value else { return try bindNull(at: position) }
    try bind(value, at: position)
  }

  package mutating func bind(_ value: [UInt8], at position: Int) throws(SQLiteError) {
    try bind(value.span, at: position)
  }

  package mutating func bind(_ value: Span<UInt8>, at position: Int) throws(SQLiteError) {
    let code = unsafe value.withUnsafeBufferPointer { buffer in
      // SQLite treats a null address as NULL, and an empty buffer may have no address.
      guard !buffer.isEmpty else { return unsafe sqlite3_bind_zeroblob(raw, Int32(position), 0) }
      return unsafe sqlite3_bind_blob64(
        raw, Int32(position), buffer.baseAddress, UInt64(buffer.count), daybook_sqlite_transient())
    }
    try pass(code)
  }

  /// Removes the bound values, so that each parameter is NULL.
  package mutating func clearBindings() { unsafe sqlite3_clear_bindings(raw) }

  package mutating func bindNull(at position: Int) throws(SQLiteError) {
    try pass(unsafe sqlite3_bind_null(raw, Int32(position)))
  }

  // This overload is disfavoured, so that a bare `nil` is not ambiguous with the overload for `String?`.
  @_disfavoredOverload
  package mutating func bind(_ value: SQLiteValue, at position: Int) throws(SQLiteError) {
    switch value {
    case .integer(let value): try bind(value, at: position)
    case .real(let value): try bind(value, at: position)
    case .text(let value): try bind(value, at: position)
    case .blob(let value): try bind(value, at: position)
    case .null: try bindNull(at: position)
    }
  }

  /// Binds one value to each parameter, in order.
  package mutating func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    precondition(values.count == parameterCount, "every parameter has one value")
    for (offset, value) in values.enumerated() { try bind(value, at: offset + 1) }
  }
}
