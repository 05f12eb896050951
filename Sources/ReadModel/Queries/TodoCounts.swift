internal import Domain
internal import SQLite

/// The changes to the numbers of to-dos on each list and without a list, collected until they are written.
///
/// The counts cover all to-dos that lists show, the open to-dos among them, and the open to-dos without a due date.
///
/// Triggers would be slower, because SQLite would copy each page that a statement with a trigger changes, to be able to
/// roll back a statement that fails halfway.
struct TodoCounts {
  private typealias Counts = (todos: Int64, open: Int64, undated: Int64)

  /// The changes for each list; nil is the key of to-dos without a list.
  private var changes: [EventKey?: Counts] = [:]

  /// Counts the replacement of one row of `todo` by another; nil means no row.
  mutating func replace(_ old: [SQLiteValue]?, by new: [SQLiteValue]?) {
    if let old { count(old, -1) }
    if let new { count(new, 1) }
  }

  /// Adds the changes that another instance collected.
  mutating func add(_ other: TodoCounts) {
    for (key, change) in other.changes { add(change, to: key) }
  }

  private mutating func count(_ row: [SQLiteValue], _ step: Int64) {
    guard row[Self.ended] == .integer(0 as Int64) else { return }
    var key: EventKey?
    if case .integer(let log) = row[Self.list], case .integer(let sequence) = row[Self.list + 1] {
      key = EventKey(
        log: UInt32(truncatingIfNeeded: log), sequence: UInt64(bitPattern: sequence))
    }
    let open = row[Self.closed] == .integer(0 as Int64) ? step : 0
    add((step, open, row[Self.due] == .null ? open : 0), to: key)
  }

  private mutating func add(_ change: Counts, to key: EventKey?) {
    let counts = changes[key] ?? (0, 0, 0)
    changes[key] = (
      counts.todos + change.todos, counts.open + change.open, counts.undated + change.undated
    )
  }

  // The indices of columns of a row. `list` is the index of `list_log`; `list_sequence` is the next column.
  private static let list = place("list_log")
  private static let closed = place("closed")
  private static let due = place("due_number")
  private static let ended = place("ended")

  private static func place(_ column: String) -> Int {
    guard let place = TodoTable.storedColumns.firstIndex(of: column) else {
      preconditionFailure("to-dos have the column \(column)")
    }
    return place
  }

  /// The key of the row for to-dos without a list; no log has this number.
  private static let withoutList: [SQLiteValue] = [.integer(-1 as Int64), .integer(0 as Int64)]

  /// Adds the changes to `todo_count`, and deletes the rows of lists that have no to-dos left.
  func write(with statements: StatementCache) throws(SQLiteError) {
    for key in changes.keys.sorted(by: Self.precedes) {
      guard let change = changes[key], change != (0, 0, 0) else { continue }
      let place = key?.values ?? Self.withoutList
      try statements.run(
        """
        INSERT INTO todo_count VALUES (?1, ?2, ?3, ?4, ?5)
          ON CONFLICT DO UPDATE SET todos = todos + excluded.todos, open = open + excluded.open,
            undated = undated + excluded.undated
        """,
        place + [.integer(change.todos), .integer(change.open), .integer(change.undated)])
      guard change.todos < 0 else { continue }
      try statements.run(
        "DELETE FROM todo_count WHERE list_log = ?1 AND list_sequence = ?2 AND todos = 0", place)
    }
  }

  private static func precedes(_ left: EventKey?, _ right: EventKey?) -> Bool {
    guard let right else { return false }
    return left.map { $0 < right } ?? true
  }
}
