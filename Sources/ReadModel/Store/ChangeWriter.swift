internal import Domain
internal import SQLite

/// Writes the changes that newly folded events make.
package struct ChangeWriter {
  let tables: TableConnection
  let rowWriter: RowWriter

  private var logs: LogTable { LogTable(tables: tables) }

  /// Writes the entities and documents that changed since the last commit, and the new positions of the logs.
  ///
  /// ``RecordReader/hydrate(_:causality:)`` must have read the records for the facts that were then applied to them.
  /// Everything is written in one transaction. After an error, `hydrated` is unchanged, and can be committed again.
  ///
  /// - Throws: ``ReadModelError/needsRefold`` if the change alters the past of events that were committed earlier,
  ///   because a hole was filled or became known. ``ReadModelError/stale`` if the logs are not at the expected
  ///   positions.
  package func commit(
    _ hydrated: inout Hydrated, change: Change, expecting positions: [LogPosition]? = nil
  ) throws(ReadModelError) {
    guard !hydrated.records.needsRefold else { throw .needsRefold }
    // The closure cannot capture the inout parameter. The copies share the storage of the parameter.
    let (folded, stored) = (hydrated.records, hydrated.rows)
    let touched = folded.touched.sorted()
    try tables.transaction { () throws(ReadModelError) in
      if let positions, try logs.positions() != positions { throw .stale }
      try refuseNewsAboutThePast(change.seen)
      try StaleTable(tables: tables, rowWriter: rowWriter).note(touched, standing: stored)
      try write(touched, of: folded, over: stored)
      try write(change)
    }
    _ = hydrated.records.takeTouched()
    hydrated.rows = StoredRows()
  }

  /// Writes entities and their documents.
  ///
  /// - Parameters:
  ///   - keys: The keys of the entities, sorted. They include all entities that are joined with one of them.
  ///   - records: The records that contain the entities.
  ///   - stored: The rows that have already been read.
  /// - Throws: ``ReadModelError``, if the rows cannot be written.
  private func write(
    _ keys: [EventKey], of records: Records, over stored: StoredRows
  ) throws(ReadModelError) {
    var (counts, repeats) = try writeRows(keys, of: records, over: stored)
    // The row of a repeating to-do depends on rows of other to-dos, which are complete now.
    try RepeatUpdater(tables: tables, rowWriter: rowWriter, records: records).update(
      repeats, counting: &counts)
    try reading { [counts] () throws(SQLiteError) in try counts.write(with: tables.statements) }
  }

  /// Writes the rows that depend on one entity or document alone.
  ///
  /// - Returns: The changes to the counts of to-dos, and the to-dos on which other rows may depend.
  private func writeRows(
    _ keys: [EventKey], of records: Records, over stored: StoredRows
  ) throws(ReadModelError) -> (TodoCounts, TouchedRepeats) {
    let clears = try hasConflicts()
    do throws(SQLiteError) {
      var counts = TodoCounts()
      var repeats = TouchedRepeats()
      for key in keys {
        guard let entity = records.entities[key] else { continue }
        let old = try rowWriter.row(key, stored)
        let (shown, content) = Showing.show(entity, of: records)
        try rowWriter.write(entity, shown: shown, over: old)
        try rowWriter.write(
          content, of: entity, over: old, clearingConflicts: clears, counting: &counts,
          noting: &repeats)
      }
      return (counts, repeats)
    } catch {
      throw ReadModelError(error)
    }
  }

  private func hasConflicts() throws(ReadModelError) -> Bool {
    try tables.integer("SELECT EXISTS (SELECT 1 FROM conflict)") > 0
  }

  func write(_ change: Change) throws(ReadModelError) {
    try reading { () throws(SQLiteError) in
      let position = """
        INSERT INTO log VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT DO UPDATE SET
          id = excluded.id, replica = excluded.replica, trunk = excluded.trunk,
          sequence = excluded.sequence, hash = excluded.hash
        """
      for log in change.positions {
        try tables.statements.run(
          position,
          [
            .integer(log.number), .id(log.id), .id(log.replica),
            log.trunk.map { .integer($0) } ?? .null, .integer(log.sequence), .id(log.hash),
          ])
      }
      for entry in change.seen {
        try tables.statements.run(
          "INSERT OR IGNORE INTO seen VALUES (?1, ?2, ?3, ?4, ?5)", entry.values)
      }
      for (name, value) in change.settings.sorted(by: { $0.key < $1.key }) {
        try tables.statements.run(SettingTable.order, [.text(name), .blob(value)])
      }
    }
  }

  /// Throws if *seen* entries change the past of an event that was committed earlier, or make relevant a mark that
  /// the fold has dropped.
  private func refuseNewsAboutThePast(_ seen: [Sighting]) throws(ReadModelError) {
    guard !seen.isEmpty else { return }
    var folded: [UInt32: UInt64] = [:]
    for log in try logs.positions() { folded[log.number] = log.sequence }
    let holes = try tables.rows("SELECT DISTINCT other FROM seen WHERE missing != x''") {
      $0.number(0)
    }
    var logsWithHoles = Set(holes)
    for entry in seen {
      let isLate = entry.event.sequence <= folded[entry.event.log, default: 0]
      if isLate, try !isKnown(entry) { throw .needsRefold }
      // While no event of a log was known to be missing, the fold kept only the last mark of the log.
      let isFirst = !entry.exceptions.isEmpty && logsWithHoles.insert(entry.other).inserted
      if isFirst, folded[entry.other, default: 0] > 0 { throw .needsRefold }
    }
  }

  private func isKnown(_ entry: Sighting) throws(ReadModelError) -> Bool {
    let sql = """
      SELECT count(*) FROM seen
      WHERE log = ?1 AND sequence = ?2 AND other = ?3 AND up_to = ?4 AND missing = ?5
      """
    return try tables.integer(sql, entry.values) > 0
  }
}

extension Sighting {
  fileprivate var values: [SQLiteValue] {
    [
      .integer(event.log), .integer(event.sequence), .integer(other), .integer(upTo),
      .blob(encodeRanges(exceptions)),
    ]
  }
}
