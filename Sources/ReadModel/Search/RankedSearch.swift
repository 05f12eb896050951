package import Domain
internal import SQLite

/// Finds the documents in which a text occurs, best matches first.
package struct RankedSearch {
  let tables: TableConnection

  /// The documents shown in which a text occurs, whatever the case, width or diacritics.
  ///
  /// First come those whose whole title it is, then those whose title begins with it, those in whose title a
  /// word begins with it, those that have it elsewhere in the title, and those that have it in a note or a tag;
  /// among equals by title. An empty text occurs everywhere.
  package func search(
    _ text: String, kind: Kind? = nil, list: EventKey? = nil, page: Page = .all
  ) throws(ReadModelError) -> [Candidate] {
    let folded = Folding.fold(text)
    var clauses = Clauses()
    let part = clauses.parameter(.text(folded))
    let word = clauses.parameter(.text(" " + String(folded.map { Self.isBoundary($0) ? " " : $0 })))
    // Names of people are searched as they are called; they may be written as lists have them, too.
    clauses.require("(instr(search, \(part)) > 0 OR instr(folded, \(part)) > 0)")
    if let kind { clauses.require("kind = \(clauses.parameter(.integer(kind.number)))") }
    if let list {
      let members = DocumentQueries.members(of: clauses.parameters(list))
      clauses.require(
        """
        kind = 2 AND (log, sequence) IN (
          SELECT log, sequence FROM todo WHERE (list_log, list_sequence) IN (\(members)))
        """)
    }
    let source = Self.ranked(by: part, word)
    clauses.take(
      page, of: source, by: ["rank", "folded", "coalesce(title, '')", "kind", "id"])
    return try TitleSearch(tables: tables).candidates(
      "SELECT kind, log, sequence, id, title, 1 FROM \(source) \(clauses.sql)", clauses.values)
  }

  /// All titles with their ranks; the parameters stand for the text, and for it as it begins a word.
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

  /// What stands between words besides spaces.
  private static let boundaries = "-/_.,:;!?()[]\"'#@&+"

  private static func isBoundary(_ letter: Character) -> Bool { boundaries.contains(letter) }

  /// A column with spaces for all that stands between words.
  private static func spaced(_ column: String) -> String {
    boundaries.reduce(column) { text, letter in
      "replace(\(text), '\(letter == "'" ? "''" : String(letter))', ' ')"
    }
  }
}
