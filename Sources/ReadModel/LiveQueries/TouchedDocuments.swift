package import Domain
internal import SQLite

/// Finds the documents that entities belong to.
package struct TouchedDocuments {
  let tables: TableConnection

  /// The documents that the given entities belong to now, with the ids of all their members.
  ///
  /// - Returns: The ids by kind; nil if an entity belongs to no document, a member has no kind, or a repeating to-do
  ///   may be affected, so anything may have changed.
  package func documents(
    touchedBy keys: Set<EventKey>
  ) throws(ReadModelError) -> Touched.Documents? {
    let sql = """
      SELECT member.id, member.kind, member.log, member.sequence, member.alive FROM entity AS named
      JOIN entity AS member
        ON member.shown_log = named.shown_log AND member.shown_sequence = named.shown_sequence
      WHERE named.log = ?1 AND named.sequence = ?2
      """
    var documents: Touched.Documents = [:]
    // Many of the entities may be joined with each other. One query returns all members of a document.
    var known: Set<EventKey> = []
    let mayRepeat = try hasSeries()
    for key in keys.sorted() where !known.contains(key) {
      let members = try tables.rows(sql, key.values) { row in
        known.insert(row.key(2))
        return row.isNull(1)
          ? nil : (row.uniqueID(0), Kind(rawValue: row.unsigned(1)), isAlive: row.boolean(4))
      }
      if members.isEmpty { return nil }
      for member in members {
        guard let (id, kind, isAlive) = member else { return nil }
        if mayRepeat, kind == .todo {
          if !isAlive { return nil }
          if try isInSeries(key) { return nil }
        }
        documents[kind, default: []].insert(id)
      }
    }
    return documents
  }

  /// Whether any to-do repeats or has stored occurrences.
  private func hasSeries() throws(ReadModelError) -> Bool {
    try tables.integer(
      """
      SELECT EXISTS (SELECT 1 FROM occurrence)
        OR EXISTS (SELECT 1 FROM todo WHERE repeat IS NOT NULL)
      """) == 1
  }

  /// Whether a living to-do is an occurrence or has occurrences; if so, rows of other to-dos change with it.
  ///
  /// A dead to-do may have been an occurrence.
  private func isInSeries(_ key: EventKey) throws(ReadModelError) -> Bool {
    let occurrences = OccurrenceQueries(tables: tables)
    if try occurrences.hasAny(of: key) { return true }
    guard let shown = try DocumentQueries(tables: tables).document(key)?.key else { return false }
    return try RepeatReader(tables: tables).owner(of: shown) != nil
  }
}
