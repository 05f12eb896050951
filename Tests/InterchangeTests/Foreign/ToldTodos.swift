import Domain

extension ForeignBook {
  /// The to-dos by title, each with the fields that have values: the list, due date, time and zone, start, reminders,
  /// priority, state and day of closing, tags, and parent.
  var toldTodos: [String: String] {
    var told: [String: String] = [:]
    for document in records.documents(.todo) where document.isAlive {
      guard let todo = Todo(document) else { continue }
      let list = todo.list.flatMap { records.document(of: $0) }?.text(Field.List.name)
      let parent = todo.parent.flatMap { records.document(of: $0) }?.text(Field.Todo.title)
      let closed = document.value(Field.Todo.closedOn).date
      let parts = [
        list.map { "on \($0)" }, todo.due.map { "due \($0.iso)" },
        todo.dueTime.flatMap { TimeOfDay(minute: $0) }?.text, todo.zone,
        todo.start.map { "from \($0.iso)" },
        todo.remind.isEmpty ? nil : "remind \(todo.remind.joined(separator: "+"))",
        todo.priority == .normal ? nil : "\(todo.priority)",
        todo.isDone ? "done" : todo.isCancelled ? "cancelled" : nil, closed.map { "on \($0.iso)" },
        document.tags.isEmpty ? nil : "tags \(document.tags.joined(separator: "+"))",
        parent.map { "of \($0)" },
      ]
      told[todo.title] = parts.compactMap(\.self).joined(separator: " ")
    }
    return told
  }
}
