import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

/// Makes the leaf of a to-do: what it is part of, and its sub-tasks.
struct TodoView {
  let page: PageSnapshot

  /// Returns the to-do with the given id.
  ///
  /// - Throws: ``DaybookError/unknown(_:kind:)`` if there is none, or if it is deleted.
  func one(_ id: UniqueID) throws -> PageView {
    guard let key = try page.model.documents.document(id: id)?.key,
      let todo = try page.model.todos.todo(key)
    else { throw DaybookError.unknown(id.uuid, kind: .todo) }
    let subtasks = try page.model.subtasks.rows(under: key)
    let title = (todo.title ?? "").visible
    var view = PageView(
      PageView.Head(
        title: title, line: line(todo, subtasks), back: "lists/\(todo.listID?.uuid ?? "none")",
        colour: page.lists.first { $0.head.key == todo.list }?.colour))
    if page.isNow {
      view.adding = .init(placeholder: "Add a sub-task", kinds: ["todo"], parent: todo.head.id)
    }
    view.add("subtasks", "", rank: 0, subtasks.map { page.row($0, namesList: false) })
    if subtasks.isEmpty {
      view.empty = PageView.Empty(
        picture: "page", sentence: "No sub-tasks.",
        hint: page.isNow ? "Add one on the line above." : nil)
    }
    view.more = .object(
      ("todo", .string(todo.head.id.uuid)), ("parent", try page.parent(of: key)))
    return view
  }

  /// Returns the state of a to-do that is closed, when an open one is due, and how many sub-tasks are done.
  private func line(_ todo: TodoRow, _ subtasks: [TodoRow]) -> String? {
    let state: String? =
      switch todo.state {
      case .open: page.dues.localDue(of: todo).map { "due \($0.day.shortWords)\($0.suffix)" }
      case .done: "done"
      case .cancelled: "cancelled"
      }
    let count = counted(subtasks.count, "sub-task", "sub-tasks")
    let closed = subtasks.isEmpty ? nil : "\(count), \(subtasks.count(where: \.isClosed)) closed"
    let parts = [state, closed].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }
}

extension PageSnapshot {
  /// Returns the id of the to-do that another one is part of, and the words of the link to it; null if there is none.
  func parent(of todo: EventKey) throws -> JSON {
    guard let key = try model.subtasks.parents(of: [todo])[todo],
      let parent = try model.todos.todo(key)
    else { return .null }
    return .object(
      ("id", .string(parent.head.id.uuid)),
      ("words", .string("Part of \((parent.title ?? "").visible)")))
  }

  /// Returns the rows of to-dos, with open sub-tasks behind their open parents.
  func nestedRows(_ todos: [TodoRow]) throws -> [PageRow] {
    // The titles of the row before and of its ancestors.
    var titles: [String] = []
    return try TodoTree(todos, model.subtasks).nodes.map { node in
      var row = row(todos[node.place], namesList: false)
      titles.removeLast(titles.count - node.depth)
      (row.depth, row.parentTitle) = (node.depth, titles.last)
      titles.append(row.title)
      return row
    }
  }
}
