import Bytes
internal import Domain
internal import SQLite

/// Answers live queries.
package struct QueryRunner {
  let tables: TableConnection

  /// Answers a query.
  ///
  /// The rows have no event keys, so they can be compared with rows from other read models.
  package func result<Row: QueryRow>(
    of query: Query<Row>
  ) throws(ReadModelError) -> [RowSection<Row>] {
    let rows = try Row.rows(of: query.subject, by: query.order, in: tables).map(\.withoutKeys)
    guard let division = query.division else { return [RowSection(.undivided, rows)] }
    return .sections(of: rows) { $0.section(in: division) }
  }

  /// Whether touched documents may have changed the result of a query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - sections: The current result.
  ///   - touched: The documents that were touched.
  /// - Returns: Whether the result may have changed; `true` is always a correct answer.
  /// - Throws: ``ReadModelError`` if the tables cannot be read.
  package func mayChange<Row: QueryRow>(
    _ query: Query<Row>, showing sections: [RowSection<Row>], by touched: Touched
  ) throws(ReadModelError) -> Bool {
    switch touched {
    case .nothing: return false
    case .anything: return true
    case .documents(let documents):
      let concerned = documents.filter { Row.kinds.contains($0.key) }
      guard !concerned.isEmpty else { return false }
      let ids = concerned.values.reduce(into: Set<UniqueID>()) { $0.formUnion($1) }
      let isShown = sections.contains { section in
        section.rows.contains { ids.contains($0.rowID) }
      }
      if isShown { return true }
      return try Row.mayBring(concerned, of: query.subject, in: tables)
    }
  }
}
