internal import Domain
internal import SQLite

// Sorting in memory, for queries over the to-dos of all lists.

extension TodoOrder {
  /// Whether the order, except for the id, uses only numbers that a row contains.
  var isOfNumbers: Bool { self != .title }

  /// Sorts to-dos by an order that uses only numbers.
  func sorted(_ todos: [TodoRow]) -> [TodoRow] {
    let ranks = todos.indices.map { Rank(of: todos[$0], by: self, place: $0) }
    return ranks.sorted { $0.precedes($1, in: todos) }.map { todos[$0.place] }
  }

  /// Sorts by id the to-dos that are equal in all other terms.
  func sortByID(_ todos: inout [TodoRow]) {
    var first = 0
    while first < todos.count {
      var end = first + 1
      while end < todos.count, areEqual(todos[first], todos[end]) { end += 1 }
      if end > first + 1 { todos[first..<end].sort { $0.head.id < $1.head.id } }
      first = end
    }
  }

  /// Whether the to-dos before and after a place are equal in all terms except the id.
  func areTied(_ todos: [TodoRow], at place: Int) -> Bool {
    place > 0 && areEqual(todos[place - 1], todos[place])
  }

  private func areEqual(_ left: TodoRow, _ right: TodoRow) -> Bool {
    guard left.head.key.sequence == right.head.key.sequence,
      left.head.addedAt == right.head.addedAt, left.createdAt == right.createdAt
    else { return false }
    return switch self {
    case .priority, .due:
      left.priority == right.priority && left.due == right.due
        && left.dueTime == right.dueTime
    case .creation: true
    // Compare bytes, as SQLite does.
    case .title: (left.title ?? "").utf8.elementsEqual((right.title ?? "").utf8)
    case .position: left.position == right.position
    case .openFirst:
      left.isClosed == right.isClosed && left.closedAt == right.closedAt
        && left.priority == right.priority && left.due == right.due
        && left.dueTime == right.dueTime
    }
  }
}

/// For one to-do, the values of an order's terms up to the creation time; see ``TodoTable/derived``.
private struct Rank {
  private let first: Int64
  private let second: Int64
  private let creation: Int64
  let place: Int

  init(of todo: TodoRow, by order: TodoOrder, place: Int) {
    // A day has fewer minutes than 2^11.
    let due = todo.due.map { $0.packed << 11 | (todo.dueTime ?? TodoTable.untimed) } ?? .max
    (first, second) =
      switch order {
      case .priority: (-todo.priority, due)
      case .due: (due, -todo.priority)
      case .position: (todo.position == nil ? 1 : 0, todo.position ?? 0)
      // The priority is below 4, and the rest takes fewer than 40 bits.
      case .openFirst:
        todo.isClosed
          ? (1 << 60 - todo.closedAt, (3 - todo.priority) << 40 | min(due, 1 << 40 - 1))
          : (-todo.priority, due)
      case .creation, .title: (0, 0)
      }
    // To-dos without a creation time come first.
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
