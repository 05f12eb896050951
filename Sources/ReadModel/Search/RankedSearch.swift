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
    // For people, `search` contains the first name first, and `folded` contains the last name first. The text may match
    // either.
    clauses.require("(instr(search, \(part)) > 0 OR instr(folded, \(part)) > 0)")
    if let kind { clauses.require("kind = \(clauses.parameter(.integer(kind.number)))") }
    switch place {
    case .anywhere: break
    case .withoutList: clauses.require("kind = 2 AND place_log IS NULL")
    case .list(let list):
      let members = DocumentQueries.members(of: clauses.parameters(list))
      clauses.require(
        """
        kind = 2 AND (log, sequence) IN (
          SELECT log, sequence FROM todo WHERE (list_log, list_sequence) IN (\(members)))
        """)
    }
    let source = Self.ranked(by: part, word)
    clauses.take(
      page, of: source,
      by: ["state > 0", "rank", "natural_key", "coalesce(title, '')", "kind", "id"])
    return try tables.rows(
      """
      SELECT kind, log, sequence, id, title, state, repeats, place_log, place_sequence
      FROM \(source) \(clauses.sql)
      """, clauses.values
    ) { row in
      Candidate(
        kind: Kind(rawValue: row.unsigned(0)), key: row.key(1), id: row.uniqueID(3),
        title: row.textOrNil(4), isAlive: true, state: TodoState(rawValue: row.integer(5)) ?? .open,
        list: row.keyOrNil(7), repeats: row.boolean(6))
    }
  }

  /// The SQL for all titles with their ranks; the parameters are the text, and the text as the start of a word.
  private static func ranked(by part: String, _ word: String) -> String {
    """
    (SELECT *, CASE
      WHEN \(part) = '' OR folded = \(part) OR called = \(part) THEN 0
      WHEN instr(folded, \(part)) = 1 OR instr(called, \(part)) = 1 THEN 1
      WHEN instr(' ' || \(spaced("called")), \(word)) > 0 THEN 2
      WHEN instr(folded, \(part)) > 0 OR instr(called, \(part)) > 0 THEN 3
      ELSE 4 END AS rank
    FROM (\(TitleSearch.titles)))
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
