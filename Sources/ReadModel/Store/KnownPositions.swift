import Bytes
internal import SQLite

/// Keeps the positions of the logs until the tables change.
///
/// A sync asks for the positions dozens of times, and a book can have thousands of logs.
final class KnownPositions {
  /// A state of the tables; equal states have equal rows.
  private struct State: Equatable {
    /// Changes with each transaction of another connection.
    let version: Int64
    /// Grows with each row that this connection writes.
    let changes: Int64
  }

  private let tables: TableConnection
  private var known: (state: State, positions: [UniqueID: LogPosition])?

  init(_ tables: TableConnection) { self.tables = tables }

  /// The positions of all logs, by the ids of the logs.
  ///
  /// Positions that were read in an open transaction are not kept, because the transaction may be rolled back.
  func positions() throws(ReadModelError) -> [UniqueID: LogPosition] {
    let isKept = !tables.connection.isInTransaction
    return try tables.snapshot { () throws(ReadModelError) in
      let state = State(
        version: try tables.integer("PRAGMA data_version"),
        changes: tables.connection.totalChanges)
      if let known, known.state == state { return known.positions }
      let rows = try LogTable(tables: tables).positions()
      let positions = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
      if isKept { known = (state, positions) }
      return positions
    }
  }
}
