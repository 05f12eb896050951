internal import Domain
internal import SQLite

/// The SQL for the titles of documents of one kind or of all kinds.
///
/// A query for one kind compiles in a third of the time of a query for all kinds.
enum TitleQuery {
  /// Returns the SQL that finds shown documents by their whole title, and the values of its parameters.
  ///
  /// The query uses the indexes of titles, except for birthdays and choices. Scanning the titles of 100,000 to-dos
  /// would take 35 ms.
  ///
  /// - Parameters:
  ///   - folded: The folded title.
  ///   - kind: The kind of the documents; nil for all kinds.
  /// - Returns: The query and the values; nil if the kind has no titles.
  static func named(
    _ folded: String, _ kind: Kind?
  ) -> (sql: String, values: [SQLiteValue])? {
    let parts = parts(kind)
    guard !parts.isEmpty else { return nil }
    let queries = parts.map { part in
      """
      SELECT \(part.kind.number) AS kind, log, sequence, id, \(part.title) AS title
      FROM \(part.shown ?? part.table)
      WHERE \(part.isNamed)\(part.isShown.map { " AND \($0)" } ?? "")
      """
    }
    var values: [SQLiteValue] = [.text(folded)]
    if parts.contains(where: { $0.kind == .todo }) {
      values.append(.text(NaturalOrder.key(of: folded) ?? folded))
    }
    let sql = """
      SELECT kind, log, sequence, id, title, 1 FROM (\(queries.joined(separator: " UNION ALL ")))
      ORDER BY kind, title, id
      """
    return (sql, values)
  }

  /// Returns the SQL for the title of the document `shown`; ``documents(where:_:)`` would read all titles.
  ///
  /// - Parameter kind: The kind of the document; nil for any kind.
  /// - Returns: The SQL of an expression.
  static func title(_ kind: Kind?) -> String {
    let cases = parts(kind).map { part in
      """
      WHEN \(part.kind.number) THEN (SELECT \(part.title)
        FROM \(part.table) WHERE log = shown.log AND sequence = shown.sequence)
      """
    }
    return cases.isEmpty ? "NULL" : "CASE shown.kind \(cases.joined(separator: " ")) END"
  }

  /// Returns the SQL for the shown documents that meet a condition, with their titles.
  ///
  /// Occurrences are left out, because each has the title of its series.
  ///
  /// The condition is checked first, because checking whether a document is shown requires a look-up of its parent. The
  /// condition may use the columns `search`, the text to be searched; `folded`, the folded title; and `called`, which
  /// differs from `folded` for people: it begins with the first name, and `folded` with the last name.
  ///
  /// The other columns are `kind`; `log`, `sequence` and `id`; `title`; `natural_key`, the key by which titles are
  /// sorted; `state`, the number of a ``TodoState``; `repeats`, whether an open to-do repeats; and `list_log` and
  /// `list_sequence`, the key of a to-do's list, which need not be shown.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - kind: The kind of the documents; nil for all kinds.
  /// - Returns: The query.
  static func documents(where condition: String, _ kind: Kind? = nil) -> String {
    (parts + [picks]).filter { kind == nil || $0.kind == kind }.map { part in
      """
      SELECT \(part.kind.number) AS kind, log, sequence, id, search, \(part.folded) AS folded,
        \(part.called ?? part.folded) AS called, \(part.title) AS title,
        \(part.naturalKey ?? part.folded) AS natural_key, \(part.state) AS state,
        \(part.repeats) AS repeats, \(part.list.log) AS list_log,
        \(part.list.sequence) AS list_sequence
      FROM \(part.shown ?? part.table)
      WHERE (\(condition))\(part.isShown.map { " AND \($0)" } ?? "")
      """
    }.joined(separator: " UNION ALL ")
  }

  /// The titles of a kind.
  private struct Part {
    let kind: Kind
    let table: String
    /// The table expression for the documents that are shown; nil if it is the table.
    var shown: String?
    let title: String
    /// The folded title; for people, the last name is first.
    let folded: String
    /// The folded title of a person with the first name first; nil for other kinds.
    var called: String?
    /// The key by which titles are sorted; nil if it is the folded title.
    var naturalKey: String?
    var state = "0"
    var repeats = "0"
    var list = (log: "NULL", sequence: "NULL")
    /// The condition that the folded title is `?1`; for to-dos, its sort key is `?2`.
    let isNamed: String
    /// The condition that a row of `shown` is shown under its title; nil if all are.
    var isShown: String?
  }

  private static func parts(_ kind: Kind?) -> [Part] {
    kind.map { kind in parts.filter { $0.kind == kind } } ?? parts
  }

  private static let parts = [
    Part(
      kind: .birthday, table: BirthdayTable.name,
      title: "trim(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))",
      folded: lastNameFirst, called: firstNameFirst,
      isNamed: "?1 IN (\(lastNameFirst), \(firstNameFirst))"),
    Part(
      kind: .list, table: ListTable.name, title: "name", folded: "name_folded",
      naturalKey: "coalesce(name_order, name_folded)", isNamed: "name_folded = ?1"),
    Part(
      kind: .todo, table: TodoTable.name, title: "title", folded: "title_folded",
      naturalKey: "coalesce(title_order, title_folded)", state: "closed + cancelled",
      repeats: "repeat IS NOT NULL AND NOT closed", list: ("list_log", "list_sequence"),
      isNamed: "title_start = substr(?2, 1, \(TodoTable.titleStart)) AND title_folded = ?1",
      isShown: "series_log IS NULL AND \(TodoTable.isShown)"),
    Part(
      kind: .question, table: QuestionTable.name, title: "content", folded: "content_folded",
      naturalKey: "coalesce(content_order, content_folded)", isNamed: "content_folded = ?1"),
    Part(
      kind: .choice, table: ChoiceTable.name, shown: ChoiceTable.shown, title: "name",
      folded: choiceTitle, isNamed: "\(choiceTitle) = ?1"),
  ]

  /// Picks, which have no titles.
  private static let picks = Part(
    kind: .pick, table: PickTable.name, shown: PickTable.shown, title: "NULL", folded: "''",
    isNamed: "FALSE")

  private static let lastNameFirst = "trim(last_name_folded || ' ' || first_name_folded)"
  private static let firstNameFirst = "trim(first_name_folded || ' ' || last_name_folded)"

  /// The SQL for the folded name of a choice, which is the first line of `search`.
  ///
  /// Without a name, the first line comes from the note, and the result is empty.
  private static let choiceTitle = """
    CASE WHEN name IS NULL THEN ''
      ELSE substr(search, 1, instr(search || char(10), char(10)) - 1) END
    """
}
