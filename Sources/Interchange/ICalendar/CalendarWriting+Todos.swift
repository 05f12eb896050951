internal import Domain

extension CalendarWriting {
  mutating func addTodo(_ document: Document) {
    guard let todo = Todo(document) else { return }
    let kept = ForeignExtra(of: document, format: .iCalendar)
    let lines = ContentLine.lines(of: kept.properties[KeptComponent.lines])
    let own = task(of: todo, document)
    let task: [ContentLine]
    if lines.isEmpty {
      task = own
    } else {
      // An earlier version of this program kept only the properties that no field represents.
      let isWhole = lines.contains { $0.name == "SUMMARY" }
      let missing = isWhole ? [] : own.filter { line in !lines.contains { $0.name == line.name } }
      var revision = TaskRevision(
        missing + lines, contents.changes(of: document, since: kept.base))
      task = revision.lines(own, isNamedAnew: CalendarUID.isNamedAnew(document))
    }
    // Without the digests of its fields, a later import could not determine which fields have changed.
    let told = try? TaskReading(Component(name: "VTODO", place: .line(0), lines: task), context)
    append(
      "VTODO", task, told?.record, ContentLine.lines(of: kept.properties[KeptComponent.parts]),
      kept, of: document)
  }

  /// Returns a new task, without kept properties.
  private func task(of todo: Todo, _ document: Document) -> [ContentLine] {
    let list = contents.listName(of: document)
    var task = [
      Self.text("UID", CalendarUID.text(of: document)), stamp, Self.text("SUMMARY", todo.title),
      ContentLine("PRIORITY", "\(TaskReading.number(of: todo.priority))"),
    ]
    task += state(todo)
    if let due = todo.due, due.isComplete { task.append(Self.day("DUE", due)) }
    task += categories([list].compactMap(\.self) + document.tags)
    if let created = todo.createdAt, let text = BasicInstant.text(created) {
      task.append(ContentLine("CREATED", text))
    }
    task += common(document)
    if let list { task.append(Self.text("X-DAYBOOK-LIST", list)) }
    if let position = todo.position {
      task.append(ContentLine("X-DAYBOOK-POSITION", "\(position)"))
    }
    return task + exactTimes(of: todo)
  }

  /// The times that are not whole seconds, because iCalendar has only whole seconds (RFC 5545 3.3.5).
  private func exactTimes(of todo: Todo) -> [ContentLine] {
    let completed = todo.isDone ? todo.completedAt : nil
    return [("X-DAYBOOK-CREATED", todo.createdAt), ("X-DAYBOOK-COMPLETED", completed)]
      .compactMap { name, time in
        time.flatMap(Instant.textWithMilliseconds).map { ContentLine(name, $0) }
      }
  }

  private func state(_ todo: Todo) -> [ContentLine] {
    guard todo.isDone else { return [ContentLine("STATUS", "NEEDS-ACTION")] }
    var lines = [ContentLine("STATUS", "COMPLETED")]
    if let completed = todo.completedAt, let text = BasicInstant.text(completed) {
      lines.append(ContentLine("COMPLETED", text))
    }
    return lines + [ContentLine("PERCENT-COMPLETE", "100")]
  }
}
