import Daybook
import Domain
import Phrasing
import ReadModel

/// Words for the effect of a command on a repeating to-do.
struct RepeatReceipt {
  let context: CommandContext
  let snapshot: Snapshot
  /// Whether the report of an edit to one date names the option that applies it to all dates.
  let advises: Bool
  /// Whether the command reopens to-dos, so that a series whose end has changed continues.
  var reopens = false
  /// Whether the command cancels to-dos.
  var cancels = false

  // MARK: One date

  func sentence(
    _ change: Performed.Change, _ occurrence: Performed.OccurrenceChange
  ) throws -> String {
    let name = try self.name(change.document, occurrence)
    guard change.document.isAlive else {
      // Lists show the title of the to-do again.
      let name = try self.name(occurrence, occurrence.todo.title)
      return wasClosed(change.document)
        ? reopened(name, change.document, occurrence)
        : "Edited \(name): this date is like the others again."
    }
    guard change.isOfState else { return try edited(name, change, occurrence) }
    if change.verb == .restore, !change.isOfClosing {
      var values = change
      values.fields = change.document.ownFieldsOfDate
      return try edited(name, values, occurrence)
    }
    let closing = Series.Occurrence(change.document)?.closing
    if change.verb == .delete,
      try closing == nil ? !wasEverClosed(change.document) : !change.isOfClosing
    {
      return "Edited \(name): this date keeps the changes by other devices."
    }
    guard let closing else { return reopened(name, change.document, occurrence) }
    if change.leavesState, let devices = try snapshot.othersThatClosed(change.document) {
      let (state, verb) =
        closing.kind == .done ? ("done", "marked as done") : ("skipped", "skipped")
      return "Still \(state): \(name), which was also \(verb) on \(devices)."
    }
    return closed(name, closing.kind, occurrence)
  }

  /// The kind, short id and title of the repeating to-do.
  private func name(
    _ document: Document, _ occurrence: Performed.OccurrenceChange
  ) throws -> String {
    try name(occurrence, title(document, occurrence))
  }

  private func name(
    _ occurrence: Performed.OccurrenceChange, _ title: String
  ) throws -> String {
    let todo = occurrence.todo
    return "\(todo.kind.name) \(try snapshot.shortID(todo.id)) \(title.visible)"
  }

  /// The title of an occurrence: its own title, or the title of its to-do.
  private func title(
    _ document: Document, _ occurrence: Performed.OccurrenceChange
  ) -> String {
    document.title.isEmpty ? occurrence.todo.title : document.title
  }

  /// Returns the sentence about a date that is now done or skipped, with the next date.
  private func closed(
    _ name: String, _ kind: Series.Closing.Kind, _ occurrence: Performed.OccurrenceChange
  ) -> String {
    let verb = kind == .done ? "Done" : "Skipped"
    guard let recurrence = occurrence.recurrence else {
      return "\(verb): \(name) of \(occurrence.slot.dated)."
    }
    if recurrence.isOfSubtask {
      guard recurrence.slot == occurrence.slot else {
        return "\(verb): \(name) of \(occurrence.slot.dated)."
      }
      return "\(verb): \(name)".asSentence
    }
    let state = recurrence.state
    let due =
      state.stored.first { $0.slot == occurrence.slot }?.due
      ?? state.series.due(of: occurrence.slot)
    let start = "\(verb): \(name) of \(due.dated)"
    let last = state.stored.last { $0.closing != nil }
    guard last?.slot == occurrence.slot else { return start + "." }
    var parts = [
      earliness(of: due), state.current.map { "next \($0.due.dated)" } ?? "the last one",
    ]
    .compactMap(\.self)
    let passed = state.passedOver(after: occurrence.slot)
    if passed > 0 { parts.append("passed over \(passed.counted("missed date"))") }
    let missed = context.today.map(state.missed) ?? 0
    if missed > 0 { parts.append("\(missed) more missed") }
    return "\(start), \(parts.joined(separator: ", "))."
  }

  /// Returns how early a date was closed, so that the user notices if that was a mistake; nil if the date has come.
  private func earliness(of due: CivilDate) -> String? {
    guard let today = context.today, let days = due.days(since: today), days > 0 else { return nil }
    return "\(days.counted("day")) early"
  }

  /// Returns the sentence about a date that is open again, or that is no longer stored.
  private func reopened(
    _ name: String, _ document: Document, _ occurrence: Performed.OccurrenceChange
  ) -> String {
    guard occurrence.todo.isAlive else {
      let date = "\(name) of \(occurrence.slot.dated)"
      return "No longer \(state(of: document)): \(date), which is deleted."
    }
    guard let recurrence = occurrence.recurrence else {
      return "Open again: \(name)".asSentence
    }
    guard recurrence.slot == occurrence.slot else {
      let words = document.isAlive ? "Open again" : "No longer \(state(of: document))"
      return "\(words): \(name) of \(occurrence.slot.dated)."
    }
    guard !recurrence.isOfSubtask, let current = recurrence.state.current else {
      return "Open again: \(name)".asSentence
    }
    return "Open again: \(name), due \(current.due.dueWords(from: context.today))."
  }

  /// The state that a deleted occurrence had.
  private func state(of document: Document) -> String {
    if document.value(Field.Todo.done) == .boolean(true) { return "done" }
    return document.value(Field.Todo.cancelled) == .boolean(true) ? "skipped" : "closed"
  }

  /// Whether any member of an occurrence, even a deleted one, closes or has closed it.
  private func wasEverClosed(_ document: Document) throws -> Bool {
    let records = try snapshot.model.records.hydrate(
      Set(document.members), causality: try snapshot.model.logs.causality())
    return document.members.compactMap(records.entity(of:)).contains(where: \.wasEverClosed)
  }

  private func wasClosed(_ document: Document) -> Bool {
    [Field.Todo.done, Field.Todo.cancelled].contains { document.value($0) == .boolean(true) }
  }

  /// Returns the sentence about new values of one date.
  private func edited(
    _ name: String, _ change: Performed.Change, _ occurrence: Performed.OccurrenceChange
  ) throws -> String {
    // The row of a series shows its current occurrence.
    let isCurrent = occurrence.recurrence?.slot == occurrence.slot
    let todo = try ShownTodo(isCurrent ? occurrence.todo : change.document, in: snapshot.model)
    let dates = DueReceipt(context: context)
    let when = change.fields.first(where: DueReceipt.fields.contains)
    var parts: [String] = []
    for field in change.fields where field == when || !DueReceipt.fields.contains(field) {
      if field == when {
        parts.append("due \(dates.words(of: todo) ?? "none")")
      } else if field == Field.Todo.start, let start = dates.startWords(of: todo) {
        parts.append(start)
      } else if field == Field.Todo.title {
        parts.append("title \(title(change.document, occurrence).visible)")
      } else if let schema = Schema.field(field, of: .todo), !schema.isFixed {
        parts.append(
          "\(schema.optionName) \(try snapshot.words(todo.value(of: schema), of: schema))")
      }
    }
    let end = advises ? "this date only; --series changes all dates" : "this date only"
    // A past date has its own row and id.
    let name = isCurrent ? name : try snapshot.name(of: change.document)
    return "Edited \(name): \((parts + [end]).joined(separator: ", "))."
  }

  // MARK: All dates

  /// Returns the sentence about an edit that changes only the end of a series; nil for an edit that the usual sentence
  /// describes.
  func ending(_ change: Performed.Change) throws -> String? {
    guard change.verb == .edit, change.fields == [Field.Todo.until],
      let row = try snapshot.model.todos.todo(change.document.key), row.rule != nil
    else { return nil }
    let name = try snapshot.name(of: change.document)
    if reopens, !row.isClosed { return try goingOn(name, change.document) }
    guard let until = row.until else { return nil }
    if row.isClosed {
      if cancels || row.isCancelled { return "Cancelled: \(name) and its repeats." }
      // A series that has ended is shown as done if its last date is done.
      let todo = try ShownTodo(change.document, in: snapshot.model)
      return "Edited \(name): \(rule(of: todo).map { "\($0), so " } ?? "")it has ended."
    }
    guard until == row.slot else { return nil }
    let due = row.due?.dueWords(from: context.today) ?? until.dated
    return "Edited \(name): its last date is due \(due)."
  }

  private func goingOn(_ name: String, _ document: Document) throws -> String {
    let todo = try ShownTodo(document, in: snapshot.model)
    let due = DueReceipt(context: context).words(of: todo).map { "due \($0)" }
    let words = [due, rule(of: todo)].compactMap(\.self).joined(separator: ", ")
    return "Open again: \(name), \(words)."
  }

  /// Returns how a to-do repeats: `repeats every Mon`; nil if it does not.
  func rule(of todo: ShownTodo) -> String? { todo.ruleWords.map { "repeats \($0)" } }
}

extension Document {
  /// The fields of an occurrence that have values of their own and are named in receipts, without its state.
  fileprivate var ownFieldsOfDate: [Field] {
    let others = [Field.Todo.done, Field.Todo.cancelled, .extra]
    return fields.filter { $0.value != .null && !others.contains($0.field) }.map(\.field).filter {
      field in
      guard let schema = Schema.field(field, of: kind), !schema.isFixed else { return false }
      return !schema.isQuiet || field == .tags
    }
  }
}
