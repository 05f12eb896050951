internal import Domain
internal import SQLite

// Reads the to-do table itself instead of the joined query, because reading rows takes most of the time for a long
// result.

/// To-dos in the order in which they were read, and the last table row that was read.
struct TodoRun: Sendable {
  fileprivate(set) var todos: [TodoRow] = []
  fileprivate(set) var last: EventKey?
}

/// Reads to-dos with their lists, looking up each list only once.
///
/// Joining the list to each row would double the time.
struct TodoReader {
  private let tables: TableConnection
  private var lists: [EventKey: (list: ShownList?, isShown: Bool)] = [:]

  init(_ tables: TableConnection) { self.tables = tables }

  /// Reads the rows of the to-do table that the given clauses select, without to-dos whose list is deleted.
  mutating func read(
    _ clauses: String, _ values: [SQLiteValue] = []
  ) throws(ReadModelError) -> TodoRun {
    var run = TodoRun()
    _ = try tables.rows(Self.query(clauses), values) { row throws(ReadModelError) in
      run.last = row.key(0)
      guard let key = row.keyOrNil(RowHead.count + TodoRow.ownCount) else {
        return run.todos.append(TodoRow(row, on: nil))
      }
      let parent = try list(named: key)
      if parent.isShown { run.todos.append(TodoRow(row, on: parent.list)) }
    }
    return run
  }

  static func query(_ clauses: String) -> String {
    """
    SELECT \(RowHead.columns), \(TodoRow.ownColumns), list_log, list_sequence
    FROM todo \(clauses)
    """
  }

  /// The list that a reference identifies, and whether to-dos on it are shown, from the cache if possible.
  private mutating func list(
    named key: EventKey
  ) throws(ReadModelError) -> (list: ShownList?, isShown: Bool) {
    if let known = lists[key] { return known }
    let found = try lookUpList(named: key)
    lists[key] = found
    return found
  }

  /// Looks up the list that a reference identifies, and whether to-dos on it are shown.
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
    // A list that has never been folded does not hide its to-dos.
    return found.first ?? (nil, true)
  }
}
