internal import CSQLite

extension Connection {
  /// Opens a copy of a database that is at hand as the bytes of its file; nothing can be written to it.
  ///
  /// It is read with distrust: nothing that its schema says is carried out.
  ///
  /// - Parameter contents: A database file; one that keeps a write-ahead log needs its log applied before.
  /// - Throws: ``SQLiteError`` when there is no memory for it, or a part of its last page is missing; bytes that
  ///   are no database are seen by the first statement.
  package convenience init(contents: [UInt8]) throws(SQLiteError) {
    if let pageBytes = WriteAheadLog.pageBytes(of: contents), pageBytes > 0,
      !contents.count.isMultiple(of: pageBytes)
    {
      throw SQLiteError(code: SQLITE_CORRUPT, message: "the file is cut short")
    }
    try self.init(.memory)
    try adopt([contents.isEmpty ? [0] : contents], SQLITE_DESERIALIZE_READONLY)
    // To look for damage also tries each row against what the schema demands of it.
    unsafe sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, Self.longestValue)
    unsafe sqlite3_limit(raw, SQLITE_LIMIT_EXPR_DEPTH, Self.deepestExpression)
    try execute(
      """
      PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cell_size_check = ON;
      PRAGMA ignore_check_constraints = ON;
      """)
  }

  private static let longestValue: Int32 = 64 << 20
  private static let deepestExpression: Int32 = 100

  /// Opens a database in memory that is at hand as the bytes of its file, in pieces.
  package convenience init(pieces: [[UInt8]]) throws(SQLiteError) {
    try self.init(.memory)
    try adopt(pieces, SQLITE_DESERIALIZE_RESIZEABLE)
  }

  /// The bytes of the file that the database is, or would be.
  package func contents() throws(SQLiteError) -> [UInt8] {
    var count: Int64 = 0
    guard let copy = unsafe sqlite3_serialize(raw, "main", &count, 0) else { throw .noMemory }
    defer { unsafe sqlite3_free(copy) }
    return unsafe Array(UnsafeBufferPointer(start: copy, count: Int(count)))
  }

  private func adopt(_ pieces: [[UInt8]], _ access: Int32) throws(SQLiteError) {
    let count = pieces.reduce(0) { $0 + $1.count }
    guard let copy = unsafe sqlite3_malloc64(UInt64(count)) else { throw .noMemory }
    var end = unsafe copy
    for piece in pieces {
      unsafe piece.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress {
          unsafe end.copyMemory(from: start, byteCount: bytes.count)
        }
      }
      unsafe end += piece.count
    }
    let start = unsafe copy.assumingMemoryBound(to: UInt8.self)
    let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | access)
    try unsafe check(
      sqlite3_deserialize(raw, "main", start, Int64(count), Int64(count), flags), on: raw)
  }

  /// Whether the pages of the database fit together; a damaged one may lead its reader in circles.
  ///
  /// - Returns: What SQLite found first, or nil.
  /// - Throws: ``SQLiteError`` when it cannot even be looked at.
  package func damage() throws(SQLiteError) -> String? {
    var check = try prepare("PRAGMA quick_check(1)")
    guard try check.step() else { return nil }
    let finding = check.text(0)
    return finding == "ok" ? nil : finding
  }
}
