internal import Domain
internal import SQLite

/// The SQL for titles of documents of one kind or of all.
///
/// A query for one kind compiles in a third of the time.
enum TitleQuery {
  /// Returns the SQL that finds shown documents by their whole title, and the values of its parameters.
  ///
  /// It uses the indexes of titles, but not for birthdays and choices. Scanning the titles of 100,000 to-dos would take
  /// 35 ms.
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
      FROM \(part.shown) WHERE \(part.isNamed)
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

  /// Returns the SQL for the title of the document `shown`; reading from ``TitleSearch/titles`` would read all titles.
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

  /// The titles of a kind.
  private struct Part {
    let kind: Kind
    let table: String
    let title: String
    /// The table expression for the documents that are shown.
    let shown: String
    /// The condition that the folded title is `?1`; for to-dos, its sort key is `?2`.
    let isNamed: String
  }

  private static func parts(_ kind: Kind?) -> [Part] {
    kind.map { kind in parts.filter { $0.kind == kind } } ?? parts
  }

  private static let parts = [
    Part(
      kind: .birthday, table: BirthdayTable.name,
      title: "trim(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))",
      shown: BirthdayTable.shown,
      isNamed: """
        ?1 IN (trim(last_name_folded || ' ' || first_name_folded),
          trim(first_name_folded || ' ' || last_name_folded))
        """),
    Part(
      kind: .list, table: ListTable.name, title: "name", shown: ListTable.shown,
      isNamed: "name_folded = ?1"),
    Part(
      kind: .todo, table: TodoTable.name, title: "title", shown: TodoTable.name,
      isNamed: """
        title_start = substr(?2, 1, \(TodoTable.titleStart)) AND title_folded = ?1
          AND series_log IS NULL AND \(TodoTable.isShown)
        """),
    Part(
      kind: .question, table: QuestionTable.name, title: "content", shown: QuestionTable.shown,
      isNamed: "content_folded = ?1"),
    Part(
      kind: .choice, table: ChoiceTable.name, title: "name", shown: ChoiceTable.shown,
      isNamed: "\(TitleSearch.choiceTitle) = ?1"),
  ]
}
