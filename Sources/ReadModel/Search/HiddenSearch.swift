package import Domain
internal import SQLite

/// A living document that is hidden because its parent is deleted.
package struct HiddenDocument: Equatable, Sendable {
  package let document: Candidate
  /// The shown member of the deleted parent.
  package let parent: EventKey
}

/// Finds documents that are hidden because their parent is deleted.
package struct HiddenSearch {
  let tables: TableConnection

  /// The to-dos on deleted lists and the choices of deleted questions whose title contains the given text.
  package func hiddenDocuments(
    titled fragment: String, kind: Kind? = nil
  ) throws(ReadModelError) -> [HiddenDocument] {
    let sql = """
      SELECT kind, hidden.log, hidden.sequence, id, title, parent_log, parent_sequence
      FROM (\(Self.hidden)) AS hidden WHERE ?1 IS NULL OR kind = ?1 ORDER BY kind, title, id
      """
    let all = try tables.rows(sql, [SQLiteValue(kind?.number)]) { row in
      HiddenDocument(
        document: Candidate(
          kind: Kind(rawValue: row.unsigned(0)), key: row.key(1), id: row.uniqueID(3),
          title: row.textOrNil(4), isAlive: true),
        parent: row.key(5))
    }
    // There are usually few hidden documents. Folding in Swift makes this comparison agree with all other searches.
    return all.filter { TitleSearch.isPart(fragment, ofTitle: $0.document.title ?? "") }
  }

  private static let hidden = """
    SELECT 2 AS kind, todo.log AS log, todo.sequence AS sequence, todo.id AS id, title,
      parent.shown_log AS parent_log, parent.shown_sequence AS parent_sequence
    FROM todo JOIN entity AS parent ON parent.log = list_log AND parent.sequence = list_sequence
    WHERE parent.shown_log IS NOT NULL AND NOT parent.alive
    UNION ALL
    SELECT 4, choice.log, choice.sequence, choice.id, name,
      parent.shown_log, parent.shown_sequence
    FROM choice JOIN entity AS parent
      ON parent.log = owner_log AND parent.sequence = owner_sequence
    WHERE parent.shown_log IS NOT NULL AND NOT parent.alive
    """
}
