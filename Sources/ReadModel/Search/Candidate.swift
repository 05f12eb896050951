package import Bytes
package import Domain
internal import SQLite

/// A document that a search by text or id found.
package struct Candidate: Equatable, Sendable {
  package let kind: Kind
  /// The document's shown member.
  package let key: EventKey
  package let id: UniqueID
  /// The title; nil for a pick, a deleted document or a record without a title, empty for a birthday without names.
  package let title: String?
  package let isAlive: Bool
  /// The state of a to-do, if a ranked search found it.
  package var state = TodoState.open
  /// The shown member of the list of a to-do, if a ranked search found it; nil if no list is shown.
  package var list: EventKey?
  /// Whether it is an open to-do that repeats, if a ranked search found it.
  package var repeats = false

  /// The same candidate with a different title.
  package func titled(_ title: String) -> Candidate {
    Candidate(kind: kind, key: key, id: id, title: title, isAlive: isAlive)
  }
}

/// The SQL that finds shown documents by their whole title.
enum TitleQuery {
  /// Uses the indexes of titles, but not for birthdays and choices.
  ///
  /// The parameters are the folded title, the number of a kind or NULL, and the sort key of the title.
  ///
  /// Scanning the titles of 100,000 to-dos would take 35 ms.
  static let named = """
    SELECT kind, log, sequence, id, title, 1 FROM (
      SELECT 0 AS kind, log, sequence, id,
        trim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')) AS title
      FROM \(BirthdayTable.shown)
      WHERE ?1 IN (trim(last_name_folded || ' ' || first_name_folded),
        trim(first_name_folded || ' ' || last_name_folded))
      UNION ALL SELECT 1, log, sequence, id, name FROM \(ListTable.shown) WHERE name_folded = ?1
      UNION ALL SELECT 2, log, sequence, id, title FROM todo
      WHERE title_start = substr(?3, 1, \(TodoTable.titleStart)) AND title_folded = ?1
        AND series_log IS NULL AND \(TodoTable.isShown)
      UNION ALL SELECT 3, log, sequence, id, content FROM \(QuestionTable.shown)
      WHERE content_folded = ?1
      UNION ALL SELECT 4, log, sequence, id, name FROM \(ChoiceTable.shown)
      WHERE \(TitleSearch.choiceTitle) = ?1)
    WHERE ?2 IS NULL OR kind = ?2
    ORDER BY kind, title, id
    """
}

extension Kind {
  var number: Int64 { Int64(bitPattern: rawValue) }
}
