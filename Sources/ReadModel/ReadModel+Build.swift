internal import Bytes
package import Domain
package import Platform
internal import SQLite

extension ReadModel {
  /// The files that SQLite may leave beside a database; they belong to that one and must go with it.
  ///
  /// Whoever puts a file built by ``build(file:from:change:beside:)`` in the place of another takes away the other
  /// one first and then these of its, since they would be taken for the new one's; then renames.
  package static let companionSuffixes = ["-wal", "-shm"]

  /// Fills tables in memory with all that some records hold.
  ///
  /// - Parameters:
  ///   - records: The complete fold.
  ///   - change: All positions, *seen* entries and settings.
  ///   - beside: Runs a part of the work on another thread.
  /// - Returns: The tables.
  /// - Throws: ``ReadModelError``, when there is no memory for it.
  package static func inMemory(
    from records: Records, change: Change, beside: Machine.Beside? = nil
  ) throws(ReadModelError) -> ReadModel {
    let model = ReadModel(
      building: try reading { () throws(SQLiteError) in try Connection(.memory) })
    try model.fill(from: records, change, digesting: false, beside)
    return model
  }

  /// Makes a file with all that some records hold, safe on disk and closed when this returns.
  ///
  /// What their state digest is made of is kept in it.
  ///
  /// - Parameters:
  ///   - path: Where nothing is yet; usually beside the file it is to replace.
  ///   - records: The complete fold.
  ///   - change: All positions, *seen* entries and settings.
  ///   - beside: Runs a part of the work on another thread.
  /// - Throws: ``ReadModelError``, when something is there already or the disk refuses.
  package static func build(
    file path: String, from records: Records, change: Change, beside: Machine.Beside? = nil
  ) throws(ReadModelError) {
    let connection = try reading { () throws(SQLiteError) in
      try Connection(.file(path, .readWriteCreate))
    }
    let model = ReadModel(building: connection)
    guard try model.state() == .empty else { throw .unusable(.occupied) }
    // Nobody looks at the file before it is whole, so nothing has to be undone or flushed on the way. With room for
    // the rows in memory they are sorted for the indexes without being read again.
    try model.run(
      """
      PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      PRAGMA secure_delete = ON; PRAGMA cache_size = -\(cacheKibibytes);
      PRAGMA temp_store = MEMORY
      """)
    try model.fill(from: records, change, digesting: true, beside)
    // The switch to WAL is a write of its own; flushing it flushes the whole file.
    try model.run("PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL")
  }

  /// How much memory may hold of a file.
  static let cacheKibibytes = 24 << 10
}
