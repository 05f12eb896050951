internal import CSQLite

/// An SQLite error, with its code and message.
///
/// If SQLite reported the error, the message is SQLite's own, because it names tables, columns and constraints, which
/// the code does not.
package struct SQLiteError: Error, Hashable, Sendable {
  /// The extended result code, such as 2067 for a violated `UNIQUE` constraint.
  package let code: Int32
  package let message: String
  /// The statement or script that was run, if any.
  package let sql: String?

  package init(code: Int32, message: String, sql: String? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
  }

  static let noMemory = SQLiteError(
    code: SQLITE_NOMEM, message: "there is not enough memory for the database")

  /// Returns an error for damage that daybook itself has found.
  static func corrupt(_ finding: String) -> SQLiteError {
    SQLiteError(code: SQLITE_CORRUPT, message: finding)
  }

  /// The primary result code, which callers check.
  package var primary: Primary { Primary(rawValue: code & 0xff) ?? .other }

  /// The primary result codes of SQLite.
  package enum Primary: Int32, Hashable, Sendable {
    /// An error in the SQL, or any error that has no code of its own.
    case other = 1
    case internalFault = 2
    case permission = 3
    case aborted = 4
    case busy = 5
    case locked = 6
    case outOfMemory = 7
    case readOnly = 8
    case interrupted = 9
    case ioError = 10
    case corrupt = 11
    case notFound = 12
    case full = 13
    case cannotOpen = 14
    case lockingProtocol = 15
    case schemaChanged = 17
    case tooBig = 18
    case constraint = 19
    case mismatch = 20
    case misuse = 21
    case noLargeFiles = 22
    case unauthorized = 23
    case outOfRange = 25
    case notADatabase = 26
  }
}

/// Throws an error if a result code indicates a failure.
///
/// Result codes are converted only by this function.
///
/// The message belongs to the latest call on the connection, so this function must be called directly after that call.
@unsafe func check(
  _ code: Int32, on database: OpaquePointer?, sql: @autoclosure () -> String? = nil
) throws(SQLiteError) {
  switch code {
  case SQLITE_OK, SQLITE_ROW, SQLITE_DONE: return
  default: throw unsafe failure(code, on: database, sql: sql())
  }
}

@unsafe private func failure(
  _ code: Int32, on database: OpaquePointer?, sql: String?
) -> SQLiteError {
  // A connection that was never created has no message, so `errstr` describes the code. The same applies to misuse,
  // which SQLite detects before it uses the connection.
  let words: UnsafePointer<CChar>? =
    if let database = unsafe database, code & 0xff != SQLITE_MISUSE {
      unsafe sqlite3_errmsg(database)
    } else {
      unsafe sqlite3_errstr(code)
    }
  let message = unsafe words.map { unsafe String(cString: $0) } ?? ""
  return SQLiteError(code: code, message: message, sql: sql)
}
