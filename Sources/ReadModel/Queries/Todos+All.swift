internal import Bytes
internal import Domain
internal import Platform
internal import SQLite

// All to-dos, wherever they are: so many that the way to each of them counts.

extension ReadModel {
  /// The to-dos of all lists.
  func todosOfAllLists(
    _ filter: TodoFilter, by order: TodoOrder, beside: Machine.Beside?
  ) throws(ReadModelError) -> [TodoRow] {
    if order.isOfNumbers, filter == TodoFilter(includesDone: filter.includesDone) {
      let most = try mostTodos()
      if filter.includesDone {
        return order.sorted(try scan(.all, about: most.all, beside: beside))
      }
      // To read the whole table and sort is quicker where a third of all is wanted: a row of the table comes at a
      // third of what it takes to look it up where an index has all in order.
      if 3 * most.open >= most.all {
        return order.sorted(try scan(.open, about: most.open, beside: beside))
      }
    }
    // No index has the id, and with it SQLite would sort again what an index has in order.
    let terms = Array(order.terms.dropLast())
    let clauses = Self.clauses(filter, order, .all, by: terms)
    var reader = TodoReader(self)
    var todos = try reader.read(clauses.sql, clauses.values).todos
    order.sortByID(&todos)
    return todos
  }

  /// The list that a reference leads to, and whether what is on it is shown.
  func list(
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
