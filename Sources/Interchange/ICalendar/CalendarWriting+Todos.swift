internal import Domain

extension CalendarWriting {
  mutating func addTodo(_ document: Document) {
    guard let todo = Todo(document) else { return }
    let kept = KeptTask(document)
    let series = ExportedSeries(document, in: contents).map { TaskSeries($0, todo) }
    if let series { loseRepetition(series) }
    let own = task(of: todo, document, series)
    let changes = contents.changes(of: document, since: kept.extra.base, in: .iCalendar)
    let isAsRead = series.map { kept.saysSame(as: $0.series, changes, context) } ?? false
    let task = kept.isEmpty ? own : revised(kept, own, changes, document, isAsRead: isAsRead)
    var parts = kept.parts
    if kept.isEmpty || changes.contains(Field.Todo.remind) {
      parts = (kept.component.map(TaskAlarms.others) ?? []) + TaskAlarms.lines(for: todo)
    }
    let isUnchanged = isAsRead || (series == nil && !changes.contains(Field.Todo.repeat))
    let exceptions =
      isUnchanged
      ? kept.exceptions
      : series.map { self.exceptions(of: $0, kept, from: own, in: task + parts) } ?? []
    // Without digests of the fields, a later import could not determine which fields have changed.
    let told = Component(task: task + parts).flatMap { component in
      try? TaskReading(component, exceptions: exceptions, context)
    }
    append(
      "VTODO", task, told?.record, parts, kept.extra,
      exceptions: signed(exceptions, told?.record), of: document)
  }

  /// Returns the properties of an imported task, with the changes made since the import.
  private func revised(
    _ kept: KeptTask, _ own: [ContentLine], _ changes: Set<Field>, _ document: Document,
    isAsRead: Bool
  ) -> [ContentLine] {
    // An earlier version of this program kept only the properties that no field represents.
    let isWhole = kept.lines.contains { $0.name == "SUMMARY" }
    let missing =
      isWhole ? [] : own.filter { line in !kept.lines.contains { $0.name == line.name } }
    var revision = TaskRevision(missing + kept.lines, changes)
    let repeats = own.contains { TaskRevision.repetition.contains($0.name) }
    if !isAsRead, repeats || changes.contains(Field.Todo.repeat) { revision.reviseRepetition(own) }
    return revision.lines(own, isNamedAnew: CalendarUID.isNamedAnew(document))
  }

  private mutating func loseRepetition(_ series: TaskSeries) {
    if series.losesRule { lost.loseForeignRule() }
    if series.series.state.series.rule.basis == .done, !series.losesRule {
      lost.lose(
        "repeat counted from completion, which other programs count from the due date",
        "repeats counted from completion, which other programs count from the due date")
    }
    if series.remaining?.leavesOut == true {
      lost.lose(
        "open date that does not follow from its rule",
        "open dates that do not follow from their rules")
    }
    lost.lose(
      "detail of a closed occurrence", "details of closed occurrences",
      count: series.series.detailCount)
  }

  /// Returns the components for single dates, in their imported form if they have not changed since then.
  private func exceptions(
    of series: TaskSeries, _ kept: KeptTask, from own: [ContentLine], in task: [ContentLine]
  ) -> [Component] {
    let unchanged = kept.unchangedExceptions(of: series.series, context)
    return series.moved.compactMap { slot, document in
      if let component = unchanged[slot] { return component }
      let uid = task.filter { $0.name == "UID" }
      let others = own.filter { $0.name != "UID" }
      return Component(task: series.exception(at: slot, document, from: uid + others))
    }
  }

  /// Returns the components for single dates as this program writes them, with the digests of their fields.
  private func signed(_ exceptions: [Component], _ told: ForeignRecord?) -> [Component] {
    exceptions.map { exception in
      guard exception.place == .line(0),
        let slot = exception.first("RECURRENCE-ID").flatMap({ CalendarMoment($0, context)?.day }),
        let fields = told?.occurrences.first(where: { $0.slot == slot })?.fields
      else { return exception }
      var exception = exception
      let base = FieldDigests(fields, of: .todo)
      exception.lines.append(ContentLine(KeptComponent.base, base.text))
      return exception
    }
  }

  /// Returns a new task, without kept properties.
  private func task(
    of todo: Todo, _ document: Document, _ series: TaskSeries?
  ) -> [ContentLine] {
    let list = contents.listName(of: document)
    var task = [
      Self.text("UID", CalendarUID.text(of: document)), stamp, Self.text("SUMMARY", todo.title),
      ContentLine("PRIORITY", "\(TaskReading.number(of: todo.priority))"),
    ]
    task += state(contents.state(of: todo, document))
    task += series?.dates ?? (start(todo) + due(todo))
    task += relation(document)
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
    if series == nil, let closed = document.value(Field.Todo.closedOn).date, closed.isComplete {
      task.append(ContentLine("X-DAYBOOK-CLOSED", BasicInstant.text(closed)))
    }
    return task + exactTimes(of: todo) + (series?.own ?? occurrences(of: document))
  }

  /// Returns the properties for the occurrences of a sub-task that repeats with its parent.
  private func occurrences(of document: Document) -> [ContentLine] {
    guard let subtask = ExportedSubtask(document, in: contents) else { return [] }
    let slot = subtask.slot.map { ContentLine(TaskRepetition.slot, BasicInstant.text($0)) }
    return [slot].compactMap(\.self) + TaskSeries.slots(subtask.stored)
  }

  /// Returns the start, as a time if the due date has a time, because both must have the same type (RFC 5545 3.8.2.3).
  private func start(_ todo: Todo) -> [ContentLine] {
    guard let start = todo.start, start.isComplete else { return [] }
    let isTimed = todo.dueTime != nil && todo.due?.isComplete ?? false
    let line = ContentLine.moment(
      "DTSTART", start, isTimed ? TimeOfDay(minute: 0) : nil, todo.zone)
    // A reader ignores a start on the due date, which other programs write for one-day tasks.
    let own = ContentLine("X-DAYBOOK-START", BasicInstant.text(start))
    return start == todo.due ? [line, own] : [line]
  }

  /// Returns the due day, or the due time with the IANA name of its zone.
  private func due(_ todo: Todo) -> [ContentLine] {
    guard let due = todo.due, due.isComplete else { return [] }
    return [.moment("DUE", due, todo.dueTime.flatMap { TimeOfDay(minute: $0) }, todo.zone)]
  }

  /// Returns the property that names the parent of a sub-task.
  private func relation(_ document: Document) -> [ContentLine] {
    guard let parent = contents.parent(of: document) else { return [] }
    return [
      ContentLine(
        "RELATED-TO", [.init(name: "RELTYPE", values: ["PARENT"])],
        ContentLine.escaped(CalendarUID.text(of: parent)))
    ]
  }

  /// Returns the exact values of times with fractions of a second, which iCalendar does not support (RFC 5545 3.3.5).
  private func exactTimes(of todo: Todo) -> [ContentLine] {
    let completed = todo.isDone ? todo.completedAt : nil
    return [("X-DAYBOOK-CREATED", todo.createdAt), ("X-DAYBOOK-COMPLETED", completed)]
      .compactMap { name, time in
        time.flatMap(Instant.textWithMilliseconds).map { ContentLine(name, $0) }
      }
  }

  private func state(_ state: ExportedState) -> [ContentLine] {
    guard state.isDone else {
      return [ContentLine("STATUS", state.isCancelled ? "CANCELLED" : "NEEDS-ACTION")]
    }
    var lines = [ContentLine("STATUS", "COMPLETED")]
    if let completed = state.completedAt, let text = BasicInstant.text(completed) {
      lines.append(ContentLine("COMPLETED", text))
    }
    return lines + [ContentLine("PERCENT-COMPLETE", "100")]
  }
}
