internal import Domain

extension CalendarWriting {
  mutating func addTodo(_ document: Document) {
    guard let todo = Todo(document) else { return }
    let kept = ForeignExtra(of: document, format: .iCalendar)
    let lines = ContentLine.lines(of: kept.properties[KeptComponent.lines])
    let own = task(of: todo, document)
    var parts = ContentLine.lines(of: kept.properties[KeptComponent.parts])
    var changes: Set<Field> = [Field.Todo.remind]
    let task: [ContentLine]
    if lines.isEmpty {
      task = own
    } else {
      // An earlier version of this program kept only the properties that no field represents.
      let isWhole = lines.contains { $0.name == "SUMMARY" }
      let missing = isWhole ? [] : own.filter { line in !lines.contains { $0.name == line.name } }
      changes = contents.changes(of: document, since: kept.base, in: .iCalendar)
      var revision = TaskRevision(missing + lines, changes)
      task = revision.lines(own, isNamedAnew: CalendarUID.isNamedAnew(document))
    }
    if changes.contains(Field.Todo.remind) {
      parts = Self.component(lines + parts).map(TaskAlarms.others) ?? []
      parts += TaskAlarms.lines(for: todo)
    }
    // Without the digests of its fields, a later import could not determine which fields have changed.
    let told = Self.component(task + parts).flatMap { try? TaskReading($0, context) }
    append("VTODO", task, told?.record, parts, kept, of: document)
  }

  /// Returns the task with these lines, which include those of its alarms.
  private static func component(_ lines: [ContentLine]) -> Component? {
    guard lines.contains(where: { $0.name == "BEGIN" }) else {
      return Component(name: "VTODO", place: .line(0), lines: lines)
    }
    let all = [ContentLine("BEGIN", "VTODO")] + lines + [ContentLine("END", "VTODO")]
    let bytes = Array(all.map(\.folded).joined().utf8)
    return try? ComponentReader(bytes, of: .iCalendar, ForeignSettings.Limits()).components.first
  }

  /// Returns a new task, without kept properties.
  private func task(of todo: Todo, _ document: Document) -> [ContentLine] {
    let list = contents.listName(of: document)
    var task = [
      Self.text("UID", CalendarUID.text(of: document)), stamp, Self.text("SUMMARY", todo.title),
      ContentLine("PRIORITY", "\(TaskReading.number(of: todo.priority))"),
    ]
    task += state(todo)
    task += start(todo) + due(todo) + relation(document)
    task += categories([list].compactMap(\.self) + document.tags)
    if let created = todo.createdAt, let text = BasicInstant.text(created) {
      task.append(ContentLine("CREATED", text))
    }
    task += common(document)
    if let list { task.append(Self.text("X-DAYBOOK-LIST", list)) }
    if let position = todo.position {
      task.append(ContentLine("X-DAYBOOK-POSITION", "\(position)"))
    }
    if !todo.remind.isEmpty {
      task.append(
        ContentLine(
          "X-DAYBOOK-REMIND", todo.remind.map(ContentLine.escaped).joined(separator: ",")))
    }
    if let closed = document.value(Field.Todo.closedOn).date, closed.isComplete {
      task.append(ContentLine("X-DAYBOOK-CLOSED", BasicInstant.text(closed)))
    }
    return task + exactTimes(of: todo)
  }

  /// The start, as a time if the due date has a time, because both must have the same type (RFC 5545 3.8.2.3).
  private func start(_ todo: Todo) -> [ContentLine] {
    guard let start = todo.start, start.isComplete else { return [] }
    let isTimed = todo.dueTime != nil && todo.due?.isComplete ?? false
    let line = line("DTSTART", start, isTimed ? TimeOfDay(minute: 0) : nil, todo.zone)
    // A reader ignores a start on the due date, which other programs write for one-day tasks.
    let own = ContentLine("X-DAYBOOK-START", BasicInstant.text(start))
    return start == todo.due ? [line, own] : [line]
  }

  /// The due day, or the due time, with its zone as the name in the IANA database.
  private func due(_ todo: Todo) -> [ContentLine] {
    guard let due = todo.due, due.isComplete else { return [] }
    return [line("DUE", due, todo.dueTime.flatMap { TimeOfDay(minute: $0) }, todo.zone)]
  }

  private func line(
    _ name: String, _ day: CivilDate, _ time: TimeOfDay?, _ zone: String?
  ) -> ContentLine {
    guard let time else { return Self.day(name, day) }
    let parameters = zone.map { [ContentLine.Parameter(name: "TZID", values: [$0])] } ?? []
    let clock = time.text.filter { $0 != ":" }
    return ContentLine(name, parameters, BasicInstant.text(day) + "T\(clock)00")
  }

  /// The to-do of which this one is a part.
  private func relation(_ document: Document) -> [ContentLine] {
    guard let parent = contents.document(Field.Todo.parent, of: document) else { return [] }
    return [
      ContentLine(
        "RELATED-TO", [.init(name: "RELTYPE", values: ["PARENT"])],
        ContentLine.escaped(CalendarUID.text(of: parent)))
    ]
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
    guard todo.isDone else {
      return [ContentLine("STATUS", todo.isCancelled ? "CANCELLED" : "NEEDS-ACTION")]
    }
    var lines = [ContentLine("STATUS", "COMPLETED")]
    if let completed = todo.completedAt, let text = BasicInstant.text(completed) {
      lines.append(ContentLine("COMPLETED", text))
    }
    return lines + [ContentLine("PERCENT-COMPLETE", "100")]
  }
}
