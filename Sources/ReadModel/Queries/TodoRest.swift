internal import Domain
internal import SQLite

/// The numbers of to-dos that a list leaves out.
package struct TodoRest: Equatable, Sendable {
  /// The number of open to-dos that are hidden until their start.
  package var hidden = 0
  package var done = 0
  package var cancelled = 0

  package init(hidden: Int = 0, done: Int = 0, cancelled: Int = 0) {
    (self.hidden, self.done, self.cancelled) = (hidden, done, cancelled)
  }
}

extension TodoQueries {
  /// Counts the to-dos that a filter of open to-dos leaves out only because they are closed, or hidden on its day.
  package func rest(of filter: TodoFilter) throws(ReadModelError) -> TodoRest {
    var clauses = Clauses()
    var isHidden = "FALSE"
    if case .excluded(let day) = filter.hidden {
      isHidden = TodoFilter.isHidden(on: day, &clauses)
    }
    if filter.isOnlyOfState { return try restOfAll(isHidden, clauses) }
    var others = filter
    (others.includesClosed, others.includesOpen, others.hidden) = (true, true, .included)
    others.restrict(&clauses, by: .priority)
    clauses.require("(closed OR \(isHidden))")
    clauses.require(TodoTable.isShown)
    let sql = """
      SELECT coalesce(sum(NOT closed), 0), coalesce(sum(done), 0), coalesce(sum(cancelled), 0)
      FROM todo \(clauses.sql)
      """
    let counts = try tables.rows(sql, clauses.values) { row in
      TodoRest(
        hidden: Int(row.integer(0)), done: Int(row.integer(1)), cancelled: Int(row.integer(2)))
    }
    return counts.first ?? TodoRest()
  }

  /// Counts closed and hidden to-dos with the help of `todo_count` and of indexes that have few entries.
  ///
  /// Counting all of them row by row would take longer than the rest of a short query.
  private func restOfAll(
    _ isHidden: String, _ clauses: Clauses
  ) throws(ReadModelError) -> TodoRest {
    // Without the comparison, SQLite does not use the index of cancelled to-dos.
    let isCancelled = "cancelled AND cancelled > 0 AND NOT ended"
    let isShown = TodoTable.isShown
    let sql = """
      SELECT (SELECT count(*) FROM todo WHERE NOT closed AND \(isHidden) AND \(isShown)),
        (SELECT coalesce(sum(todos - open), 0) FROM \(TodoTable.shownCounts)),
        (SELECT count(*) FROM todo WHERE \(isCancelled) AND \(isShown))
      """
    let counts = try tables.rows(sql, clauses.values) { row in
      let cancelled = Int(row.integer(2))
      return TodoRest(
        hidden: Int(row.integer(0)), done: Int(row.integer(1)) - cancelled, cancelled: cancelled)
    }
    return counts.first ?? TodoRest()
  }
}
