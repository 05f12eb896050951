internal import Domain
import Platform
internal import SQLite

/// Reads the to-do table in the order of its key.
struct TodoScanner {
  let tables: TableConnection

  /// The to-dos to read.
  enum TodoScan {
    case all, open

    // The partial index is declared with a different expression, so SQLite does not use it here.
    fileprivate var condition: String { self == .all ? "ended = 0" : "closed = 0" }
  }

  /// All shown to-dos, or all open ones, in any order.
  ///
  /// In a long table, a second connection reads the last two fifths on another thread.
  ///
  /// - Parameters:
  ///   - scan: The to-dos to read.
  ///   - count: The approximate number of to-dos.
  ///   - beside: Runs work on another thread; nil to read on this thread only.
  /// - Returns: The to-dos.
  /// - Throws: ``ReadModelError`` if the tables cannot be read.
  func scan(
    _ scan: TodoScan, about count: Int, beside: Machine.Beside?
  ) throws(ReadModelError) -> [TodoRow] {
    guard let file = tables.file, let beside, count >= Self.manyTodos,
      !tables.connection.isInTransaction
    else {
      return try wholeScan(scan)
    }
    try tables.keepFewPages()
    // If the call fails, the cache stays small and pages are read more often, but the result is the same.
    defer { try? tables.keepPages() }
    let moment = try tables.integer(Self.moment)
    let end = ReadAhead(in: file, beside: beside) { tables throws(ReadModelError) in
      var reader = TodoReader(tables)
      return try reader.read(
        "WHERE \(scan.condition) ORDER BY log DESC, sequence DESC LIMIT ?1",
        [.integer(Int64(count * 2 / 5))])
    }
    let todos = try self.scan(scan, about: count, upTo: end)
    // If another connection wrote in the meantime, or another process replaced the file, the two reads may have seen
    // different states, so read everything again.
    guard try tables.integer(Self.moment) == moment, !tables.connection.isReplaced else {
      return try wholeScan(scan)
    }
    return todos
  }

  /// A number that changes when another connection has written to the file.
  private static let moment = "PRAGMA data_version"

  /// The smallest number of to-dos for which a second thread is faster.
  private static let manyTodos = 2_000

  /// The number of to-dos to read before checking whether the second thread is done.
  private static let scanStep: Int64 = 500

  private func wholeScan(_ scan: TodoScan) throws(ReadModelError) -> [TodoRow] {
    var reader = TodoReader(tables)
    return try reader.read("WHERE \(scan.condition)").todos
  }

  /// Reads from the start until reaching the to-dos that were read from the end.
  ///
  /// If the second thread is not done in time, this method reads the whole table.
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
