internal import CSQLite

extension Statement {
  /// Binds the values of some rows to the parameters, one row behind the other, runs to the end, and resets.
  ///
  /// SQLite reads texts and blobs where they lie, and forgets where that was before this returns.
  package mutating func run(_ rows: RowBuffer, from first: Int, count: Int) throws(SQLiteError) {
    let cells = rows.cells[first * rows.width..<(first + count) * rows.width]
    precondition(cells.count == parameterCount, "every parameter has one value")
    defer { clearBindings() }
    let span = rows.bytes.span
    try unsafe span.withUnsafeBufferPointer { bytes throws(SQLiteError) in
      for place in cells.indices {
        try pass(unsafe bind(cells[place], in: bytes, at: Int32(place - cells.startIndex + 1)))
      }
      try run()
    }
  }

  @unsafe private func bind(
    _ cell: RowBuffer.Cell, in bytes: UnsafeBufferPointer<UInt8>, at position: Int32
  ) -> Int32 {
    switch cell {
    case .integer(let value): return unsafe sqlite3_bind_int64(raw, position, value)
    case .real(let value): return unsafe sqlite3_bind_double(raw, position, value)
    case .null: return unsafe sqlite3_bind_null(raw, position)
    case .text(_, 0):
      return unsafe sqlite3_bind_text(raw, position, "", 0, daybook_sqlite_transient())
    case .blob(_, 0): return unsafe sqlite3_bind_zeroblob(raw, position, 0)
    case .text(let start, let count):
      let text = unsafe UnsafeRawBufferPointer(
        rebasing: UnsafeRawBufferPointer(bytes)[start..<start + count])
      return unsafe sqlite3_bind_text64(
        raw, position, text.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(count), nil,
        UInt8(SQLITE_UTF8))
    case .blob(let start, let count):
      let blob = unsafe UnsafeRawBufferPointer(
        rebasing: UnsafeRawBufferPointer(bytes)[start..<start + count])
      return unsafe sqlite3_bind_blob64(raw, position, blob.baseAddress, UInt64(count), nil)
    }
  }
}
