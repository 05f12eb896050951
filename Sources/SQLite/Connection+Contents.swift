internal import CSQLite

extension Connection {
  /// Opens a read-only copy of a database from the bytes of its file.
  ///
  /// The contents are not trusted. Triggers, views and virtual tables are disabled, CHECK constraints are ignored, and
  /// the b-trees are checked before SQLite follows them.
  ///
  /// - Parameter contents: A database file. If it uses a write-ahead log, the log must already have been applied.
  /// - Throws: ``SQLiteError`` if memory is insufficient, the last page is incomplete, or the pages do not form
  ///   trees. If the bytes are not a database, the first statement fails.
  package convenience init(contents: [UInt8]) throws(SQLiteError) {
    if let pageBytes = WriteAheadLog.pageBytes(of: contents), pageBytes > 0,
      !contents.count.isMultiple(of: pageBytes)
    {
      throw .corrupt("the file is cut short")
    }
    var survey = TreeSurvey(contents)
    try survey?.walk(from: TreeSurvey.schemaRoot)
    try self.init(.memory)
    try adopt([contents.isEmpty ? [0] : contents], SQLITE_DESERIALIZE_READONLY)
    try distrust()
    if survey == nil { return }
    var roots = try prepare("SELECT rootpage FROM sqlite_master WHERE rootpage > 0")
    while try roots.step() { try survey?.walk(from: roots.integer(0)) }
  }

  private func distrust() throws(SQLiteError) {
    try unsafe check(daybook_sqlite_distrust(raw), on: raw)
    // The expressions in the schema can be costly, and the check for damage would evaluate CHECK constraints for each
    // row.
    unsafe sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, Self.longestRow)
    unsafe sqlite3_limit(raw, SQLITE_LIMIT_SQL_LENGTH, Self.longestStatement)
    unsafe sqlite3_limit(raw, SQLITE_LIMIT_EXPR_DEPTH, Self.deepestExpression)
    try execute(
      """
      PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA ignore_check_constraints = ON;
      """)
  }

  /// The maximum size in bytes of a row, or of a value, in a database that is opened from bytes.
  package static let longestRow: Int32 = 64 << 20
  /// The maximum length in bytes of a statement in the schema of such a database.
  package static let longestStatement: Int32 = 1 << 20
  private static let deepestExpression: Int32 = 100

  /// Opens a database in memory from the pieces of its file.
  package convenience init(pieces: [[UInt8]]) throws(SQLiteError) {
    try self.init(.memory)
    try adopt(pieces, SQLITE_DESERIALIZE_RESIZEABLE)
  }

  /// Returns the bytes of the database file.
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

  /// Checks that the pages of the database are consistent.
  ///
  /// Damage to a database can cause endless loops in SQLite's reader.
  ///
  /// - Returns: The first problem that SQLite finds, or nil.
  /// - Throws: ``SQLiteError`` if the check itself fails.
  package func damage() throws(SQLiteError) -> String? {
    var check = try prepare("PRAGMA quick_check(1)")
    guard try check.step() else { return nil }
    let finding = check.text(0)
    return finding == "ok" ? nil : finding
  }

  /// Returns the name of a table with a computed column, if there is one.
  ///
  /// The check for damage would compute the column for each row.
  package func computingTable() throws(SQLiteError) -> String? {
    var statement = try prepare(
      """
      SELECT m.name FROM sqlite_master AS m CROSS JOIN pragma_table_xinfo(m.name) AS c
      WHERE m.type = 'table' AND m.rootpage > 0 AND c.hidden IN (2, 3) LIMIT 1
      """)
    return try statement.step() ? statement.text(0) : nil
  }
}
