internal import CSQLite

extension Connection {
  /// Opens a copy of a database that is at hand as the bytes of its file; nothing can be written to it.
  ///
  /// It is read with distrust: nothing that its schema says is carried out, and its b-trees are looked at before
  /// SQLite follows them.
  ///
  /// - Parameter contents: A database file; one that keeps a write-ahead log needs its log applied before.
  /// - Throws: ``SQLiteError`` when there is no memory for it, a part of its last page is missing, or its pages make no
  ///   trees; bytes that are no database are seen by the first statement.
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
    // To look for damage also tries each row against what the schema demands of it.
    unsafe sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, Self.longestRow)
    unsafe sqlite3_limit(raw, SQLITE_LIMIT_SQL_LENGTH, Self.longestStatement)
    unsafe sqlite3_limit(raw, SQLITE_LIMIT_EXPR_DEPTH, Self.deepestExpression)
    try execute(
      """
      PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA ignore_check_constraints = ON;
      """)
  }

  /// The longest row of a database that is at hand as bytes, and the longest value.
  package static let longestRow: Int32 = 64 << 20
  /// The longest statement of its schema.
  package static let longestStatement: Int32 = 1 << 20
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

  /// The name of a table with a column that is computed, which to look for damage would do for each row.
  package func computingTable() throws(SQLiteError) -> String? {
    var statement = try prepare(
      """
      SELECT m.name FROM sqlite_master AS m CROSS JOIN pragma_table_xinfo(m.name) AS c
      WHERE m.type = 'table' AND m.rootpage > 0 AND c.hidden IN (2, 3) LIMIT 1
      """)
    return try statement.step() ? statement.text(0) : nil
  }
}
