internal import Bytes
internal import Domain
internal import SQLite

// All to-dos, wherever they are: so many that the way to each of them counts.

extension ReadModel {
  /// The to-dos of all lists, each of which is looked up once; to join them with each row takes as long as all else.
  func todosOfAllLists(
    _ filter: TodoFilter, by order: TodoOrder
  ) throws(ReadModelError) -> [TodoRow] {
    if order.isOfNumbers, try isWorthScanning(for: filter) {
      // In the words of an index, SQLite would go by that.
      return order.sorted(try todosOfAllLists(filter.includesDone ? "" : "WHERE done = 0"))
    }
    // No index has the id, and with it SQLite would sort again what an index has in order.
    let terms = Array(order.terms.dropLast())
    let clauses = Self.clauses(filter, order, .all, by: terms)
    var todos = try todosOfAllLists(clauses.sql, clauses.values)
    order.sortByID(&todos)
    return todos
  }

  /// Whether to read the whole table and sort is quicker than to look up what an index has in order.
  ///
  /// It is where a third of all is wanted: a row of the table comes at a third of what it takes to find it.
  private func isWorthScanning(for filter: TodoFilter) throws(ReadModelError) -> Bool {
    guard filter == TodoFilter(includesDone: filter.includesDone) else { return false }
    if filter.includesDone { return true }
    let most = try mostTodos()
    return 3 * most.open >= most.all
  }

  private func todosOfAllLists(
    _ clauses: String, _ values: [SQLiteValue] = []
  ) throws(ReadModelError) -> [TodoRow] {
    let sql = """
      SELECT \(RowHead.columns), \(TodoRow.ownColumns), list_log, list_sequence
      FROM todo \(clauses)
      """
    var lists: [EventKey: (list: ShownList?, isShown: Bool)] = [:]
    var todos: [TodoRow] = []
    _ = try rows(sql, values) { row throws(ReadModelError) in
      guard let key = row.keyOrNil(RowHead.count + TodoRow.ownCount) else {
        return todos.append(TodoRow(row, on: nil))
      }
      let known = lists[key]
      let parent = if let known { known } else { try self.list(named: key) }
      if known == nil { lists[key] = parent }
      if parent.isShown { todos.append(TodoRow(row, on: parent.list)) }
    }
    return todos
  }

  /// The list that a reference leads to, and whether what is on it is shown.
  private func list(
    named key: EventKey
  ) throws(ReadModelError) -> (list: ShownList?, isShown: Bool) {
    let sql = """
      SELECT list.log, list.sequence, list.id, list.name, parent.shown_log IS NULL OR parent.alive
      FROM entity AS parent
      LEFT JOIN list ON list.log = parent.shown_log AND list.sequence = parent.shown_sequence
      WHERE parent.log = ?1 AND parent.sequence = ?2
      """
    let found = try rows(sql, key.values) { row in
      let list = row.keyOrNil(0).map { key in
        ShownList(key: key, id: row.uniqueIDOrNil(2), name: row.textOrNil(3))
      }
      return (list, row.boolean(4))
    }
    // One that was never folded hides nothing.
    return found.first ?? (nil, true)
  }
}

extension TodoOrder {
  /// Whether its terms are numbers that a row has.
  fileprivate var isOfNumbers: Bool { self != .title }

  /// Sorts to-dos by its terms, which are numbers.
  fileprivate func sorted(_ todos: [TodoRow]) -> [TodoRow] {
    let ranks = todos.indices.map { Rank(of: todos[$0], by: self, place: $0) }
    return ranks.sorted { $0.precedes($1, in: todos) }.map { todos[$0.place] }
  }

  /// Sorts by their ids to-dos that are equal in all terms before that.
  fileprivate func sortByID(_ todos: inout [TodoRow]) {
    var first = 0
    while first < todos.count {
      var end = first + 1
      while end < todos.count, areEqual(todos[first], todos[end]) { end += 1 }
      if end > first + 1 { todos[first..<end].sort { $0.head.id < $1.head.id } }
      first = end
    }
  }

  private func areEqual(_ left: TodoRow, _ right: TodoRow) -> Bool {
    guard left.head.key.sequence == right.head.key.sequence,
      left.head.addedAt == right.head.addedAt, left.createdAt == right.createdAt
    else { return false }
    return switch self {
    case .priority, .due: left.priority == right.priority && left.due == right.due
    case .creation: true
    // Byte by byte, as SQLite compares them.
    case .title: (left.title ?? "").utf8.elementsEqual((right.title ?? "").utf8)
    case .position: left.position == right.position
    }
  }
}

/// Where a to-do stands in an order: the numbers that its terms come to, see ``TodoTable/derived``.
private struct Rank {
  private let first: Int64
  private let second: Int64
  private let creation: Int64
  let place: Int

  init(of todo: TodoRow, by order: TodoOrder, place: Int) {
    let due = todo.due?.packed ?? .max
    (first, second) =
      switch order {
      case .priority: (-todo.priority, due)
      case .due: (due, -todo.priority)
      case .position: (todo.position == nil ? 1 : 0, todo.position ?? 0)
      case .creation, .title: (0, 0)
      }
    // What has no time of creation comes first, and no time is as early as this.
    creation = todo.createdAt ?? .min
    self.place = place
  }

  func precedes(_ other: Rank, in todos: [TodoRow]) -> Bool {
    if first != other.first { return first < other.first }
    if second != other.second { return second < other.second }
    if creation != other.creation { return creation < other.creation }
    let (head, otherHead) = (todos[place].head, todos[other.place].head)
    if head.addedAt != otherHead.addedAt { return head.addedAt < otherHead.addedAt }
    let (sequence, otherSequence) = (head.key.sequence, otherHead.key.sequence)
    return sequence == otherSequence ? head.id < otherHead.id : sequence < otherSequence
  }
}
