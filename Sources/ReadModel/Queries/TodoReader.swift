internal import Domain
internal import SQLite

// The table of to-dos, gone through in the order of its key: for a long list that takes longest of all.

/// Some to-dos in the order in which they were read, and how far the table was gone through for them.
struct TodoRun: Sendable {
  fileprivate(set) var todos: [TodoRow] = []
  fileprivate(set) var last: EventKey?
}

/// Reads to-dos with the lists they are on, each of which is looked up once; to join them with each row takes as long
/// as all else.
struct TodoReader {
  private let tables: TableConnection
  private var lists: [EventKey: (list: ShownList?, isShown: Bool)] = [:]

  init(_ tables: TableConnection) { self.tables = tables }

  /// Those of the table that some clauses lead to, but for what is on a list that is not shown.
  mutating func read(
    _ clauses: String, _ values: [SQLiteValue] = []
  ) throws(ReadModelError) -> TodoRun {
    let sql = """
      SELECT \(RowHead.columns), \(TodoRow.ownColumns), list_log, list_sequence
      FROM todo \(clauses)
      """
    var run = TodoRun()
    _ = try tables.rows(sql, values) { row throws(ReadModelError) in
      run.last = row.key(0)
      guard let key = row.keyOrNil(RowHead.count + TodoRow.ownCount) else {
        return run.todos.append(TodoRow(row, on: nil))
      }
      let parent = try list(named: key)
      if parent.isShown { run.todos.append(TodoRow(row, on: parent.list)) }
    }
    return run
  }

  /// The list that a reference leads to, and whether what is on it is shown.
  private mutating func list(
    named key: EventKey
  ) throws(ReadModelError) -> (list: ShownList?, isShown: Bool) {
    if let known = lists[key] { return known }
    let found = try lookUpList(named: key)
    lists[key] = found
    return found
  }

  /// The list that a reference leads to, and whether what is on it is shown.
  private func lookUpList(
    named key: EventKey
  ) throws(ReadModelError) -> (list: ShownList?, isShown: Bool) {
    let sql = """
      SELECT list.log, list.sequence, list.id, list.name, parent.shown_log IS NULL OR parent.alive
      FROM entity AS parent
      LEFT JOIN list ON list.log = parent.shown_log AND list.sequence = parent.shown_sequence
      WHERE parent.log = ?1 AND parent.sequence = ?2
      """
    let found = try tables.rows(sql, key.values) { row in
      let list = row.keyOrNil(0).map { key in
        ShownList(key: key, id: row.uniqueIDOrNil(2), name: row.textOrNil(3))
      }
      return (list, row.boolean(4))
    }
    // One that was never folded hides nothing.
    return found.first ?? (nil, true)
  }
}
