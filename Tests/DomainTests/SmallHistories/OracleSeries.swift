import Domain

/// The stored slots of a to-do, computed according to the rules.
struct StoredSlots {
  /// The closed slots, and whether each is done.
  var closed: [CivilDate: Bool] = [:]
  /// The latest day of closing of each closed slot.
  var days: [CivilDate: CivilDate] = [:]
  /// The other slots, with their own due dates.
  var open: [CivilDate: CivilDate?] = [:]

  /// Reads the living occurrences of a to-do.
  ///
  /// - Parameters:
  ///   - todo: The to-do.
  ///   - views: The living to-dos.
  ///   - due: Returns the due date that a slot has from its series.
  init(of todo: View, among views: [View], due: (CivilDate) -> CivilDate) {
    for view in views where view.value(.owner) == .reference(todo.key) {
      guard let slot = view.value(Field.Todo.slot).date else { continue }
      let isDone = view.value(Field.Todo.done) == .boolean(true)
      if isDone || view.value(Field.Todo.cancelled) == .boolean(true) {
        close(slot, isDone: isDone, on: view.value(Field.Todo.closedOn).date ?? due(slot))
      } else {
        open.updateValue(view.value(Field.Todo.due).date, forKey: slot)
      }
    }
    // One document that closes a slot is enough.
    for slot in closed.keys { open[slot] = nil }
  }

  mutating func close(_ slot: CivilDate, isDone: Bool, on day: CivilDate) {
    closed[slot] = closed[slot] == true || isDone
    days[slot] = max(days[slot] ?? day, day)
  }
}

/// A repeating to-do, computed according to the rules from the oracle's state of each record.
struct OracleSeries {
  let slots: StoredSlots
  let current: CivilDate?
  private let dueDistance: Int

  /// Reads a series; nil if the to-do does not repeat.
  init?(_ todo: View, among views: [View]) {
    guard let rule = todo.value(Field.Todo.repeat).text.flatMap(DailyRule.init),
      let due = todo.value(Field.Todo.due).date
    else { return nil }
    let start = todo.value(Field.Todo.start).date
    let anchor = rule.countsFromStart ? start ?? due : due
    let distance = due.days(since: anchor) ?? 0
    dueDistance = distance
    var slots = StoredSlots(of: todo, among: views) { $0.adding(days: distance) ?? $0 }
    // A completion of the series itself closes the first slot, unless something is stored for it.
    if todo.value(Field.Todo.done) == .boolean(true), slots.closed[anchor] == nil,
      slots.open[anchor] == nil
    {
      slots.close(anchor, isDone: true, on: todo.value(Field.Todo.closedOn).date ?? due)
    }
    self.slots = slots
    let until = todo.value(Field.Todo.until).date
    let next = rule.next(from: anchor, slots, dueAfter: distance).flatMap { slot in
      until.map { slot <= $0 } ?? true ? slot : nil
    }
    current = (slots.open.keys + [next].compactMap(\.self)).min()
  }

  var currentDue: CivilDate? {
    current.flatMap { (slots.open[$0] ?? nil) ?? $0.adding(days: dueDistance) }
  }

  /// The slot that was closed last; if there are several, the latest.
  var latestClosed: CivilDate? {
    slots.days.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }
}

/// The rules that small histories use, applied day by day.
private struct DailyRule {
  private let interval: Int
  private let keepsMissed: Bool
  private let countsFromDone: Bool
  let countsFromStart: Bool

  init?(_ text: String) {
    let parts = text.split(separator: ";").map(String.init)
    guard parts.first == "FREQ=DAILY" else { return nil }
    interval = parts.contains("INTERVAL=3") ? 3 : 1
    keepsMissed = parts.contains("MISSED=KEEP")
    countsFromDone = parts.contains("FROM=DONE")
    countsFromStart = parts.contains("FROM=START")
  }

  /// The slot that follows the closed slots; each slot is due some days later.
  func next(from anchor: CivilDate, _ stored: StoredSlots, dueAfter distance: Int) -> CivilDate? {
    guard let last = stored.closed.keys.max(), let day = stored.days.values.max() else {
      return anchor
    }
    if countsFromDone {
      return slots(from: day).first { $0 > day && $0 > last }
    }
    let slots = slots(from: anchor)
    if keepsMissed { return slots.first { stored.closed[$0] == nil } }
    return slots.first { slot in
      slot > last && slot.adding(days: distance).map { $0 >= day } ?? false
    }
  }

  private func slots(from anchor: CivilDate) -> [CivilDate] {
    (0..<60).compactMap { anchor.adding(days: $0 * interval) }
  }
}
