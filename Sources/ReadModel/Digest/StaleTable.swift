import Bytes
internal import Domain
internal import SQLite

/// The entities that were written since the state digest was computed.
struct StaleTable {
  let tables: TableConnection
  let rowWriter: RowWriter

  /// The name under which the digests of the buckets are kept.
  static let buckets = "buckets"

  /// Remembers, before they are written, that the documents of some entities may change.
  func note(
    _ keys: [EventKey], standing: StoredRows = StoredRows()
  ) throws(ReadModelError) {
    guard !keys.isEmpty, try hasBuckets() else { return }
    try reading { () throws(SQLiteError) in
      // What they were shown under when the digest was worked out is what counts.
      let note = "INSERT OR IGNORE INTO stale VALUES (?1, ?2, ?3, ?4)"
      for key in keys {
        let shown = try rowWriter.row(key, standing).flatMap(Shown.init)?.key
        let columns = shown?.values ?? [.null, .null]
        try tables.statements.run(note, key.values + columns)
      }
    }
  }

  private func hasBuckets() throws(ReadModelError) -> Bool {
    try tables.integer("SELECT count(*) FROM setting WHERE name = ?1", [.text(Self.buckets)]) > 0
  }

  /// An entity that was written since the digest was worked out.
  struct Stale {
    let key: EventKey
    /// Its id, unless nothing says yet what it is.
    let id: UniqueID?
    /// What its document is shown under.
    let shown: EventKey?
  }

  /// What was written since the digest was worked out; nil where that is not all that has changed.
  func entries() throws(ReadModelError) -> [Stale]? {
    let sql = """
      SELECT log, sequence, stale.shown_log, stale.shown_sequence,
        entity.shown_log, entity.shown_sequence, CASE WHEN kind IS NULL THEN NULL ELSE id END
      FROM stale LEFT JOIN entity USING (log, sequence) ORDER BY log, sequence
      """
    let rows = try tables.rows(sql) { row in
      (
        before: row.keyOrNil(2),
        now: Stale(
          key: row.key(0), id: row.isNull(6) ? nil : row.uniqueID(6), shown: row.keyOrNil(4))
      )
    }
    // What refers to a document that has become part of another one changes with it, wherever it stands.
    guard rows.allSatisfy({ $0.before == nil || $0.before == $0.now.shown }) else { return nil }
    return rows.map(\.now)
  }
}
