internal import Domain
import Platform
internal import SQLite

/// Reads the table of to-dos in the order of its key.
struct TodoScanner {
  let tables: TableConnection

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
    guard let file = tables.file, let beside, count >= Self.manyTodos,
      !tables.connection.isInTransaction
    else {
      return try wholeScan(scan)
    }
    try tables.keepFewPages()
    // Where that fails, pages are read again later on, and that is all.
    defer { try? tables.keepPages() }
    let moment = try tables.integer(Self.moment)
    let end = ReadAhead(in: file, beside: beside) { tables throws(ReadModelError) in
      var reader = TodoReader(tables)
      return try reader.read(
        "WHERE \(scan.condition) ORDER BY log DESC, sequence DESC LIMIT ?1",
        [.integer(Int64(count * 2 / 5))])
    }
    let todos = try self.scan(scan, about: count, upTo: end)
    // What others have written meanwhile, one of both may have seen.
    return try tables.integer(Self.moment) == moment ? todos : wholeScan(scan)
  }

  /// Changes whenever somebody else has written to the file.
  private static let moment = "PRAGMA data_version"

  /// From so many on it is quicker with a thread more.
  private static let manyTodos = 2_000

  /// So many are read before it is seen whether the rest is there.
  private static let scanStep: Int64 = 500

  private func wholeScan(_ scan: TodoScan) throws(ReadModelError) -> [TodoRow] {
    var reader = TodoReader(tables)
    return try reader.read("WHERE \(scan.condition)").todos
  }

  /// Goes on until the to-dos are reached that were read from the end, however long that takes.
  private func scan(
    _ scan: TodoScan, about count: Int, upTo end: ReadAhead<TodoRun>
  ) throws(ReadModelError) -> [TodoRow] {
    let sql = """
      WHERE \(scan.condition) AND (log, sequence) > (?1, ?2) ORDER BY log, sequence LIMIT ?3
      """
    var reader = TodoReader(tables)
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
