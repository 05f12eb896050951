internal import Domain

/// The state of a to-do as users see it; for a series and its sub-tasks, it follows from their occurrences.
struct ExportedState {
  var isDone: Bool
  var isCancelled: Bool
  var completedAt: Int64?
  var closedOn: CivilDate?

  var isClosed: Bool { isDone || isCancelled }

  /// Creates the state from the fields of a to-do itself.
  init(_ todo: Todo, _ document: Document) {
    (isDone, isCancelled) = (todo.isDone, todo.isCancelled)
    completedAt = todo.isDone ? todo.completedAt : nil
    closedOn = document.value(Field.Todo.closedOn).date
  }

  /// Creates the state of a series, which is open or, if the series is finished, has the state of its last date.
  init(_ series: ExportedSeries) {
    self.init(series.state.isFinished ? series.last : nil)
    // A finished series without a closed date ended before its first date.
    if series.state.isFinished, !isDone { isCancelled = true }
  }

  /// Creates the state of a stored date; open if nothing is stored.
  init(_ slot: StoredSlot?) {
    (isDone, isCancelled) = (slot?.state == .done, slot?.state == .skipped)
    (completedAt, closedOn) = (slot?.completedAt, slot?.day)
  }
}

/// What files contain about a sub-task that repeats with its series.
struct ExportedSubtask {
  /// The slot that the to-do shows; nil if nothing is stored for that slot and the to-do itself is closed.
  let slot: CivilDate?
  let stored: [StoredSlot]

  /// Creates the occurrences of a to-do; nil if it is not a sub-task of a series.
  init?(_ document: Document, in contents: ExportContents) {
    guard let recurrence = contents.recurrence(of: document), recurrence.isOfSubtask else {
      return nil
    }
    var slots: [CivilDate: StoredSlot] = [:]
    for occurrence in contents.occurrences(of: document) {
      guard let slot = StoredSlot(occurrence) else { continue }
      if let known = slots[slot.slot], known.state == .done || slot.state != .done { continue }
      slots[slot.slot] = slot
    }
    stored = slots.values.sorted { $0.slot < $1.slot }
    let isShown = recurrence.closing != nil || Todo(document)?.isClosed != true
    slot = isShown ? recurrence.slot : nil
  }

  /// The stored data for the slot that the to-do shows.
  var current: StoredSlot? { stored.first { $0.slot == slot && $0.state != .open } }
}

extension StoredSlot {
  /// Reads the data of an occurrence; nil for a to-do that is deleted or is not an occurrence.
  fileprivate init?(_ document: Document) {
    guard let occurrence = Series.Occurrence(document) else { return nil }
    let state: State? = occurrence.closing.map { $0.kind == .done ? .done : .skipped }
    self.init(occurrence.slot, state ?? .open, on: occurrence.closing?.day)
    if state == .done { completedAt = document.integer(Field.Todo.completedAt) }
  }
}

extension ExportContents {
  /// Returns the state of a to-do as users see it.
  func state(of todo: Todo, _ document: Document) -> ExportedState {
    if let series = ExportedSeries(document, in: self) { return ExportedState(series) }
    if let slot = ExportedSubtask(document, in: self)?.current { return ExportedState(slot) }
    return ExportedState(todo, document)
  }
}
