internal import Domain

// The contents of the rows of repeating to-dos. A row of `todo` contains the values that users see, so queries need not
// handle series.

extension DocumentContent {
  /// Whether the to-do has a rule, which need not be one that this version can read.
  var hasRule: Bool { kind == .todo && text(Field.Todo.repeat) != nil }

  /// Whether the row of the to-do depends on other to-dos.
  var isRepeating: Bool { hasRule || isOccurrence }

  /// The to-do that an occurrence belongs to, as written; nil for any other record.
  var owner: EventKey? { isOccurrence ? reference(.owner) : nil }

  /// The fields that an occurrence never inherits from its series.
  private static let ownFields: Set<Field> = [
    .owner, .extra, Field.Todo.slot, Field.Todo.done, Field.Todo.completedAt,
    Field.Todo.cancelled, Field.Todo.closedOn, Field.Todo.createdAt, Field.Todo.due,
    Field.Todo.dueTime, Field.Todo.zone, Field.Todo.start, Field.Todo.repeat, Field.Todo.until,
    Field.Todo.position, Field.Todo.remind,
  ]

  /// The content of the row of a series, which shows the current occurrence.
  ///
  /// - Parameters:
  ///   - recurrence: The state of the series.
  ///   - stored: The contents of the documents stored for the current occurrence.
  /// - Returns: The content.
  func asSeries(_ recurrence: Recurrence, _ stored: [DocumentContent]) -> DocumentContent {
    var shown = self
    let (state, series) = (recurrence.state, recurrence.state.series)
    shown.repeats = RepeatColumns(
      rule: text(Field.Todo.repeat), until: series.until, slot: recurrence.slot,
      firstDue: series.due, dueDistance: series.dueDistance)
    for field in [
      Field.Todo.done, Field.Todo.cancelled, Field.Todo.completedAt, Field.Todo.closedOn,
    ] { shown.set(field, .null) }
    guard let current = state.current else {
      shown.finish(state)
      return shown
    }
    shown.takeOwnValues(of: stored, due: .date(current.due))
    shown.set(Field.Todo.start, current.start.map(Value.date) ?? .null)
    return shown
  }

  /// Shows a finished series with its last closing, or as cancelled if it has never been closed.
  private mutating func finish(_ state: SeriesState) {
    let last = state.latestClosed
    repeats?.isEnded = state.hasClosedDates
    set(
      last?.closing == .done ? Field.Todo.done : Field.Todo.cancelled, .boolean(true))
    // The times of completion are those of the occurrences, which have separate rows.
    set(Field.Todo.closedOn, last?.closedOn.map(Value.date) ?? .null)
    if let last { set(Field.Todo.due, .date(last.due ?? state.series.due(of: last.slot))) }
  }

  /// The content of the row of a sub-task of a series; the sub-task is closed if its occurrence in the current slot is
  /// closed.
  func asSubtask(_ recurrence: Recurrence, _ stored: [DocumentContent]) -> DocumentContent {
    var shown = self
    shown.repeats = RepeatColumns(slot: recurrence.slot)
    guard let closing = recurrence.closing else { return shown }
    let closed = stored.first { Series.Occurrence($0)?.closing?.kind == closing.kind }
    for field in [
      Field.Todo.done, Field.Todo.cancelled, Field.Todo.completedAt, Field.Todo.closedOn,
    ] { shown.set(field, closed?.value(field) ?? .null) }
    shown.takeOwnValues(of: stored, due: value(Field.Todo.due))
    return shown
  }

  /// The content of the row of an occurrence; nil if there is no row, because it is open or another row shows it.
  ///
  /// - Parameters:
  ///   - owner: The content of the series or, for an occurrence of a sub-task of a series, of that sub-task.
  ///   - recurrence: How the owner repeats; nil if it no longer repeats.
  /// - Returns: The content.
  func asOccurrence(of owner: DocumentContent, _ recurrence: Recurrence?) -> DocumentContent? {
    guard let occurrence = Series.Occurrence(self), occurrence.closing != nil else { return nil }
    if let recurrence, recurrence.isOfSubtask, recurrence.slot == occurrence.slot { return nil }
    var shown = self
    shown.inherit(from: owner)
    let isDueOwn = occurrence.due != nil
    if !isDueOwn {
      let series = recurrence.flatMap { $0.isOfSubtask ? nil : $0.state.series }
      shown.set(Field.Todo.due, .date(series?.due(of: occurrence.slot) ?? occurrence.slot))
      for field in [Field.Todo.dueTime, Field.Todo.zone] { shown.set(field, owner.value(field)) }
    }
    shown.repeats = RepeatColumns(slot: occurrence.slot, series: owner.key)
    return shown
  }

  /// Copies the values of a series, except those that an occurrence never inherits, and except the title and the note
  /// if the occurrence has its own.
  private mutating func inherit(from owner: DocumentContent) {
    let isOwn = { [self] (field: Field) in
      Self.ownFields.contains(field)
        || [Field.Todo.title, .note].contains(field) && value(field) != .null
    }
    values = values.filter { isOwn($0.field) } + owner.values.filter { !isOwn($0.field) }
  }

  /// Takes the values in which a stored occurrence differs from its series.
  ///
  /// - Parameters:
  ///   - stored: The documents of the occurrence.
  ///   - due: The due date to show if none of the documents has a due date of its own.
  private mutating func takeOwnValues(of stored: [DocumentContent], due: Value) {
    for field in [Field.Todo.title, .note] {
      if let own = stored.lazy.map({ $0.value(field) }).first(where: { $0 != .null }) {
        set(field, own)
      }
    }
    set(Field.Todo.due, due)
    guard let timed = stored.first(where: { $0.value(Field.Todo.due) != .null }) else { return }
    set(Field.Todo.due, timed.value(Field.Todo.due))
    for field in [Field.Todo.dueTime, Field.Todo.zone] { set(field, timed.value(field)) }
  }
}
