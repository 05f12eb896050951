package import Platform
package import SQLite

/// Why the read model could not answer or take something in.
package enum ReadModelError: Error, Hashable, Sendable {
  /// The file is of no use: build a new one beside it from the journal, and swap.
  case unusable(Reason)
  /// What is to be committed changes answers about facts folded long ago, which the kept state cannot tell:
  /// fold all facts afresh and build anew. Nothing was written.
  case needsRefold
  /// The positions are not those that the change starts from: another process has posted meanwhile.
  case stale
  /// The database refused for a reason that has nothing to do with what it holds, such as a full disk.
  case database(SQLiteError)
  /// The disk refused the file when it was made.
  case disk(DiskError)

  package enum Reason: Hashable, Sendable {
    case notADatabase
    /// A database, but not one of ours.
    case foreign
    case otherVersion(Int64)
    case damaged
  }

  /// Whether the disk has no room, cannot be written or fails; tables in memory would do instead.
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
      // The statements are fixed and were run in tests: a table or column they miss was taken away.
      case .other, .schemaChanged: .unusable(.damaged)
      default: .database(error)
      }
  }
}

/// Runs something of SQLite's and tells its failure in the read model's terms.
func reading<Value>(
  _ body: () throws(SQLiteError) -> Value
) throws(ReadModelError) -> Value {
  do throws(SQLiteError) { return try body() } catch { throw ReadModelError(error) }
}
