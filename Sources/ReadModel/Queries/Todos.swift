package import Bytes
package import Domain
package import Platform
internal import SQLite

package struct TodoRow: Equatable, Sendable {
  package let head: RowHead
  package let title: String?
  /// The list's shown member, id and name.
  package let list: EventKey?
  package let listID: UniqueID?
  package let listName: String?
  package let isDone: Bool
  package let completedAt: Int64?
  package let priority: Int64
  package let createdAt: Int64?
  package let due: CivilDate?
  package let position: Int64?
}

package enum TodoOrder: Sendable {
  /// The highest priority first, then what is due first, then the oldest.
  case priority
  /// What is due first, then the highest priority, then the oldest.
  case due
  /// The oldest first.
  case creation
  case title
  /// As arranged by hand; what never was comes last, the oldest first.
  case position

  // Events of one command have one time; their numbers tell them apart, on every device alike.
  private static let byAge = ["dated_creation", "creation_order", "added_at", "sequence", "id"]
  private static let byDueDate = ["undated", "due_order"]

  /// Whether to-dos of one priority are sorted as the index of urgency has them.
  var isByUrgency: Bool {
    switch self {
    case .priority, .due: true
    case .creation, .title, .position: false
    }
  }

  // Each begins as an index does, see ``TodoTable``.
  var terms: [String] {
    switch self {
    case .priority: ["urgency"] + Self.byDueDate + Self.byAge
    case .due: Self.byDueDate + ["urgency"] + Self.byAge
    case .creation: Self.byAge
    case .title: ["title_start", "title_folded", "coalesce(title, '')"] + Self.byAge
    case .position: ["unplaced", "position_order"] + Self.byAge
    }
  }
}

extension ReadModel {
  package func todos(
    _ filter: TodoFilter = TodoFilter(), by order: TodoOrder = .priority, page: Page = .all,
    beside: Machine.Beside? = nil
  ) throws(ReadModelError) -> [TodoRow] {
    if page == .all, filter.place == .anywhere {
      return try todosOfAllLists(filter, by: order, beside: beside)
    }
    let clauses = Self.clauses(filter, order, page)
    return try todos(clauses.sql, clauses.values)
  }

  /// How many to-dos there are, counted up to a number.
  package func count(
    of filter: TodoFilter, by order: TodoOrder, upTo most: Int
  ) throws(ReadModelError) -> Int {
    let clauses = Self.clauses(filter, order, Page(count: most))
    let sql = "SELECT count(*) FROM (SELECT 1 FROM \(TodoTable.shown) \(clauses.sql))"
    return Int(try integer(sql, clauses.values))
  }

  /// How many to-dos there are at most, by what is counted on each list; what is on none counts as open.
  package func mostTodos() throws(ReadModelError) -> (all: Int, open: Int) {
    let sql = """
      SELECT (SELECT count(*) FROM todo WHERE list_log IS NULL), coalesce(sum(todos), 0),
        coalesce(sum(open), 0) FROM todo_count
      """
    let counts = try rows(sql) { row in
      let alone = Int(row.integer(0))
      return (all: alone + Int(row.integer(1)), open: alone + Int(row.integer(2)))
    }
    return counts.first ?? (0, 0)
  }

  /// How SQLite finds to-dos, step by step.
  package func plan(
    of filter: TodoFilter, by order: TodoOrder, page: Page
  ) throws(ReadModelError) -> [String] {
    let clauses = Self.clauses(filter, order, page)
    return try rows("EXPLAIN QUERY PLAN " + Self.query(clauses.sql), clauses.values) {
      $0.text(3)
    }
  }

  static func clauses(
    _ filter: TodoFilter, _ order: TodoOrder, _ page: Page, by terms: [String]? = nil
  ) -> Clauses {
    var clauses = Clauses()
    filter.restrict(&clauses, by: order)
    // This is always so; else SQLite takes the index of titles, which has one term of many, not to be worth it.
    if order == .title { clauses.require("title_start >= ''") }
    clauses.take(page, of: TodoTable.shown, by: terms ?? order.terms)
    return clauses
  }

  package func todo(_ key: EventKey) throws(ReadModelError) -> TodoRow? {
    try todos("WHERE log = ?1 AND sequence = ?2", key.values).first
  }

  private func todos(
    _ clauses: String, _ values: [SQLiteValue]
  ) throws(ReadModelError) -> [TodoRow] {
    try rows(Self.query(clauses), values) { row in
      let start = RowHead.count + TodoRow.ownCount
      let list = row.keyOrNil(start).map { key in
        ShownList(key: key, id: row.uniqueIDOrNil(start + 2), name: row.textOrNil(start + 3))
      }
      return TodoRow(row, on: list)
    }
  }

  private static func query(_ clauses: String) -> String {
    """
    SELECT \(RowHead.columns), \(TodoRow.ownColumns),
      shown_list_log, shown_list_sequence, list_id, list_name
    FROM \(TodoTable.shown) \(clauses)
    """
  }
}

extension TodoRow {
  /// The columns of its own table behind those of its head.
  static let ownColumns =
    "title, done, completed_at, priority, created_at, due_number, position"
  static let ownCount = 7

  init(_ row: borrowing Statement, on shown: ShownList?) {
    head = RowHead(row)
    let start = RowHead.count
    title = row.textOrNil(start)
    (list, listID, listName) = (shown?.key, shown?.id, shown?.name)
    isDone = row.boolean(start + 1)
    completedAt = row.integerOrNil(start + 2)
    priority = row.integer(start + 3)
    createdAt = row.integerOrNil(start + 4)
    due = row.date(start + 5)
    position = row.integerOrNil(start + 6)
  }
}

/// The list that a to-do is on, as far as it is shown.
struct ShownList {
  let key: EventKey
  let id: UniqueID?
  let name: String?
}
