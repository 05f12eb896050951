package import Domain
internal import SQLite

/// Finds the documents that entities belong to.
package struct TouchedDocuments {
  let tables: TableConnection

  /// The documents that some entities belong to now, with the ids of all their members.
  ///
  /// - Returns: nil where one of them belongs to no document, so that nothing can be said of it.
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
    // Many of them may be joined, and each leads to all the others.
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
