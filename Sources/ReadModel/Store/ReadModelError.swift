package import Platform
package import SQLite

/// An error of the read model.
package enum ReadModelError: Error, Hashable, Sendable {
  /// The file cannot be used; build a new one from the logs and replace it.
  case unusable(Reason)
  /// The change affects facts that were folded earlier, and the stored state is not enough to apply it.
  ///
  /// Nothing was written. Fold all facts again and build a new read model.
  case needsRefold
  /// The logs are not at the positions from which the change starts, because another process has since committed.
  case stale
  /// SQLite failed for a reason other than the contents of the file, such as a full disk.
  case database(SQLiteError)
  /// The disk failed while a file was built or copied.
  case disk(DiskError)

  package enum Reason: Hashable, Sendable {
    case notADatabase
    /// A database of a different application.
    case foreign
    case otherVersion(Int64)
    case damaged
  }

  /// Whether the disk is full, is not writable or fails; if so, tables in memory are the alternative.
  package var isRefusalOfTheDisk: Bool {
    switch self {
    case .database(let error):
      [.full, .readOnly, .cannotOpen, .ioError, .permission].contains(error.primary)
    case .disk(let error):
      [.full, .readOnly, .permission, .io, .tooLarge].contains(error.reason)
    default: false
    }
  }

  init(_ error: SQLiteError) {
    self =
      switch error.primary {
      case .notADatabase: .unusable(.notADatabase)
      case .corrupt: .unusable(.damaged)
      // The statements are tested, so this error occurs only if a table or column is missing from the file.
      case .other, .schemaChanged: .unusable(.damaged)
      default: .database(error)
      }
  }
}

/// Runs `body` and converts its error to a ``ReadModelError``.
func reading<Value>(
  _ body: () throws(SQLiteError) -> Value
) throws(ReadModelError) -> Value {
  do throws(SQLiteError) { return try body() } catch { throw ReadModelError(error) }
}
