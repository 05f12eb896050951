import Domain

/// The visible state of a to-do, in a form that both the fold and the oracle provide.
struct TodoView: Hashable {
  /// The visible state of a series, or of a sub-task of a series.
  struct Dates: Hashable {
    /// The slot that is shown; nil if the series is finished.
    var current: CivilDate?
    /// The due date of the slot; nil for a sub-task.
    var due: CivilDate?
    /// The closed slots, and whether each is done.
    var closed: [CivilDate: Bool]
  }

  var key: EventKey
  var isDone: Bool
  var isCancelled: Bool
  var closedOn: CivilDate?
  var tags: [String]
  /// The to-do that it is shown under.
  var parent: EventKey?
  /// The dates of a repeating to-do.
  var dates: Dates?
}

extension Records {
  /// The living to-dos that are not occurrences, as users see them.
  func todoViews() -> [TodoView] {
    let documents = documents(.todo).filter { $0.isAlive && !$0.isOccurrence }
    let parents = shownParents(of: documents)
    return documents.compactMap { document in
      Todo(document).map { todo in
        TodoView(
          key: todo.key, isDone: todo.isDone, isCancelled: todo.isCancelled,
          closedOn: document.value(Field.Todo.closedOn).date, tags: document.tags,
          parent: parents[todo.key], dates: dates(of: document))
      }
    }.sorted { $0.key < $1.key }
  }

  private func shownParents(of documents: [Document]) -> [EventKey: EventKey] {
    var written: [EventKey: EventKey] = [:]
    for document in documents {
      let parent = document.value(Field.Todo.parent).reference.flatMap { self.document(of: $0) }
      if let parent, parent.isAlive { written[document.key] = parent.key }
    }
    return TodoParents.withoutCycles(written) { cycle in
      var stamps: [EventKey: Stamp] = [:]
      for key in cycle { stamps[key] = stampOfParent(of: key) }
      return stamps
    }
  }

  private func dates(of document: Document) -> TodoView.Dates? {
    guard let recurrence = recurrence(of: document.key) else { return nil }
    let state = recurrence.state
    guard !recurrence.isOfSubtask else {
      return TodoView.Dates(
        current: recurrence.slot, due: nil,
        closed: closedSlots(ofSubtask: document, in: recurrence))
    }
    let closed = state.stored.compactMap { stored in
      stored.closing.map { (stored.slot, $0 == .done) }
    }
    return TodoView.Dates(
      current: state.current?.slot, due: state.current?.due,
      closed: Dictionary(uniqueKeysWithValues: closed))
  }
}

extension Records {
  /// The closed slots of a sub-task of a series; the shown slot is closed if the sub-task is.
  private func closedSlots(
    ofSubtask document: Document, in recurrence: Recurrence
  ) -> [CivilDate: Bool] {
    var closed: [CivilDate: Bool] = [:]
    for occurrence in RecurrenceFinder(self).occurrences(of: document) {
      guard let stored = Series.Occurrence(occurrence), let closing = stored.closing else {
        continue
      }
      closed[stored.slot] = closed[stored.slot] == true || closing.kind == .done
    }
    if let slot = recurrence.slot { closed[slot] = recurrence.closing.map { $0.kind == .done } }
    return closed
  }
}

// The same views, computed according to the rules from the oracle's state of each record.

extension Oracle {
  /// The living to-dos, among the views of all records.
  func todoViews(among views: [View]) -> [TodoView] {
    let views = views.filter { $0.kind == .todo && $0.isAlive }
    let todos = views.filter { !$0.isOccurrence }
    let parents = parents(of: todos)
    return todos.map { todo in
      let isDone = todo.value(Field.Todo.done) == .boolean(true)
      return TodoView(
        key: todo.key, isDone: isDone,
        isCancelled: todo.value(Field.Todo.cancelled) == .boolean(true) && !isDone,
        closedOn: todo.value(Field.Todo.closedOn).date,
        tags: todo.value(.tags).texts ?? [], parent: parents[todo.key],
        dates: dates(of: todo, among: views, parents))
    }
  }

  /// A living parent is shown, except that in each cycle the parent written last is not.
  private func parents(of todos: [View]) -> [EventKey: EventKey] {
    let keys = Set(todos.map { $0.key })
    var parents: [EventKey: EventKey] = [:]
    var writers: [EventKey: EventKey] = [:]
    for todo in todos {
      guard let parent = todo.value(Field.Todo.parent).reference, keys.contains(parent) else {
        continue
      }
      parents[todo.key] = parent
      writers[todo.key] = todo.entry(Field.Todo.parent)?.writers.first
    }
    let written = parents
    for key in keys {
      var cycle = [key]
      while let parent = written[cycle[cycle.count - 1]], !cycle.contains(parent) {
        cycle.append(parent)
      }
      guard written[cycle[cycle.count - 1]] == key else { continue }
      let last = cycle.compactMap { writers[$0] }.max(by: precedes)
      if writers[key] == last { parents[key] = nil }
    }
    return parents
  }

  // MARK: Series

  private func dates(
    of todo: View, among views: [View], _ parents: [EventKey: EventKey]
  ) -> TodoView.Dates? {
    if let series = OracleSeries(todo, among: views) {
      return TodoView.Dates(
        current: series.current, due: series.currentDue, closed: series.slots.closed)
    }
    let slots = StoredSlots(of: todo, among: views) { $0 }
    for key in sequence(first: todo.key, next: { parents[$0] }).dropFirst() {
      guard let view = views.first(where: { $0.key == key }),
        let series = OracleSeries(view, among: views)
      else { continue }
      return TodoView.Dates(
        current: series.current ?? series.latestClosed, due: nil, closed: slots.closed)
    }
    return nil
  }
}

extension View {
  func entry(_ field: Field) -> Entry? { entries.first { $0.field == field } }

  func value(_ field: Field) -> Value { entry(field)?.values.first ?? .null }
}
