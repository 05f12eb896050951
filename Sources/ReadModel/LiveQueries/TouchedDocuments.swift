package import Domain
internal import SQLite

/// Finds the documents that entities belong to.
package struct TouchedDocuments {
  let tables: TableConnection

  /// The documents that the given entities belong to now, with the ids of all their members.
  ///
  /// - Returns: The ids by kind; nil if an entity belongs to no document or a member has no kind, so anything
  ///   may have changed.
  package func documents(
    touchedBy keys: Set<EventKey>
  ) throws(ReadModelError) -> Touched.Documents? {
    let sql = """
      SELECT member.id, member.kind, member.log, member.sequence FROM entity AS named
      JOIN entity AS member
        ON member.shown_log = named.shown_log AND member.shown_sequence = named.shown_sequence
      WHERE named.log = ?1 AND named.sequence = ?2
      """
    var documents: Touched.Documents = [:]
    // Many of the entities may be joined with each other. One query returns all members of a document.
    var known: Set<EventKey> = []
    for key in keys.sorted() where !known.contains(key) {
      let members = try tables.rows(sql, key.values) { row in
        known.insert(row.key(2))
        return row.isNull(1) ? nil : (row.uniqueID(0), Kind(rawValue: row.unsigned(1)))
      }
      if members.isEmpty { return nil }
      for member in members {
        guard let (id, kind) = member else { return nil }
        documents[kind, default: []].insert(id)
      }
    }
    return documents
  }
}
