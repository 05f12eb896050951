package import ReadModel

/// The result of a query, kept up to date.
package struct LiveResult<Row: QueryRow> {
  package let query: Query<Row>
  package private(set) var sections: [RowSection<Row>]
  private var isRead: Bool

  /// Starts with ``Query/nothing``, or with an earlier result.
  package init(_ query: Query<Row>, showing sections: [RowSection<Row>]? = nil) {
    self.query = query
    self.sections = sections ?? query.nothing
    isRead = sections != nil
  }

  /// Updates the result from a read model.
  ///
  /// - Parameters:
  ///   - model: The read model.
  ///   - touched: The documents that may have changed since the last call.
  /// - Returns: The changes, which include all rows the first time; nil if there are none.
  /// - Throws: ``DaybookError/view(_:)`` if the rows cannot be read.
  package mutating func refresh(
    from model: ReadModel, touched: Touched
  ) throws(DaybookError) -> ChangeSet<Row>? {
    let (query, before) = (query, isRead ? sections : nil)
    let found = try wrap(DaybookError.view) { () throws(ReadModelError) in
      if let before, try !model.liveQueries.mayChange(query, showing: before, by: touched) {
        return nil as [RowSection<Row>]?
      }
      return try model.liveQueries.result(of: query)
    }
    guard let found else { return nil }
    let changes = ChangeSet(from: sections, to: found)
    defer { isRead = true }
    if isRead, changes.isEmpty { return nil }
    sections = found
    return changes
  }
}
