import Daybook
import PosixPlatform

/// A shopping list: `daybook-example FOLDER [THING…]` adds things, marks those that begin with `-` as done, and prints
/// the rest.
@main struct Groceries {
  static func main() throws {
    guard CommandLine.arguments.count > 1 else {
      return print("usage: daybook-example FOLDER [THING…]")
    }
    let book = try Book.open(CommandLine.arguments[1], on: .system, device: "kitchen")
    let list = try book.lists().first { $0.name == "Groceries" }?.id ?? book.addList("Groceries")

    for thing in CommandLine.arguments.dropFirst(2) {
      if thing.hasPrefix("-") {
        let bought = try book.todos(on: list).filter { $0.title == thing.dropFirst() }
        for todo in bought { try book.setDone(todo.id) }
      } else {
        try book.addTodo(thing, on: list)
      }
    }

    for todo in try book.todos(on: list, includesDone: false) { print(todo.title) }
    if let last = try book.events(limit: 1).first {
      print("last: \(last.title ?? "") \(last.deed)")
    }
  }
}
