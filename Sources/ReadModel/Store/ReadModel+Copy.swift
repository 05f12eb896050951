package import Domain
package import Platform
internal import SQLite

extension ReadModel {
  /// Writes a copy of the tables, safe on the disk when this returns.
  ///
  /// - Parameters:
  ///   - path: Where nothing is yet.
  ///   - machine: Where it is made.
  /// - Throws: ``ReadModelError``, when the tables are damaged or the disk refuses; then nothing is left there.
  package func copy(to path: Path, on machine: Machine) throws(ReadModelError) {
    do throws(ReadModelError) {
      // It carries over what only the log beside the file holds, and needs none itself.
      try reading { () throws(SQLiteError) in
        try statements.run("VACUUM INTO ?1", [.text(path.string)])
      }
      try Self.flush(path, on: machine.disk)
    } catch {
      // What was written of it takes room that may be short; if it stays, it means nothing.
      try? machine.disk.remove(path)
      throw error
    }
  }

  private static func flush(_ path: Path, on disk: any Disk) throws(ReadModelError) {
    do throws(DiskError) {
      let file = try OpenFile(path, .write, on: disk)
      try file.flush()
      try file.close()
    } catch {
      throw .disk(error)
    }
  }

  /// Finds the living documents that some events of a log added.
  ///
  /// - Parameters:
  ///   - log: The number of the log.
  ///   - events: The sequences of the events.
  ///   - count: How many documents to give at most.
  /// - Returns: The documents, in the order of these events.
  /// - Throws: ``ReadModelError``, when the tables are damaged.
  package func documents(
    addedIn log: UInt32, _ events: ClosedRange<UInt64>, upTo count: Int
  ) throws(ReadModelError) -> [EventKey] {
    let sql = """
      SELECT shown_log, shown_sequence FROM entity
      WHERE log = ?1 AND sequence BETWEEN ?2 AND ?3 AND alive AND shown_log IS NOT NULL
      ORDER BY sequence LIMIT ?4
      """
    return try rows(
      sql,
      [
        .integer(log), .integer(events.lowerBound), .integer(events.upperBound),
        .integer(Int64(count)),
      ]
    ) { $0.key(0) }
  }
}
