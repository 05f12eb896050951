internal import CSQLite

/// Owns one open database and closes it.
///
/// A class, because a transaction's body usually changes the owner in which the connection is
/// stored: with a struct that would be an overlapping access. It is not `Sendable`; one owner uses
/// it, so SQLite's own locks are switched off.
///
/// Statements may be dropped before or after their connection; the file closes with the last of
/// them.
@safe package final class Connection {
  /// Refused where another part of the process has used SQLite before; then it counts on.
  private static let countsNoMemory: Void = { _ = daybook_sqlite_count_no_memory() }()

  let raw: OpaquePointer
  /// Up to how many bytes the write-ahead log is left beside the file when this closes; a longer one is carried over
  /// into the file, as SQLite does it, with all that has to be flushed for it.
  package var leftLogBytes: Int64 = 0

  package enum Place: Hashable, Sendable {
    case memory
    case file(String, Access)
  }

  package enum Access: Hashable, Sendable {
    case readOnly
    case readWriteCreate
  }

  /// Opens a database, without reading it yet: a file which is none is seen by the first statement.
  ///
  /// - Parameters:
  ///   - place: Where the database is.
  ///   - patienceMilliseconds: How long a statement waits for another connection's transaction
  ///     before it fails as busy.
  /// - Throws: ``SQLiteError`` when the file cannot be opened or made.
  package init(_ place: Place, patienceMilliseconds: Int32 = 5_000) throws(SQLiteError) {
    let (path, access) =
      switch place {
      case .memory: (":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY)
      case .file(let path, .readOnly): (path, SQLITE_OPEN_READONLY)
      case .file(let path, .readWriteCreate): (path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      }
    // C would stop at the NUL and open another file than the one named.
    guard !path.utf8.contains(0) else {
      throw SQLiteError(code: SQLITE_CANTOPEN, message: "a path cannot hold NUL")
    }
    Self.countsNoMemory
    var opened: OpaquePointer?
    let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &opened, flags, GatheringFiles.name)
    do throws(SQLiteError) {
      try unsafe check(code, on: opened)
    } catch {
      // A failed open still hands out a connection, which holds the message and must be closed.
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    guard let opened = unsafe opened else {
      throw SQLiteError(code: SQLITE_NOMEM, message: "no connection was made")
    }
    unsafe raw = opened
    unsafe sqlite3_busy_timeout(raw, patienceMilliseconds)
  }

  deinit {
    if let bytes = logBytes, bytes <= leftLogBytes { _ = unsafe daybook_sqlite_leave_log(raw) }
    // The second version waits for statements which are still alive, where the first would refuse.
    unsafe sqlite3_close_v2(raw)
  }

  /// How long the file of the write-ahead log is; nil where there is none.
  private var logBytes: Int64? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = unsafe sqlite3_file_control(raw, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
    // A file that is not open has no methods.
    guard code == SQLITE_OK, let file = unsafe file, let methods = unsafe file.pointee.pMethods
    else { return nil }
    var bytes: Int64 = 0
    return unsafe methods.pointee.xFileSize(file, &bytes) == SQLITE_OK ? bytes : nil
  }

  /// Runs a script of any number of statements, dropping any rows.
  ///
  /// For fixed SQL only; values belong in a ``Statement``.
  package func execute(_ script: String) throws(SQLiteError) {
    precondition(!script.utf8.contains(0), "a script holds no NUL")
    try unsafe check(sqlite3_exec(raw, script, nil, nil, nil), on: raw, sql: script)
  }

  /// Compiles one statement, to be kept and run many times.
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
      preconditionFailure("a statement says something")
    }
    let blanks = " \n\t;".utf8
    let rest = sql.utf8.dropFirst(consumed)
    precondition(rest.allSatisfy { blanks.contains($0) }, "prepare takes one statement")
    return unsafe Statement(owning: statement)
  }

  /// How many rows the latest insert, update or delete touched.
  package var changes: Int { unsafe Int(sqlite3_changes64(raw)) }

  /// The row id of the latest insert.
  package var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(raw) }

  /// Whether statements are now part of a transaction that was begun and not ended.
  package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(raw) == 0 }
}
