package import Bytes
package import Domain
internal import SQLite

/// Finds documents by title or id, and deleted documents.
package struct TitleSearch {
  let tables: TableConnection

  /// The shown documents whose title contains the given text, ignoring case, width and diacritics.
  package func candidates(
    titled fragment: String, kind: Kind? = nil, limit: Int? = nil
  ) throws(ReadModelError) -> [Candidate] {
    let documents = TitleQuery.documents(
      where: "instr(folded, ?1) > 0 OR instr(called, ?1) > 0", kind)
    let sql = """
      SELECT kind, log, sequence, id, title, 1 FROM (\(documents))
      ORDER BY kind, natural_key, title, id LIMIT ?2
      """
    return try candidates(
      sql, [.text(Folding.fold(fragment)), .integer(Int64(limit ?? -1))])
  }

  /// The shown documents whose whole title equals the given text, ignoring case, width and diacritics.
  package func candidates(
    named title: String, kind: Kind? = nil
  ) throws(ReadModelError) -> [Candidate] {
    guard let query = TitleQuery.named(Folding.fold(title), kind) else { return [] }
    return try candidates(query.sql, query.values)
  }

  /// The deleted documents, by id.
  package func deletedDocuments(kind: Kind? = nil) throws(ReadModelError) -> [Candidate] {
    let sql = """
      SELECT kind, log, sequence, id, NULL, 0 FROM entity
      WHERE NOT alive AND shown_log = log AND shown_sequence = sequence AND id IS NOT NULL
        AND kind IS NOT NULL AND (?1 IS NULL OR kind = ?1)
      ORDER BY id
      """
    return try candidates(sql, [SQLiteValue(kind?.number)])
  }

  /// Whether a title contains the given text, ignoring case, width and diacritics.
  package static func isPart(_ text: String, ofTitle title: String) -> Bool {
    Folding.fold(title).contains(Folding.fold(text))
  }

  /// The documents with a member whose id is in a range, by id, including hidden and deleted documents.
  package func candidates(
    in ids: ClosedRange<UniqueID>, kind: Kind? = nil, limit: Int? = nil
  ) throws(ReadModelError) -> [Candidate] {
    let sql = """
      SELECT DISTINCT shown.kind, shown.log, shown.sequence, shown.id, \(TitleQuery.title(kind)),
        shown.alive
      FROM entity AS member
      JOIN entity AS shown
        ON shown.log = member.shown_log AND shown.sequence = member.shown_sequence
      WHERE member.id BETWEEN ?1 AND ?2 AND (?3 IS NULL OR shown.kind = ?3)
      ORDER BY shown.id LIMIT ?4
      """
    return try candidates(
      sql,
      [
        .id(ids.lowerBound), .id(ids.upperBound), SQLiteValue(kind?.number),
        .integer(Int64(limit ?? -1)),
      ])
  }

  func candidates(
    _ sql: String, _ values: [SQLiteValue]
  ) throws(ReadModelError) -> [Candidate] {
    try tables.rows(sql, values) { row in
      Candidate(
        kind: Kind(rawValue: row.unsigned(0)), key: row.key(1), id: row.uniqueID(3),
        title: row.textOrNil(4), isAlive: row.boolean(5))
    }
  }
}
