package import Domain
package import Platform
internal import SQLite

/// Reads to-dos.
package struct TodoQueries {
  let tables: TableConnection

  private var scanner: TodoScanner { TodoScanner(tables: tables) }

  package func todos(
    _ filter: TodoFilter = TodoFilter(), by order: TodoOrder = .priority, page: Page = .all,
    beside: Machine.Beside? = nil
  ) throws(ReadModelError) -> [TodoRow] {
    if page == .all, filter.place == .anywhere {
      return try todosOfAllLists(filter, by: order, beside: beside)
    }
    return try sortedTodos(filter, by: order, page)
  }

  /// The number of to-dos, counted up to a maximum.
  package func count(of filter: TodoFilter, upTo most: Int) throws(ReadModelError) -> Int {
    let clauses = Self.clauses(counting: filter)
    let limited = "SELECT 1 FROM todo \(clauses.sql) LIMIT \(most)"
    return Int(try tables.integer("SELECT count(*) FROM (\(limited))", clauses.values))
  }

  private static func clauses(counting filter: TodoFilter) -> Clauses {
    var clauses = Clauses(comparing: .stored)
    filter.restrict(&clauses, by: .due)
    clauses.require(TodoTable.isShown)
    return clauses
  }

  /// An upper bound for the number of to-dos, from the counts of each list.
  package func mostTodos() throws(ReadModelError) -> (all: Int, open: Int) {
    let sql = "SELECT coalesce(sum(todos), 0), coalesce(sum(open), 0) FROM todo_count"
    let counts = try tables.rows(sql) { row in
      (all: Int(row.integer(0)), open: Int(row.integer(1)))
    }
    return counts.first ?? (0, 0)
  }

  /// The numbers of to-dos that are shown, from the counts of each list.
  ///
  /// - Parameter day: The day for which to-dos count as hidden; nil if none count as hidden.
  /// - Returns: The numbers.
  /// - Throws: ``ReadModelError`` if the tables cannot be read.
  package func totals(on day: CivilDate? = nil) throws(ReadModelError) -> TodoTotals {
    let sql = """
      SELECT coalesce(sum(open), 0), coalesce(sum(undated), 0) FROM \(TodoTable.shownCounts)
      """
    let (open, undated) = try tables.rows(sql) { ($0.integer(0), $0.integer(1)) }.first ?? (0, 0)
    let rest = try rest(of: .visible(on: day))
    let hidden = try rest.hidden == 0 ? 0 : day.map(countOfHiddenUndated) ?? 0
    return TodoTotals(
      open: open - Int64(rest.hidden), hidden: Int64(rest.hidden), undated: undated - hidden,
      done: Int64(rest.done), cancelled: Int64(rest.cancelled))
  }

  private func countOfHiddenUndated(on day: CivilDate) throws(ReadModelError) -> Int64 {
    let clauses = Self.clauses(ofUndatedHiddenOn: day)
    return try tables.integer("SELECT count(*) FROM todo \(clauses.sql)", clauses.values)
  }

  private static func clauses(ofUndatedHiddenOn day: CivilDate) -> Clauses {
    var clauses = Clauses()
    clauses.require("NOT closed")
    clauses.require(TodoFilter.isHidden(on: day, &clauses))
    // The plus prevents SQLite from reading all to-dos without a date instead of the few with a start.
    clauses.require("+due_number IS NULL")
    clauses.require(TodoTable.isShown)
    return clauses
  }

  /// The to-dos that were completed within a span of milliseconds, earliest first, up to a maximum.
  package func todos(
    completedIn span: Range<Int64>, upTo most: Int = .max
  ) throws(ReadModelError) -> [TodoRow] {
    try todos(
      """
      WHERE done AND completed_at >= ?1 AND completed_at < ?2 AND \(TodoTable.isShown)
      ORDER BY completed_at, added_at, sequence, id LIMIT ?3
      """,
      [.integer(span.lowerBound), .integer(span.upperBound), .integer(Int64(most))])
  }

  /// The number of to-dos that were completed within a span of milliseconds, counted up to a maximum.
  package func count(
    completedIn span: Range<Int64>, upTo most: Int
  ) throws(ReadModelError) -> Int {
    let sql = """
      SELECT count(*) FROM (SELECT 1 FROM todo
        WHERE done AND completed_at >= ?1 AND completed_at < ?2 AND \(TodoTable.isShown) LIMIT ?3)
      """
    return Int(
      try tables.integer(
        sql, [.integer(span.lowerBound), .integer(span.upperBound), .integer(Int64(most))]))
  }

  /// The zones of to-dos with a due time on the given days, in any order.
  ///
  /// - Parameter days: The days in the zones, packed as in events.
  /// - Returns: The names of the zones, as stored.
  /// - Throws: ``ReadModelError`` if the tables cannot be read.
  package func zones(ofTodosDue days: ClosedRange<Int64>) throws(ReadModelError) -> [String] {
    let sql = """
      SELECT DISTINCT zone FROM todo
      WHERE due_number BETWEEN ?1 AND ?2 AND due_time IS NOT NULL AND zone IS NOT NULL
      """
    return try tables.rows(sql, [.integer(days.lowerBound), .integer(days.upperBound)]) {
      $0.text(0)
    }
  }

  /// SQLite's query plan for to-dos, one step per line.
  package func plan(
    of filter: TodoFilter, by order: TodoOrder, page: Page
  ) throws(ReadModelError) -> [String] {
    let clauses = Self.clauses(filter, order, page, leavingTies: true)
    let sql = "EXPLAIN QUERY PLAN " + TodoReader.query(clauses.sql)
    return try tables.rows(sql, clauses.values) { $0.text(3) }
  }

  /// SQLite's query plan for the number of to-dos, one step per line.
  package func plan(ofCounting filter: TodoFilter) throws(ReadModelError) -> [String] {
    try plan(ofCounting: Self.clauses(counting: filter))
  }

  /// SQLite's query plan for counting undated to-dos that are hidden on a day, one step per line.
  package func plan(ofCountingUndatedHiddenOn day: CivilDate) throws(ReadModelError) -> [String] {
    try plan(ofCounting: Self.clauses(ofUndatedHiddenOn: day))
  }

  private func plan(ofCounting clauses: Clauses) throws(ReadModelError) -> [String] {
    let sql = "EXPLAIN QUERY PLAN SELECT 1 FROM todo \(clauses.sql)"
    return try tables.rows(sql, clauses.values) { $0.text(3) }
  }

  static func clauses(
    _ filter: TodoFilter, _ order: TodoOrder, _ page: Page, leavingTies leavesTies: Bool = false
  ) -> Clauses {
    var clauses = Clauses()
    filter.restrict(&clauses, by: order)
    // This condition is always true. Without it, SQLite does not use the index of titles, which covers only one of many
    // terms.
    if order == .title { clauses.require("title_start >= ''") }
    // The reader leaves out to-dos that are not shown, but a page must not count them.
    if page != .all { clauses.require(TodoTable.isShown) }
    clauses.take(
      page, of: "todo", where: TodoTable.isShown, by: order.terms, leavingTies: leavesTies)
    return clauses
  }

  package func todo(_ key: EventKey) throws(ReadModelError) -> TodoRow? {
    try todos("WHERE log = ?1 AND sequence = ?2", key.values).first
  }

  private func todos(
    _ clauses: String, _ values: [SQLiteValue]
  ) throws(ReadModelError) -> [TodoRow] {
    var reader = TodoReader(tables)
    return try reader.read(clauses, values).todos
  }

  /// The to-dos on all lists and without a list, in any order; nil if an index finds them faster.
  private func scannedTodos(
    _ filter: TodoFilter, beside: Machine.Beside?, for order: TodoOrder
  ) throws(ReadModelError) -> [TodoRow]? {
    guard order.isOfNumbers, filter.isOnlyOfState, filter.includesClosed || filter.includesOpen
    else { return nil }
    var day: CivilDate?
    switch filter.hidden {
    case .included: break
    case .excluded(let hidden): day = hidden
    // There are few hidden to-dos, so an index finds them faster.
    case .only: return nil
    }
    let most = try mostTodos()
    // If at least a third of all to-dos are needed, a table scan and a sort are faster, because reading a row in table
    // order takes a third of the time of looking it up through an index.
    guard filter.includesClosed || 3 * most.open >= most.all else { return nil }
    var todos = try scanner.scan(
      filter.includesClosed ? .all : .open, about: filter.includesClosed ? most.all : most.open,
      beside: beside)
    if !filter.includesOpen { todos.removeAll { !$0.isClosed } }
    if let day { todos.removeAll { $0.isHidden(on: day) } }
    return todos
  }

  /// The to-dos on all lists and without a list.
  func todosOfAllLists(
    _ filter: TodoFilter, by order: TodoOrder, beside: Machine.Beside?
  ) throws(ReadModelError) -> [TodoRow] {
    if let todos = try scannedTodos(filter, beside: beside, for: order) {
      return order.sorted(todos)
    }
    return try sortedTodos(filter, by: order, .all)
  }

  /// The to-dos of a page, read in the order of an index where there is one.
  ///
  /// No index contains the id, so with the id as a term SQLite would sort the rows again. To-dos that differ only in
  /// their ids are therefore sorted here. Such to-dos are rare, because only different devices can add them.
  private func sortedTodos(
    _ filter: TodoFilter, by order: TodoOrder, _ page: Page
  ) throws(ReadModelError) -> [TodoRow] {
    // The row after the page shows whether the page ends between such to-dos.
    let larger = Page(after: page.after, count: page.count.map { $0 &+ 1 })
    let clauses = Self.clauses(filter, order, larger, leavingTies: true)
    var todos = try todos(clauses.sql, clauses.values)
    if let count = page.count, todos.count > count {
      // Which of these to-dos belong to the page depends on their ids.
      if order.areTied(todos, at: count) {
        let clauses = Self.clauses(filter, order, page)
        return try self.todos(clauses.sql, clauses.values)
      }
      todos.removeSubrange(count...)
    }
    order.sortByID(&todos)
    return todos
  }
}
