internal import Domain

/// A to-do from a calendar, which is written back with the changes made since it was read.
struct TaskRevision {
  private let changes: Set<Field>
  private var task: RevisedLines

  init(_ kept: [ContentLine], _ changes: Set<Field>) {
    self.changes = changes
    task = RevisedLines(kept)
  }

  private func hasChanged(_ fields: Field...) -> Bool { !changes.isDisjoint(with: fields) }

  /// Returns the properties, including the changes.
  ///
  /// - Parameters:
  ///   - own: The to-do as this program writes it, from which new properties are taken.
  ///   - isNamedAnew: Whether the uid of the task belongs to another record.
  /// - Returns: The properties in their original order, followed by new properties.
  mutating func lines(_ own: [ContentLine], isNamedAnew: Bool) -> [ContentLine] {
    if isNamedAnew || !task.has("UID") { take("UID", from: own) }
    if hasChanged(Field.Todo.title) { revise("SUMMARY", from: own) }
    if hasChanged(.note) { revise("DESCRIPTION", from: own) }
    let isDueElsewhere = hasChanged(Field.Todo.due, Field.Todo.dueTime, Field.Todo.zone)
    // A reader ignores the start of a one-day task. It would no longer ignore that start if only the due date were
    // replaced.
    let replacesStart = hasChanged(Field.Todo.start) || isDueElsewhere && isOfOneDay
    if isDueElsewhere { reviseDue(own) }
    if replacesStart {
      for name in ["DTSTART", "X-DAYBOOK-START"] { take(name, from: own) }
    }
    if hasChanged(Field.Todo.remind) { take("X-DAYBOOK-REMIND", from: own) }
    reviseParent(own)
    if hasChanged(Field.Todo.createdAt) {
      for name in ["CREATED", "X-DAYBOOK-CREATED"] { take(name, from: own) }
    }
    if hasChanged(Field.Todo.closedOn) { take("X-DAYBOOK-CLOSED", from: own) }
    if hasChanged(Field.Todo.done, Field.Todo.completedAt, Field.Todo.cancelled) {
      for name in ["STATUS", "COMPLETED", "PERCENT-COMPLETE", "X-DAYBOOK-COMPLETED"] {
        take(name, from: own)
      }
    }
    if hasChanged(Field.Todo.priority) { take("PRIORITY", from: own) }
    if hasChanged(Field.Todo.position) { take("X-DAYBOOK-POSITION", from: own) }
    // Until something is stored, the entry for a sub-task of a series contains only its slot.
    let isSubtask = !own.contains { Self.repetition.contains($0.name) }
    if isSubtask { take(TaskRepetition.slot, from: own) }
    reviseCategories(own)
    if !changes.isEmpty {
      take("DTSTAMP", from: own)
      take("LAST-MODIFIED", from: own)
    }
    return task.lines
  }

  /// Whether the task starts when it is due.
  private var isOfOneDay: Bool {
    let start = task.lines.first { $0.name == "DTSTART" }
    return start != nil && start?.value == task.lines.first { $0.name == "DUE" }?.value
  }

  /// The written properties that say how a task repeats.
  static let repetition: Set<String> = [TaskRepetition.rule, KeptComponent.slots]

  /// Replaces the dates of a task, its rule, and everything about single dates.
  mutating func reviseRepetition(_ own: [ContentLine]) {
    let names = [
      "DTSTART", "DUE", "RRULE", "X-DAYBOOK-START", "STATUS", "COMPLETED", "PERCENT-COMPLETE",
      "X-DAYBOOK-COMPLETED", TaskRepetition.rule, TaskRepetition.first, TaskRepetition.until,
      TaskRepetition.slot, TaskRepetition.written, KeptComponent.slots,
    ]
    for name in names { take(name, from: own) }
    for name in ["DURATION", "RDATE", "EXRULE"] { task.replace(task.places(name), with: []) }
    task.replace(task.places("EXDATE"), with: own.filter { $0.name == "EXDATE" })
  }

  private mutating func take(_ name: String, from own: [ContentLine]) {
    task.replace(name, with: own.first { $0.name == name })
  }

  private mutating func revise(_ name: String, from own: [ContentLine]) {
    task.revise(name, with: own.first { $0.name == name })
  }

  private mutating func reviseDue(_ own: [ContentLine]) {
    take("DUE", from: own)
    // RFC 5545 3.6.2: DUE and DURATION must not occur together.
    if task.has("DUE") { task.replace("DURATION", with: nil) }
  }

  /// Replaces the parent if it has changed, or if only the parent's own lines named this to-do as its child.
  private mutating func reviseParent(_ own: [ContentLine]) {
    let places = task.places("RELATED-TO").filter {
      task.lines(at: $0).contains(where: \.isRelationToParent)
    }
    let line = own.filter(\.isRelationToParent)
    guard hasChanged(Field.Todo.parent) || (places.isEmpty && !line.isEmpty) else { return }
    task.replace(Array(places.prefix(1)), with: line)
  }

  /// Replaces the list and the tags if they differ.
  ///
  /// The original file may have specified the list through its calendar name instead of a category.
  private mutating func reviseCategories(_ own: [ContentLine]) {
    let items = { (lines: [ContentLine]) in
      lines.filter { $0.name == "CATEGORIES" }.flatMap(\.items).map(\.trimmed)
        .filter { !$0.isEmpty }
    }
    if items(task.lines) != items(own) {
      let line = own.filter { $0.name == "CATEGORIES" }
      task.replace(task.places("CATEGORIES"), with: line)
    }
    if task.first("X-DAYBOOK-LIST")?.value
      != own.first(where: { $0.name == "X-DAYBOOK-LIST" })?.value
    {
      take("X-DAYBOOK-LIST", from: own)
    }
  }
}
