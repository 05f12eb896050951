package import Domain
internal import SQLite

/// Finds the documents that contain the given text, best matches first.
package struct RankedSearch {
  let tables: TableConnection

  /// The shown documents that contain the given text, ignoring case, width and diacritics.
  ///
  /// Closed to-dos come after all other documents. Within both groups, the order is: titles equal to the text, titles
  /// that begin with it, titles with a word that begins with it, titles that contain it elsewhere, then documents that
  /// contain it in a note or a tag. Documents of the same rank are sorted by title. An empty string matches every
  /// document. A place other than `anywhere` matches only to-dos.
  package func search(
    _ text: String, kind: Kind? = nil, in place: TodoFilter.Place = .anywhere, page: Page = .all
  ) throws(ReadModelError) -> [Candidate] {
    let folded = Folding.fold(text)
    var clauses = Clauses()
    let part = clauses.parameter(.text(folded))
    let word = clauses.parameter(.text(" " + String(folded.map { Self.isBoundary($0) ? " " : $0 })))
    if let kind { clauses.require("kind = \(clauses.parameter(.integer(kind.number)))") }
    // For people, `search` contains the first name first, and `folded` contains the last name first. The text may match
    // either.
    let isFound = "instr(search, \(part)) > 0 OR instr(folded, \(part)) > 0"
    switch place {
    case .anywhere: break
    case .withoutList: clauses.require("kind = 2 AND NOT EXISTS \(TodoTable.shownList)")
    case .list(let list):
      let members = DocumentQueries.members(of: clauses.parameters(list))
      clauses.require(
        """
        kind = 2 AND (log, sequence) IN (
          SELECT log, sequence FROM todo WHERE (list_log, list_sequence) IN (\(members)))
        """)
    }
    clauses.take(
      page, of: Self.ranked(by: part, word, where: "TRUE"),
      by: ["state > 0", "rank", "natural_key", "coalesce(title, '')", "kind", "id"])
    return try tables.rows(
      """
      SELECT kind, log, sequence, id, title, state, repeats,
        \(TodoTable.shownList("list.log")), \(TodoTable.shownList("list.sequence"))
      FROM \(Self.ranked(by: part, word, where: isFound)) \(clauses.sql)
      """, clauses.values
    ) { row in
      Candidate(
        kind: Kind(rawValue: row.unsigned(0)), key: row.key(1), id: row.uniqueID(3),
        title: row.textOrNil(4), isAlive: true, state: TodoState(rawValue: row.integer(5)) ?? .open,
        list: row.keyOrNil(7), repeats: row.boolean(6))
    }
  }

  /// Returns the SQL for the documents that meet a condition, with the ranks of their titles.
  ///
  /// - Parameters:
  ///   - part: The text.
  ///   - word: The text as the start of a word.
  ///   - condition: The condition.
  /// - Returns: The query.
  private static func ranked(
    by part: String, _ word: String, where condition: String
  ) -> String {
    """
    (SELECT *, CASE
      WHEN \(part) = '' OR folded = \(part) OR called = \(part) THEN 0
      WHEN instr(folded, \(part)) = 1 OR instr(called, \(part)) = 1 THEN 1
      WHEN instr(' ' || \(spaced("called")), \(word)) > 0 THEN 2
      WHEN instr(folded, \(part)) > 0 OR instr(called, \(part)) > 0 THEN 3
      ELSE 4 END AS rank
    FROM (\(TitleQuery.documents(where: condition))))
    """
  }

  /// The characters that separate words, besides spaces.
  private static let boundaries = "-/_.,:;!?()[]\"'#@&+"

  private static func isBoundary(_ letter: Character) -> Bool { boundaries.contains(letter) }

  /// The SQL for a column with all separators replaced by spaces.
  private static func spaced(_ column: String) -> String {
    boundaries.reduce(column) { text, letter in
      "replace(\(text), '\(letter == "'" ? "''" : String(letter))', ' ')"
    }
  }
}
