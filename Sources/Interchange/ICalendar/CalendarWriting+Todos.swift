internal import Domain

extension CalendarWriting {
  mutating func addTodo(_ document: Document) {
    guard let todo = Todo(document) else { return }
    let kept = ForeignExtra(of: document, format: .iCalendar)
    var rest = ContentLine.lines(of: kept.properties[CalendarRest.lines])
    let list = contents.listName(of: document)
    var task = [
      Self.text("UID", CalendarUID.text(of: document)), stamp, Self.text("SUMMARY", todo.title),
      priority(todo, &rest),
    ]
    task += state(todo, &rest)
    if let due = todo.due { task += [self.due(due, &rest)].compactMap(\.self) }
    rest.removeAll { $0.name == "DUE" }
    task += categories([list].compactMap(\.self) + document.tags)
    if let created = todo.createdAt, let text = BasicInstant.text(created) {
      task.append(ContentLine("CREATED", text))
    }
    task += common(document)
    if let list { task.append(Self.text("X-DAYBOOK-LIST", list)) }
    if let position = todo.position {
      task.append(ContentLine("X-DAYBOOK-POSITION", "\(position)"))
    }
    task += rest
    // Without what it says for the fields, no later import could tell what has changed since.
    let told = try? TaskReading(Component(name: "VTODO", place: .line(0), lines: task), context)
    append(
      "VTODO", task, told?.record, ContentLine.lines(of: kept.properties[CalendarRest.parts]))
    if let zone = kept.properties[CalendarRest.zones], !zones.contains(zone) { zones.append(zone) }
  }

  /// The number it came with, as long as that means the same.
  private func priority(_ todo: Todo, _ rest: inout [ContentLine]) -> ContentLine {
    let own = ContentLine("PRIORITY", "\(TaskReading.number(of: todo.priority))")
    guard let place = rest.firstIndex(where: { $0.name == "PRIORITY" }) else { return own }
    let line = rest.remove(at: place)
    let isSame = Int(line.value).map { TaskReading.priority(ofNumber: $0) } == todo.priority
    return isSame ? line : own
  }

  private func state(_ todo: Todo, _ rest: inout [ContentLine]) -> [ContentLine] {
    guard todo.isDone else {
      if rest.contains(where: { $0.name == "STATUS" }) { return [] }
      return [ContentLine("STATUS", "NEEDS-ACTION")]
    }
    rest.removeAll { $0.name == "STATUS" || $0.name == "PERCENT-COMPLETE" }
    var lines = [ContentLine("STATUS", "COMPLETED")]
    if let completed = todo.completedAt, let text = BasicInstant.text(completed) {
      lines.append(ContentLine("COMPLETED", text))
    }
    return lines + [ContentLine("PERCENT-COMPLETE", "100")]
  }

  /// The day, or the time it came with as long as that is on the day.
  private func due(_ day: CivilDate, _ rest: inout [ContentLine]) -> ContentLine? {
    guard day.isComplete else { return nil }
    if let line = rest.first(where: { $0.name == "DUE" }),
      let reading = BasicInstant.read(line.value)
    {
      let offset = { (instant: Int64) in Int64(settings.localOffset(instant)) * 1000 }
      let written = reading.instant.map { CivilDate(ofInstant: $0 + offset($0)) } ?? reading.day
      if written == day { return line }
    }
    return Self.day("DUE", day)
  }
}
