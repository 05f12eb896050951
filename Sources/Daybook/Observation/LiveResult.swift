package import ReadModel

/// The result of a query, kept up to date.
package struct LiveResult<Row: QueryRow> {
  package let query: Query<Row>
  package private(set) var sections: [RowSection<Row>]
  private var isRead: Bool

  /// Begins with nothing, or goes on with what was there already.
  package init(_ query: Query<Row>, showing sections: [RowSection<Row>]? = nil) {
    self.query = query
    self.sections = sections ?? query.nothing
    isRead = sections != nil
  }

  /// Brings the result up to a read model.
  ///
  /// - Parameters:
  ///   - model: Where the rows are.
  ///   - touched: What may be different since the last time.
  /// - Returns: What has changed, which the first time is all there is; nil if nothing has.
  /// - Throws: ``DaybookError/view(_:)``, when the rows cannot be read.
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
