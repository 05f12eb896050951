internal import Bytes
package import Domain
internal import SQLite

extension ReadModel {
  /// The files that SQLite may leave beside a database; they belong to that one and must go with it.
  ///
  /// Whoever puts a file built by ``build(file:from:change:)`` in the place of another takes away the other
  /// one first and then these of its, since they would be taken for the new one's; then renames.
  package static let companionSuffixes = ["-wal", "-shm"]

  /// Fills tables in memory with all that some records hold.
  package static func inMemory(
    from records: Records, change: Change
  ) throws(ReadModelError) -> ReadModel {
    let model = ReadModel(
      building: try reading { () throws(SQLiteError) in try Connection(.memory) })
    try model.fill(from: records, change)
    return model
  }

  /// Makes a file with all that some records hold, safe on disk and closed when this returns.
  ///
  /// - Parameters:
  ///   - path: Where nothing is yet; usually beside the file it is to replace.
  ///   - records: The complete fold.
  ///   - change: All positions, *seen* entries and settings.
  /// - Throws: ``ReadModelError``, when something is there already or the disk refuses.
  package static func build(
    file path: String, from records: Records, change: Change
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
    try model.fill(from: records, change)
    // The switch to WAL is a write of its own; flushing it flushes the whole file.
    try model.run("PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL")
  }

  /// How much memory may hold of a file.
  static let cacheKibibytes = 24 << 10

  private func fill(from records: Records, _ change: Change) throws(ReadModelError) {
    guard !records.needsRefold else { throw .needsRefold }
    try transaction { () throws(ReadModelError) in
      try createTables()
      try write(records.entities.keys.sorted(), of: records, over: nil)
      try write(change)
      try createIndexes()
    }
  }
}
