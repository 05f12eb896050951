import Bytes
internal import Domain
internal import SQLite

/// The entities whose documents must be digested again.
///
/// These are the entities written since the state digest was computed, and the shown members of documents that refer to
/// entities that have not been folded.
struct StaleTable {
  let tables: TableConnection
  let rowWriter: RowWriter

  /// The name of the setting that holds the digests of the buckets.
  static let buckets = "buckets"

  /// Marks the given entities as stale.
  ///
  /// Entities must be marked before they are written. Nothing is marked unless a state digest is stored.
  func note(
    _ keys: [EventKey], standing: StoredRows = StoredRows()
  ) throws(ReadModelError) {
    guard !keys.isEmpty, try hasBuckets() else { return }
    try reading { () throws(SQLiteError) in
      // OR IGNORE keeps the member under which the document was shown when the digest was computed.
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

  /// An entity whose document must be digested again.
  struct Stale {
    let key: EventKey
    /// The id of the entity; nil if its kind is unknown.
    let id: UniqueID?
    /// The member under which the entity's document is shown now.
    let shown: EventKey?
  }

  /// The stale entities, or nil if the digests of other documents may also have changed.
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
    // If a document is now shown under another member, all documents that refer to it have changed as well.
    guard rows.allSatisfy({ $0.before == nil || $0.before == $0.now.shown }) else { return nil }
    return rows.map(\.now)
  }
}
