import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

/// Makes the leaf of a to-do, which shows its parent, its sub-tasks and, if it repeats, its dates.
struct TodoView {
  let page: PageSnapshot

  /// Returns the to-do with the given id.
  ///
  /// - Throws: ``DaybookError/unknown(_:kind:)`` if there is no such to-do, or if it is deleted.
  func one(_ id: UniqueID) throws -> PageView {
    guard let key = try page.model.documents.document(id: id)?.key,
      let todo = try page.model.todos.todo(key)
    else { throw DaybookError.unknown(id.uuid, kind: .todo) }
    let subtasks = try page.model.subtasks.rows(under: key)
    let repeats = try SeriesDates(of: todo, on: page)
    var view = PageView(
      PageView.Head(
        title: todo.datedTitle.visible, line: line(todo, repeats, subtasks),
        back: back(from: todo),
        colour: page.lists.first { $0.head.key == todo.list }?.colour))
    if page.isNow, todo.series == nil {
      view.adding = .init(placeholder: "Add a sub-task", kinds: ["todo"], parent: todo.head.id)
    }
    view.add("subtasks", "", rank: 0, try page.rows(subtasks, namesList: false))
    view.add("next", "Next dates", rank: 1, repeats.nextRows)
    view.add("past", "Past dates", rank: 2, try repeats.pastRows())
    if view.sections.isEmpty, todo.series == nil {
      view.empty = PageView.Empty(
        picture: "page", sentence: "No sub-tasks.",
        hint: page.isNow ? "Add a sub-task on the line above." : nil)
    }
    view.more = .object(
      ("todo", .string(todo.head.id.uuid)), ("parent", try page.parent(of: todo)))
    return view
  }

  /// Returns the leaf to go back to: the series' leaf for an occurrence, the list's leaf for any other to-do.
  private func back(from todo: TodoRow) -> String {
    if todo.series != nil, let series = todo.seriesID { return "todos/\(series.uuid)" }
    return "lists/\(todo.listID?.uuid ?? "none")"
  }

  /// Returns the state of a closed to-do or the due date of an open one, how it repeats, and how many of its sub-tasks
  /// are closed.
  private func line(_ todo: TodoRow, _ repeats: SeriesDates, _ subtasks: [TodoRow]) -> String? {
    let state: String? =
      switch todo.state {
      case .open: page.dues.localDue(of: todo).map { "due \($0.day.shortWords)\($0.suffix)" }
      case .done: "done"
      case .cancelled: todo.series == nil ? "cancelled" : "skipped"
      }
    let count = counted(subtasks.count, "sub-task", "sub-tasks")
    let closed = subtasks.isEmpty ? nil : "\(count), \(subtasks.count(where: \.isClosed)) closed"
    let parts = [state, todo.ruleWords, repeats.missedWords, closed].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }
}

extension PageSnapshot {
  /// Returns the link to the parent of a to-do, or to the series of an occurrence; null if there is none.
  func parent(of todo: TodoRow?) throws -> JSON {
    guard let todo else { return .null }
    if let series = todo.series { return try link(to: series, "One date of") }
    let key = try model.subtasks.parents(of: [todo.head.key])[todo.head.key]
    return try key.map { try link(to: $0, "Part of") } ?? .null
  }

  /// Returns a to-do's id, and the words of the link to it; null if the to-do is not shown.
  private func link(to key: EventKey, _ words: String) throws -> JSON {
    guard let todo = try model.todos.todo(key) else { return .null }
    return .object(
      ("id", .string(todo.head.id.uuid)),
      ("words", .string("\(words) \((todo.title ?? "").visible)")))
  }
}
