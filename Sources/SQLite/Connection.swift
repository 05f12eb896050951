internal import CSQLite

/// Owns one open database and closes it.
///
/// This is a class because the body of a transaction usually changes the owner of the connection, which would be an
/// overlapping access with a struct. The class is not `Sendable`. Only one owner uses a connection, so SQLite's mutexes
/// are disabled.
///
/// Statements may be released before or after their connection. The file is closed when the last of them is released.
@safe package final class Connection {
  /// If the process has already used SQLite, this setting has no effect, and SQLite continues to count memory.
  private static let countsNoMemory: Void = { _ = daybook_sqlite_count_no_memory() }()

  let raw: OpaquePointer
  /// The maximum size of a write-ahead log that remains next to the file after closing, in bytes; nil for the default
  /// of SQLite, which removes the log with the last connection.
  ///
  /// A larger log is written back to the file, with all necessary flushes, and becomes empty. Its file remains. SQLite
  /// would remove it by its name, which may belong to the log of a different file by then, if other processes replace
  /// the database.
  package var leftLogBytes: Int64?
  /// The statements that begin and end transactions.
  let steps = TransactionSteps()

  package enum Place: Hashable, Sendable {
    case memory
    case file(String, Access)
  }

  package enum Access: Hashable, Sendable {
    case readOnly
    case readWrite
    case readWriteCreate
  }

  /// Opens a database without reading it.
  ///
  /// If the file is not a database, the first statement fails.
  ///
  /// - Parameters:
  ///   - place: The location of the database.
  ///   - patienceMilliseconds: The maximum time that a statement waits for the transaction of another connection before
  ///     it fails as busy.
  /// - Throws: ``SQLiteError`` if the file cannot be opened or created.
  package init(_ place: Place, patienceMilliseconds: Int32 = 5_000) throws(SQLiteError) {
    let (path, access) =
      switch place {
      case .memory: (":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY)
      case .file(let path, .readOnly): (path, SQLITE_OPEN_READONLY)
      case .file(let path, .readWrite): (path, SQLITE_OPEN_READWRITE)
      case .file(let path, .readWriteCreate): (path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      }
    // C would end the path at the NUL, and a different file would be opened.
    guard !path.utf8.contains(0) else {
      throw SQLiteError(code: SQLITE_CANTOPEN, message: "a path cannot contain NUL")
    }
    Self.countsNoMemory
    var opened: OpaquePointer?
    let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &opened, flags, GatheringFiles.name)
    do throws(SQLiteError) {
      try unsafe check(code, on: opened)
    } catch {
      // Even if opening fails, a connection is returned, which holds the message and must be closed.
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    guard let opened = unsafe opened else {
      throw SQLiteError(code: SQLITE_NOMEM, message: "no connection was created")
    }
    unsafe raw = opened
    unsafe sqlite3_busy_timeout(raw, patienceMilliseconds)
  }

  deinit {
    if let leftLogBytes { leaveLog(of: leftLogBytes) }
    // This version of the function closes the connection when the last statement is released, whereas the first version
    // would fail.
    unsafe sqlite3_close_v2(raw)
  }

  private func leaveLog(of most: Int64) {
    if let bytes = logBytes, bytes > most, !isReplaced {
      // If another connection is reading or writing, that connection writes the log back when it is closed.
      unsafe sqlite3_busy_timeout(raw, 0)
      unsafe sqlite3_wal_checkpoint_v2(raw, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }
    _ = unsafe daybook_sqlite_leave_log(raw)
  }

  /// Writes the write-ahead log back to the file, with all necessary flushes, and empties the log.
  ///
  /// - Throws: ``SQLiteError`` if the disk fails, or if another connection is reading or writing.
  package func writeBackLog() throws(SQLiteError) {
    let code = unsafe sqlite3_wal_checkpoint_v2(raw, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    try unsafe check(code, on: raw, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Whether the path of the database no longer leads to the open file, because the file was removed or replaced.
  package var isReplaced: Bool {
    var hasMoved: Int32 = 0
    let code = unsafe sqlite3_file_control(raw, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved != 0
  }

  /// The size of the write-ahead log; nil if there is none.
  private var logBytes: Int64? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = unsafe sqlite3_file_control(raw, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
    // If the file is not open, it has no methods.
    guard code == SQLITE_OK, let file = unsafe file, let methods = unsafe file.pointee.pMethods
    else { return nil }
    var bytes: Int64 = 0
    return unsafe methods.pointee.xFileSize(file, &bytes) == SQLITE_OK ? bytes : nil
  }

  /// Runs a script of any number of statements, and ignores any rows.
  ///
  /// Use this method only for fixed SQL. Values belong in a ``Statement``.
  ///
  /// - Parameter script: The statements.
  /// - Throws: ``SQLiteError`` if a statement fails.
  package func execute(_ script: String) throws(SQLiteError) {
    precondition(!script.utf8.contains(0), "a script contains no NUL")
    try unsafe check(sqlite3_exec(raw, script, nil, nil, nil), on: raw, sql: script)
  }

  /// Compiles one statement that can be kept and run many times.
  ///
  /// - Parameter sql: The statement.
  /// - Returns: The compiled statement.
  /// - Throws: ``SQLiteError`` if the statement is invalid.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    let span = sql.utf8.span
    var statement: OpaquePointer?
    var consumed = 0
    let code = unsafe span.withUnsafeBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { text in
        var tail: UnsafePointer<CChar>?
        let code = unsafe sqlite3_prepare_v3(
          raw, text.baseAddress, Int32(text.count), UInt32(SQLITE_PREPARE_PERSISTENT),
          &statement, &tail)
        if let tail = unsafe tail, let start = text.baseAddress {
          consumed = unsafe tail - start
        }
        return code
      }
    }
    try unsafe check(code, on: raw, sql: sql)
    guard let statement = unsafe statement else {
      preconditionFailure("a statement is not empty")
    }
    let blanks = " \n\t;".utf8
    let rest = sql.utf8.dropFirst(consumed)
    precondition(rest.allSatisfy { blanks.contains($0) }, "prepare takes one statement")
    return unsafe Statement(owning: statement)
  }

  /// The number of rows that the latest insert, update or delete changed.
  package var changes: Int { unsafe Int(sqlite3_changes64(raw)) }

  /// The number of rows that this connection has inserted, updated or deleted since it was opened, including those that
  /// were rolled back.
  package var totalChanges: Int64 { unsafe sqlite3_total_changes64(raw) }

  /// The row id that the latest insert assigned.
  package var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(raw) }

  /// Whether a transaction is open.
  package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(raw) == 0 }
}
