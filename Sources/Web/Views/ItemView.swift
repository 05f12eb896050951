import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

/// Makes the details of one record.
struct ItemView {
  let page: PageSnapshot

  /// Returns a record with its fields, the possible actions, and its latest events.
  func item(_ id: UniqueID) throws -> [JSON.Member] {
    guard let key = try page.model.documents.document(id: id)?.key,
      let document = try page.snapshot.document(key)
    else { throw DaybookError.unknown(id.uuid, kind: nil) }
    let todo = try ShownTodo(document, in: page.model)
    let fields = ItemFields(page: page, todo: todo)
    return [
      JSON.Member("id", .string(document.id.uuid)),
      JSON.Member("kind", .string(document.kind.name)),
      JSON.Member("kindWords", .string(document.kind.title)),
      JSON.Member("title", .string(try page.snapshot.datedTitle(of: document).visible)),
      JSON.Member("deleted", .boolean(!document.isAlive)),
      JSON.Member("scope", page.isNow ? fields.scope : .null),
      JSON.Member("fields", .array(try fields.fields())),
      JSON.Member("conflict", .boolean(page.isInConflict(document.key))),
      JSON.Member("parent", try page.parent(of: page.model.todos.todo(document.key))),
      JSON.Member("subtasks", try subtasks(of: todo)),
      JSON.Member("actions", .array(try actions(todo))),
      JSON.Member("history", .array(try ItemHistory(page: page).events(of: document))),
    ]
  }

  /// Returns a to-do's id, and the words of the link to its sub-tasks and dates; null for occurrences, other records
  /// and deleted records.
  private func subtasks(of todo: ShownTodo) throws -> JSON {
    let document = todo.document
    guard document.kind == .todo, document.isAlive, !document.isOccurrence else { return .null }
    let count = try page.model.subtasks.children(of: document.key).count
    let words = count == 0 ? "Sub-tasks" : counted(count, "sub-task", "sub-tasks")
    return .object(
      ("id", .string(document.id.uuid)),
      ("words", .string(todo.series == nil ? words : "Dates, \(words.lowercased())")))
  }

  // MARK: Actions

  /// Returns the possible actions on a record, in the order of the buttons: commands with their parameters and words.
  ///
  /// The member `leaves` states that the record has no leaf after the action.
  private func actions(_ todo: ShownTodo) throws -> [JSON] {
    let document = todo.document
    guard document.isAlive else { return [action("restore", "Restore")] }
    let changes = document.kind == .todo ? try moves(document) + closings(todo) : []
    let delete = action("delete", "Delete", ("leaves", true))
    return document.isOccurrence ? changes : changes + [delete]
  }

  private func action(_ command: String, _ words: String, _ more: (String, JSON)...) -> JSON {
    action(command, words, more)
  }

  private func action(_ command: String, _ words: String, _ more: [(String, JSON)]) -> JSON {
    .object(
      [JSON.Member("command", .string(command)), JSON.Member("words", .string(words))]
        + more.map { JSON.Member($0.0, $0.1) })
  }

  /// Returns the actions that close or reopen a to-do.
  private func closings(_ todo: ShownTodo) throws -> [JSON] {
    let document = todo.document
    if todo.isClosed {
      // An occurrence that is open again has no row, because its to-do shows it.
      let more = document.isOccurrence ? [("leaves", JSON.boolean(true))] : []
      return [action("done", "Open again", [("done", false)] + more)]
    }
    let done = action("done", "Done", ("done", true))
    guard !document.isOccurrence else { return [done] }
    let skip = try repeats(todo) ? [action("skip", "Skip this date")] : []
    return [done] + skip + [action("cancel", "Cancel to-do")]
  }

  /// Returns whether a to-do is a series or a sub-task of a series.
  private func repeats(_ todo: ShownTodo) throws -> Bool {
    // Only a to-do with a row can repeat.
    guard todo.row != nil else { return false }
    let causality = try page.model.logs.causality()
    return try page.model.repeats.recurrence(of: todo.document.key, causality: causality) != nil
  }

  private func moves(_ document: Document) throws -> [JSON] {
    guard page.isNow else { return [] }
    let order = try neighbours(of: document.key)
    guard let place = order.firstIndex(where: { $0.head.key == document.key }) else { return [] }
    let up = place > 0 ? [action("move", "Move up", ("by", -1))] : []
    let down = place < order.count - 1 ? [action("move", "Move down", ("by", 1))] : []
    return up + down
  }

  /// Returns the open to-dos of the same list that are not hidden and have the same priority, due date and parent, in
  /// the user's order.
  ///
  /// A hidden or closed to-do, or an occurrence, has no such neighbours.
  func neighbours(of key: EventKey) throws -> [TodoRow] {
    guard let todo = try page.model.todos.todo(key), todo.series == nil else { return [] }
    var filter = TodoFilter.visible(on: page.today)
    filter.place = todo.list.map { .list($0) } ?? .withoutList
    // An occurrence has no position of its own.
    let todos = try page.model.todos.todos(filter).filter { $0.series == nil }
    let alike = todos.alike(key)
    guard alike.contains(where: { $0.parent != nil }) else { return alike }
    // A sub-task can be moved only below its parent, if the parent is shown.
    let shown = Set(todos.map(\.head.key))
    let parents = try page.model.subtasks.parents(of: alike.map(\.head.key))
      .filter { shown.contains($0.value) }
    return alike.filter { parents[$0.head.key] == parents[key] }
  }
}
