internal import Domain

/// A to-do that came from a calendar, as it goes back: with what has changed since, and else as it came.
struct TaskRevision {
  private let changes: Set<Field>
  private var task: RevisedLines

  init(_ kept: [ContentLine], _ changes: Set<Field>) {
    self.changes = changes
    task = RevisedLines(kept)
  }

  private func hasChanged(_ fields: Field...) -> Bool { !changes.isDisjoint(with: fields) }

  /// The properties, with those of the program that have changed.
  ///
  /// - Parameters:
  ///   - own: The to-do as this program writes it, of which the properties are taken that are new.
  ///   - isNamedAnew: Whether its uid is another record's.
  /// - Returns: The properties in the order in which they came, new ones behind them.
  mutating func lines(_ own: [ContentLine], isNamedAnew: Bool) -> [ContentLine] {
    if isNamedAnew || !task.has("UID") { take("UID", from: own) }
    if hasChanged(Field.Todo.title) { revise("SUMMARY", from: own) }
    if hasChanged(.note) { revise("DESCRIPTION", from: own) }
    if hasChanged(Field.Todo.due) { reviseDue(own) }
    if hasChanged(Field.Todo.createdAt) { take("CREATED", from: own) }
    if hasChanged(Field.Todo.done, Field.Todo.completedAt) {
      for name in ["STATUS", "COMPLETED", "PERCENT-COMPLETE"] { take(name, from: own) }
    }
    if hasChanged(Field.Todo.priority) { take("PRIORITY", from: own) }
    if hasChanged(Field.Todo.position) { take("X-DAYBOOK-POSITION", from: own) }
    reviseCategories(own)
    if !changes.isEmpty {
      take("DTSTAMP", from: own)
      take("LAST-MODIFIED", from: own)
    }
    return task.lines
  }

  private mutating func take(_ name: String, from own: [ContentLine]) {
    task.replace(name, with: own.first { $0.name == name })
  }

  private mutating func revise(_ name: String, from own: [ContentLine]) {
    task.revise(name, with: own.first { $0.name == name })
  }

  private mutating func reviseDue(_ own: [ContentLine]) {
    take("DUE", from: own)
    // RFC 5545 3.6.2: where one says when it is due, the other must not.
    if task.has("DUE") { task.replace("DURATION", with: nil) }
  }

  /// The list and the tags, which the calendar that it came from may have told otherwise: by its own name.
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
