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
    try titled("(instr(folded, ?1) > 0 OR instr(called, ?1) > 0)", fragment, kind, limit)
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

  private func titled(
    _ condition: String, _ text: String, _ kind: Kind?, _ limit: Int?
  ) throws(ReadModelError) -> [Candidate] {
    let sql = """
      SELECT kind, log, sequence, id, title, 1 FROM (\(Self.titles))
      WHERE \(condition) AND (?2 IS NULL OR kind = ?2)
      ORDER BY kind, natural_key, title, id LIMIT ?3
      """
    return try candidates(
      sql,
      [.text(Folding.fold(text)), SQLiteValue(kind?.number), .integer(Int64(limit ?? -1))])
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

  /// The SQL for all shown documents with their titles.
  ///
  /// Occurrences are left out, because each has the title of its series.
  ///
  /// Names of people have a form with the last name first and a form with the first name first. `natural_key` is the
  /// key by which titles are sorted; `state` is the number of a ``TodoState``; `repeats` says whether an open to-do
  /// repeats; `place_log` and `place_sequence` are the key of a to-do's list.
  static let titles = """
    SELECT 0 AS kind, log, sequence, id, search,
      trim(last_name_folded || ' ' || first_name_folded) AS folded,
      trim(first_name_folded || ' ' || last_name_folded) AS called,
      trim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')) AS title,
      trim(last_name_folded || ' ' || first_name_folded) AS natural_key, 0 AS state,
      0 AS repeats, NULL AS place_log, NULL AS place_sequence
    FROM \(BirthdayTable.shown)
    UNION ALL SELECT 1, log, sequence, id, search, name_folded, name_folded, name,
      coalesce(name_order, name_folded), 0, 0, NULL, NULL FROM \(ListTable.shown)
    UNION ALL SELECT 2, log, sequence, id, search, title_folded, title_folded, title,
      coalesce(title_order, title_folded), closed + cancelled, repeat IS NOT NULL AND NOT closed,
      shown_list_log, shown_list_sequence FROM \(TodoTable.shown)
    WHERE series_log IS NULL
    UNION ALL SELECT 3, log, sequence, id, search, content_folded, content_folded, content,
      coalesce(content_order, content_folded), 0, 0, NULL, NULL FROM \(QuestionTable.shown)
    UNION ALL SELECT 4, log, sequence, id, search, \(choiceTitle), \(choiceTitle), name,
      \(choiceTitle), 0, 0, NULL, NULL FROM \(ChoiceTable.shown)
    UNION ALL SELECT 5, log, sequence, id, search, '', '', NULL, '', 0, 0, NULL, NULL
      FROM \(PickTable.shown)
    """

  /// The SQL for the folded name of a choice, which is the first line of `search`.
  ///
  /// Without a name, the first line comes from the note, and the result is empty.
  static let choiceTitle = """
    CASE WHEN name IS NULL THEN ''
      ELSE substr(search, 1, instr(search || char(10), char(10)) - 1) END
    """
}
