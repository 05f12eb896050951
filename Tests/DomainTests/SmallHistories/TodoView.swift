import Domain

/// What users see of a to-do, in a form that both the fold and the oracle provide.
struct TodoView: Hashable {
  /// What users see of a series.
  struct Dates: Hashable {
    /// The slot that the series shows; nil if it is finished.
    var current: CivilDate?
    var due: CivilDate?
    /// The closed slots, with whether they are done.
    var closed: [CivilDate: Bool]
  }

  var key: EventKey
  var isDone: Bool
  var isCancelled: Bool
  var closedOn: CivilDate?
  var tags: [String]
  /// The to-do that it is shown under.
  var parent: EventKey?
  /// The dates of a to-do that repeats.
  var dates: Dates?
}

extension Records {
  /// The living to-dos that are no occurrences, as users see them.
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
    guard let recurrence = recurrence(of: document.key), !recurrence.isOfSubtask else { return nil }
    let state = recurrence.state
    let closed = state.stored.compactMap { stored in
      stored.closing.map { (stored.slot, $0 == .done) }
    }
    return TodoView.Dates(
      current: state.current?.slot, due: state.current?.due,
      closed: Dictionary(uniqueKeysWithValues: closed))
  }
}

// The same, computed by the rules from what the oracle says about each record.

extension Oracle {
  /// The living to-dos among the views of all records.
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
        dates: dates(of: todo, among: views))
    }
  }

  /// A living parent is shown, except that of each cycle's parents the one written last is not.
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

  private func dates(of todo: View, among views: [View]) -> TodoView.Dates? {
    guard let rule = todo.value(Field.Todo.repeat).text.flatMap(DailyRule.init),
      let anchor = todo.value(Field.Todo.due).date
    else { return nil }
    var closed: [CivilDate: Bool] = [:]
    var days: [CivilDate] = []
    var open: [CivilDate: CivilDate?] = [:]
    for view in views where view.value(.owner) == .reference(todo.key) {
      guard let slot = view.value(Field.Todo.slot).date else { continue }
      let isDone = view.value(Field.Todo.done) == .boolean(true)
      if isDone || view.value(Field.Todo.cancelled) == .boolean(true) {
        closed[slot] = closed[slot] == true || isDone
        days.append(view.value(Field.Todo.closedOn).date ?? slot)
      } else {
        open.updateValue(view.value(Field.Todo.due).date, forKey: slot)
      }
    }
    // A completion of the series itself closes the first slot, unless something is stored for it.
    if todo.value(Field.Todo.done) == .boolean(true), closed[anchor] == nil, open[anchor] == nil {
      closed[anchor] = true
      days.append(todo.value(Field.Todo.closedOn).date ?? anchor)
    }
    let until = todo.value(Field.Todo.until).date
    let next = rule.next(from: anchor, closed: Set(closed.keys), on: days).flatMap { slot in
      until.map { slot <= $0 } ?? true ? slot : nil
    }
    let current = (open.keys + [next].compactMap(\.self)).min()
    return TodoView.Dates(
      current: current, due: current.map { (open[$0] ?? nil) ?? $0 }, closed: closed)
  }
}

extension View {
  fileprivate func entry(_ field: Field) -> Entry? { entries.first { $0.field == field } }

  fileprivate func value(_ field: Field) -> Value { entry(field)?.values.first ?? .null }
}

/// The rules that small histories use, applied day by day.
private struct DailyRule {
  private let interval: Int
  private let keepsMissed: Bool
  private let countsFromDone: Bool

  init?(_ text: String) {
    let parts = text.split(separator: ";").map(String.init)
    guard parts.first == "FREQ=DAILY" else { return nil }
    interval = parts.contains("INTERVAL=3") ? 3 : 1
    keepsMissed = parts.contains("MISSED=KEEP")
    countsFromDone = parts.contains("FROM=DONE")
  }

  /// The slot that follows the closed ones.
  func next(from anchor: CivilDate, closed: Set<CivilDate>, on days: [CivilDate]) -> CivilDate? {
    guard let last = closed.max(), let day = days.max() else { return anchor }
    if countsFromDone {
      return slots(from: day).first { $0 > day && $0 > last }
    }
    let slots = slots(from: anchor)
    if keepsMissed { return slots.first { !closed.contains($0) } }
    return slots.first { slot in
      slot > last && days.allSatisfy { slot >= $0 }
    }
  }

  private func slots(from anchor: CivilDate) -> [CivilDate] {
    (0..<60).compactMap { anchor.adding(days: $0 * interval) }
  }
}
