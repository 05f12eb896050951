internal import Domain
internal import Platform
internal import SQLite

// The table of to-dos, gone through in the order of its key: for a long list that takes longest of all.

/// Some to-dos in the order in which they were read, and how far the table was gone through for them.
struct TodoRun: Sendable {
  fileprivate(set) var todos: [TodoRow] = []
  fileprivate var last: EventKey?
}

extension ReadModel {
  /// Which to-dos are gone through.
  enum TodoScan {
    case all, open

    // In the words of an index, SQLite would go by that.
    fileprivate var condition: String { self == .all ? "TRUE" : "done = 0" }
  }

  /// All to-dos of the table, about so many, in any order.
  ///
  /// Where there are many, another connection reads from the end what it can on a thread of its own, until both meet.
  func scan(
    _ scan: TodoScan, about count: Int, beside: Machine.Beside?
  ) throws(ReadModelError) -> [TodoRow] {
    guard let file, let beside, count >= Self.manyTodos, !connection.isInTransaction else {
      return try wholeScan(scan)
    }
    try keepFewPages()
    // Where that fails, pages are read again later on, and that is all.
    defer { try? keepPages() }
    let moment = try integer(Self.moment)
    let end = ReadAhead(in: file, beside: beside) { model throws(ReadModelError) in
      var reader = TodoReader(model)
      return try reader.read(
        "WHERE \(scan.condition) ORDER BY log DESC, sequence DESC LIMIT ?1",
        [.integer(Int64(count * 2 / 5))])
    }
    let todos = try self.scan(scan, about: count, upTo: end)
    // What others have written meanwhile, one of both may have seen.
    return try integer(Self.moment) == moment ? todos : wholeScan(scan)
  }

  /// Changes whenever somebody else has written to the file.
  private static let moment = "PRAGMA data_version"
  /// From so many on it is quicker with a thread more.
  private static let manyTodos = 2_000
  /// So many are read before it is seen whether the rest is there.
  private static let scanStep: Int64 = 500

  private func wholeScan(_ scan: TodoScan) throws(ReadModelError) -> [TodoRow] {
    var reader = TodoReader(self)
    return try reader.read("WHERE \(scan.condition)").todos
  }

  /// Goes on until the to-dos are reached that were read from the end, however long that takes.
  private func scan(
    _ scan: TodoScan, about count: Int, upTo end: ReadAhead<TodoRun>
  ) throws(ReadModelError) -> [TodoRow] {
    let sql = """
      WHERE \(scan.condition) AND (log, sequence) > (?1, ?2) ORDER BY log, sequence LIMIT ?3
      """
    var reader = TodoReader(self)
    var (todos, last): ([TodoRow], EventKey?) = ([], nil)
    todos.reserveCapacity(count + Int(Self.scanStep))
    while true {
      let start = last.map(\.values) ?? [.integer(-1 as Int64), .integer(0 as Int64)]
      let part = try reader.read(sql, start + [.integer(Self.scanStep)])
      todos += part.todos
      guard let reached = part.last else { return todos }
      last = reached
      if let rest = end.value, let met = rest.last, met <= reached {
        while let key = todos.last?.head.key, key >= met { todos.removeLast() }
        todos += rest.todos
        return todos
      }
    }
  }
}

/// Reads to-dos with the lists they are on, each of which is looked up once; to join them with each row takes as long
/// as all else.
struct TodoReader {
  private let model: ReadModel
  private var lists: [EventKey: (list: ShownList?, isShown: Bool)] = [:]

  init(_ model: ReadModel) { self.model = model }

  /// Those of the table that some clauses lead to, but for what is on a list that is not shown.
  mutating func read(
    _ clauses: String, _ values: [SQLiteValue] = []
  ) throws(ReadModelError) -> TodoRun {
    let sql = """
      SELECT \(RowHead.columns), \(TodoRow.ownColumns), list_log, list_sequence
      FROM todo \(clauses)
      """
    var run = TodoRun()
    _ = try model.rows(sql, values) { row throws(ReadModelError) in
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
    let found = try model.list(named: key)
    lists[key] = found
    return found
  }
}
