import DaybookSystem

/// A book's shopping list, with the commands that act on it.
struct ShoppingList {
  let book: Book
  let list: Book.RecordID

  init(of book: Book) throws {
    self.book = book
    list = try book.lists().first { $0.name == "Groceries" }?.id ?? book.addList("Groceries")
  }

  /// The reason why a command cannot be carried out.
  struct Misunderstanding: Error, CustomStringConvertible {
    let description: String
  }

  /// Carries out a command, and returns the lines to print.
  func run(_ words: [String]) throws -> [String] {
    let rest = Array(words.dropFirst())
    switch (words.first, rest.count) {
    case (nil, _), ("join", 1): break
    case ("add", 1...): for thing in rest { try book.addTodo(thing, on: list) }
    case ("tick", 1...): try book.setDone(rest.map(thing))
    case ("every", 2): try book.edit(thing(rest[0]), .repeatRule(Book.RepeatRule(rest[1])))
    case ("skip", 1): try book.skip(thing(rest[0]))
    case ("rename", 2): try book.edit(thing(rest[0]), .title(rest[1]))
    case ("find", 1): return try book.search(rest[0]).map { "\($0.kind): \($0.title)" }
    case ("undo", 1): try book.undoLast(of: thing(rest[0]))
    case ("history", 0...1): return try history(of: rest.first)
    case ("conflicts", 0): return try conflicts()
    case ("keep", 2): try keep(rest[0], Int(rest[1]) ?? 0)
    case ("sync", 1): return try sync(with: rest[0])
    default: throw Misunderstanding(description: Groceries.usage)
    }
    return try book.todos(on: list, includesClosed: false).map { todo in
      todo.title + (todo.due.map { " on \($0)" } ?? "")
    }
  }

  private func thing(_ title: String) throws -> Book.RecordID {
    // The dates on which an item was bought or skipped are to-dos as well, so they are excluded.
    let things = try book.todos(on: list).filter { $0.series == nil }
    guard let todo = things.first(where: { $0.title == title }) else {
      throw Misunderstanding(description: "'\(title)' is not on the list.")
    }
    return todo.id
  }

  private func history(of title: String?) throws -> [String] {
    try book.events(of: try title.map(thing)).map { event in
      "\(event.title ?? "something") \(event.deed) on \(event.device)"
        + (event.isUndo ? " by an undo" : "")
    }
  }

  private func conflicts() throws -> [String] {
    try book.conflicts().flatMap { conflict in
      ["\(conflict.title): \(conflict.field ?? "edited and deleted")"]
        + conflict.sides.enumerated().map { number, side in
          "  \(number + 1) \(side.content) by \(side.writers.map(\.device))"
        }
    }
  }

  private func keep(_ title: String, _ number: Int) throws {
    guard let conflict = try book.conflicts().first(where: { $0.title == title }),
      conflict.sides.indices.contains(number - 1)
    else { throw Misunderstanding(description: "'\(title)' has no such conflict.") }
    try book.resolve(conflict, with: conflict.sides[number - 1])
  }

  private func sync(with place: String) throws -> [String] {
    let parts = place.split(separator: ":")
    let peer: Book.Peer =
      if parts.count == 2, let port = UInt16(parts[1]) {
        .machine(host: String(parts[0]), port: port)
      } else {
        .folder(place)
      }
    let exchange = try book.sync(with: peer)
    return [
      "sent: \(exchange.sentCount), received: \(exchange.receivedCount), "
        + "conflicts: \(exchange.conflictCount)"
    ]
  }
}
