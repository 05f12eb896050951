import Domain

/// The state of a to-do according to the rules of repeats, applied date by date to the stored slots.
struct SeriesRules {
  /// The stored data about a slot, which come from one or several documents.
  struct Slot {
    var isDone = false
    var isClosed = false
    /// The latest day on which the slot was closed, or the slot's due date if no day is stored.
    var closedOn: CivilDate?
    /// The due dates that differ from the date that the rule yields.
    var dues: [CivilDate] = []
  }

  let series: Series
  private(set) var slots: [CivilDate: Slot]

  /// Reads a series; nil if the to-do does not repeat.
  init?(of todo: Document, by rules: TodoRules) {
    guard let series = Series(todo) else { return nil }
    self.series = series
    slots = rules.slots(of: todo, in: series)
    // Older programs mark the series itself as done, which closes its first slot.
    if let closing = series.closing, slots[series.anchor] == nil {
      slots[series.anchor] = Slot(
        isDone: closing.kind == .done, isClosed: true, closedOn: closing.day ?? series.due)
    }
  }

  private var closed: [CivilDate: Slot] { slots.filter(\.value.isClosed) }

  /// The slot to show, which is the earliest of the stored open slots and the slot that follows from the closed slots.
  var current: CivilDate? {
    (slots.filter { !$0.value.isClosed }.map(\.key) + [next].compactMap(\.self)).min()
  }

  /// The slot that was closed last, or the latest such slot if there are several.
  var latestClosed: (key: CivilDate, value: Slot)? {
    closed.max { ($0.value.closedOn ?? $0.key, $0.key) < ($1.value.closedOn ?? $1.key, $1.key) }
  }

  private var next: CivilDate? {
    guard let next = unendedNext, series.until.map({ next <= ($0.lastDay ?? $0) }) ?? true else {
      return nil
    }
    return next
  }

  /// The slot that follows from the closed slots, regardless of UNTIL.
  private var unendedNext: CivilDate? {
    let closed = closed
    guard let last = closed.keys.max(), let day = closed.values.compactMap(\.closedOn).max() else {
      return series.anchor
    }
    if series.rule.basis == .done {
      guard series.rule.count.map({ closed.count < $0 }) ?? true else { return nil }
      return RepeatDates(series.rule.endless, anchor: day)?.first { $0 > day && $0 > last }
    }
    if series.rule.keepsMissed { return series.dates.first { closed[$0] == nil } }
    return series.dates.first { $0 > last && series.due(of: $0) >= day }
  }
}

extension TodoRules {
  /// The stored slots of a to-do; in a series, a slot that was closed without a day is treated as closed when it was
  /// due.
  func slots(of todo: Document, in series: Series? = nil) -> [CivilDate: SeriesRules.Slot] {
    var slots: [CivilDate: SeriesRules.Slot] = [:]
    for occurrence in occurrences(of: todo) {
      var slot = slots[occurrence.slot] ?? SeriesRules.Slot()
      if let due = occurrence.document.value(Field.Todo.due).date { slot.dues.append(due) }
      let closing = closing(ofOccurrence: occurrence.document)
      if closing.isClosed {
        let day = closing.day ?? series?.due(of: occurrence.slot) ?? occurrence.slot
        slot.closedOn = max(slot.closedOn ?? day, day)
        slot.isClosed = true
        slot.isDone = slot.isDone || closing.isDone
      }
      slots[occurrence.slot] = slot
    }
    return slots
  }

  /// The living occurrences of a to-do.
  func occurrences(of todo: Document) -> [(document: Document, slot: CivilDate)] {
    RecurrenceFinder(records).occurrences(of: todo).compactMap { document in
      let slot = document.value(Field.Todo.slot).date
      return slot.flatMap { $0.isComplete ? (document, $0) : nil }
    }
  }

  /// How an occurrence was closed, according to any surviving write; the day is the one that was written last.
  func closing(
    ofOccurrence document: Document
  ) -> (isClosed: Bool, isDone: Bool, day: CivilDate?) {
    let isDone = isEverTrue(Field.Todo.done, of: document.key)
    let days = survivors(Field.Todo.closedOn, of: document.key).compactMap(\.value.date)
    return (isDone || isEverTrue(Field.Todo.cancelled, of: document.key), isDone, days.first)
  }

  private func isEverTrue(_ field: Field, of key: EventKey) -> Bool {
    survivors(field, of: key).contains { $0.value == .boolean(true) }
  }
}
