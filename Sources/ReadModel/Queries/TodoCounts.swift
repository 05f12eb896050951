internal import Domain
internal import SQLite

/// The changes to the number of all and of open to-dos on each list, collected until they are written.
///
/// Triggers would be slower: SQLite would copy each page that a statement with a trigger changes, to be able to roll
/// back a statement that fails halfway.
struct TodoCounts {
  private var changes: [EventKey: (todos: Int64, open: Int64)] = [:]

  /// Counts the replacement of one row of `todo` by another; nil means no row.
  mutating func replace(_ old: [SQLiteValue]?, by new: [SQLiteValue]?) {
    if let old { count(old, -1) }
    if let new { count(new, 1) }
  }

  /// Adds the changes that another instance collected.
  mutating func add(_ other: TodoCounts) {
    for (key, change) in other.changes {
      changes[key, default: (0, 0)].todos += change.todos
      changes[key, default: (0, 0)].open += change.open
    }
  }

  private mutating func count(_ row: [SQLiteValue], _ step: Int64) {
    guard case .integer(let log) = row[Self.list], case .integer(let sequence) = row[Self.list + 1]
    else { return }
    let key = EventKey(
      log: UInt32(truncatingIfNeeded: log), sequence: UInt64(bitPattern: sequence))
    let isOpen = row[Self.closed] == .integer(0 as Int64)
    changes[key, default: (0, 0)].todos += step
    changes[key, default: (0, 0)].open += isOpen ? step : 0
  }

  /// The index of the first of two columns of a row: the log and the sequence of the list.
  private static let list = place(of: "list_log")
  /// The index of the column that says whether the to-do is closed.
  private static let closed = place(of: "closed")

  private static func place(of column: String) -> Int {
    guard let place = TodoTable.storedColumns.firstIndex(of: column) else {
      preconditionFailure("to-dos have the column \(column)")
    }
    return place
  }

  /// Adds the changes to `todo_count`, and deletes the rows of lists that have no to-dos left.
  func write(with statements: StatementCache) throws(SQLiteError) {
    for (key, change) in changes.sorted(by: { $0.key < $1.key }) where change != (0, 0) {
      try statements.run(
        """
        INSERT INTO todo_count VALUES (?1, ?2, ?3, ?4)
          ON CONFLICT DO UPDATE SET todos = todos + excluded.todos, open = open + excluded.open
        """, key.values + [.integer(change.todos), .integer(change.open)])
      guard change.todos < 0 else { continue }
      try statements.run(
        "DELETE FROM todo_count WHERE list_log = ?1 AND list_sequence = ?2 AND todos = 0",
        key.values)
    }
  }
}
