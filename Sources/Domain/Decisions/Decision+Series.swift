// Commands on a repeating to-do. A change to one occurrence is stored in a separate to-do, which names the series and
// the slot; the series itself is written only if all occurrences change.

/// The edits that mark to-dos as done, or open them again.
///
/// The event determines the time of completion. A cancelled to-do that is marked as done is no longer cancelled. For a
/// repeating to-do, the current occurrence is closed, or the occurrence that was closed last is opened again. An ended
/// series that is opened again continues.
///
/// - Parameters:
///   - keys: The to-dos.
///   - isDone: Whether the to-dos are marked as done rather than opened again.
///   - day: The day on the device; nil if its clock cannot be trusted.
///   - shelf: The records.
/// - Returns: The drafts.
/// - Throws: ``Refusal`` if a record is not a living to-do.
func setDone(
  _ keys: [EventKey], _ isDone: Bool, on day: CivilDate?, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  let series = try isDone ? [] : seriesAmong(keys, on: shelf)
  return try changeTodos(keys, on: shelf) { document, recurrence throws(Refusal) in
    if isDone {
      return try close(document, recurrence, as: .done, on: day, on: shelf)
    }
    // A sub-task that was closed with its series shows the state of the slot again.
    if document.isBelow(series, on: shelf), !document.closings.isEmpty {
      return try edit(document, reopeningFields, on: shelf)
    }
    return try reopen(document, recurrence, on: shelf)
  }
}

/// The repeating to-dos among the given ones.
private func seriesAmong(
  _ keys: [EventKey], on shelf: some Shelf
) throws(Refusal) -> Set<EventKey> {
  Set(
    try distinctDocuments(of: keys, on: shelf).map(\.key)
      .filter { shelf.recurrence(of: $0)?.isOfSubtask == false })
}

/// The edits that close to-dos without marking them as done, and end repeating to-dos.
///
/// Sub-tasks of a series that ends are closed for good, because its current slot no longer exists. Those that are
/// closed in this slot keep their state.
func cancel(
  _ keys: [EventKey], on day: CivilDate?, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  let ended = try seriesAmong(keys, on: shelf)
  return try changeTodos(keys, on: shelf) { document, recurrence throws(Refusal) in
    guard let recurrence else {
      return try close(document, nil, as: .skipped, on: day, on: shelf)
    }
    guard recurrence.isOfSubtask else {
      return try end(document, recurrence, on: day, on: shelf)
    }
    guard document.isBelow(ended, on: shelf) else {
      return try close(document, recurrence, as: .skipped, on: day, on: shelf)
    }
    guard document.closings.isEmpty else { return [] }
    let kind = recurrence.closing?.kind ?? .skipped
    let fields = closing(document, as: kind, on: recurrence.closing?.day ?? day, inSeries: false)
    return try edit(document, fields, on: shelf)
  }
}

/// The edits that close the current occurrences of to-dos without marking them as done.
func skip(
  _ keys: [EventKey], on day: CivilDate?, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  try changeTodos(keys, on: shelf) { document, recurrence throws(Refusal) in
    guard recurrence != nil || document.isOccurrence else { throw .noSeries(document.id) }
    return try close(document, recurrence, as: .skipped, on: day, on: shelf)
  }
}

/// The drafts for several to-dos, each of which is decided separately.
///
/// A series and its current occurrence require the same edit, which is written once.
private func changeTodos(
  _ keys: [EventKey], on shelf: some Shelf,
  _ decide: (Document, Recurrence?) throws(Refusal) -> [Draft]
) throws(Refusal) -> [Draft] {
  var drafts: [Draft] = []
  var known: Set<Draft> = []
  for document in try distinctDocuments(of: keys, on: shelf) {
    guard document.kind == .todo else {
      throw .notOfKind(expected: .todo, found: document.kind)
    }
    drafts += try decide(document, shelf.recurrence(of: document.key)).filter {
      known.insert($0).inserted
    }
  }
  return drafts
}

// MARK: Closing and reopening

private func close(
  _ document: Document, _ recurrence: Recurrence?, as kind: Series.Closing.Kind,
  on day: CivilDate?, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  if document.isOccurrence {
    let day = day ?? document.value(Field.Todo.slot).date
    return try edit(document, closing(document, as: kind, on: day, inSeries: true), on: shelf)
  }
  guard let recurrence else {
    return try edit(document, closing(document, as: kind, on: day, inSeries: false), on: shelf)
  }
  guard let slot = recurrence.slot else {
    // A finished series has nothing left to close, but a sub-task can be closed itself.
    guard recurrence.isOfSubtask else { return [] }
    return try edit(document, closing(document, as: kind, on: day, inSeries: false), on: shelf)
  }
  let target = recurrence.stored.first.flatMap { shelf.document(of: $0.key) }
  let fields = closing(target, as: kind, on: day ?? slot, inSeries: true)
  return try write(fields, toOccurrenceOf: document, recurrence, slot, on: shelf)
}

/// The fields that close a to-do; a plain to-do that is marked as done has no day of closing, because its time of
/// completion follows from the event.
private func closing(
  _ document: Document?, as kind: Series.Closing.Kind, on day: CivilDate?, inSeries: Bool
) -> [Field: Value] {
  let closedOn = day.map(Value.date) ?? .null
  switch kind {
  case .done:
    return [
      Field.Todo.done: .boolean(true), Field.Todo.cancelled: .null,
      Field.Todo.closedOn: inSeries ? closedOn : .null,
    ]
  case .skipped:
    // A to-do that is already cancelled keeps its day.
    let isCancelled = document?.isCancelled ?? false
    if isCancelled, document?.isInConflict(Field.Todo.cancelled) != true {
      return [Field.Todo.done: .boolean(false)]
    }
    return [
      Field.Todo.done: .boolean(false), Field.Todo.cancelled: .boolean(true),
      Field.Todo.closedOn: closedOn,
    ]
  }
}

private let reopeningFields: [Field: Value] = [
  Field.Todo.done: .boolean(false), Field.Todo.cancelled: .null, Field.Todo.closedOn: .null,
]

private func reopen(
  _ document: Document, _ recurrence: Recurrence?, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  guard let recurrence else { return try edit(document, reopeningFields, on: shelf) }
  if let drafts = try continueSeries(document, recurrence, on: shelf) { return drafts }
  let closed =
    recurrence.isOfSubtask
    ? recurrence.stored.filter { $0.closing != nil }.map(\.key)
    : recurrence.state.latestClosed?.keys ?? []
  // An older program writes the completion to the to-do itself.
  let isOwn = recurrence.isOfSubtask || recurrence.state.series.closing != nil
  guard !closed.isEmpty else { return isOwn ? try edit(document, reopeningFields, on: shelf) : [] }
  var drafts: [Draft] = []
  for key in closed { drafts += try edit(shelf.liveDocument(of: key), reopeningFields, on: shelf) }
  if recurrence.isOfSubtask, !document.closings.isEmpty {
    drafts += try edit(document, reopeningFields, on: shelf)
  }
  return drafts
}

/// The edits that let an ended series continue; nil if the series has not ended, or if one of its slots was closed
/// after it ended.
///
/// The series gets back the end that it had previously, or no end if it had none.
private func continueSeries(
  _ document: Document, _ recurrence: Recurrence, on shelf: some Shelf
) throws(Refusal) -> [Draft]? {
  let state = recurrence.state
  guard !recurrence.isOfSubtask, state.isFinished, let ending = document.endings.first else {
    return nil
  }
  let skipped = state.keysSkippedAfterEnd
  let closed = (state.latestClosed?.keys ?? []).filter { !skipped.contains($0) }
  let closings = closed.flatMap { shelf.document(of: $0)?.closings ?? [] }
  guard !closings.contains(where: { $0.isLater(than: ending) }) else { return nil }
  // If the end was never changed, it came with the series itself, so the series can continue only without an end.
  let ends = shelf.earlierEnds(of: document.key) ?? [.null]
  guard let end = ends.first(where: { !state.ending(on: $0.date).isFinished }) else { return nil }
  var drafts = try edit(document, [Field.Todo.until: end], on: shelf)
  for key in skipped {
    drafts += try edit(shelf.liveDocument(of: key), reopeningFields, on: shelf)
  }
  return drafts
}

extension Document {
  /// The writes that close a to-do.
  package var closings: [Stored] {
    [Field.Todo.done, Field.Todo.cancelled].flatMap { shown($0)?.survivors ?? [] }
      .filter { $0.value == .boolean(true) }
  }

  /// The writes to the field with the last day of a series.
  package var endings: [Stored] { shown(Field.Todo.until)?.survivors ?? [] }

  /// Whether one of the given to-dos is the parent of this to-do, the parent of its parent, and so on.
  fileprivate func isBelow(_ todos: Set<EventKey>, on shelf: some Shelf) -> Bool {
    guard !todos.isEmpty else { return false }
    var seen: Set<EventKey> = [key]
    var next = writtenParent.flatMap(shelf.document(of:))
    while let parent = next, seen.insert(parent.key).inserted {
      if todos.contains(parent.key) { return true }
      next = parent.writtenParent.flatMap(shelf.document(of:))
    }
    return false
  }

  /// The parent of this to-do, as written.
  package var writtenParent: EventKey? { value(Field.Todo.parent).reference }
}

/// Ends a series before its current slot; occurrences that are stored as open are cancelled, because they would be
/// shown regardless of the rule.
private func end(
  _ document: Document, _ recurrence: Recurrence, on day: CivilDate?, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  guard let slot = recurrence.slot, let last = slot.adding(days: -1) else { return [] }
  var drafts = try edit(document, [Field.Todo.until: .date(last)], on: shelf)
  for key in recurrence.state.openKeys {
    let occurrence = try shelf.liveDocument(of: key)
    drafts += try edit(
      occurrence,
      closing(occurrence, as: .skipped, on: day ?? occurrence.slot ?? slot, inSeries: true),
      on: shelf)
  }
  return drafts
}

// MARK: Edits

/// The fields in which an occurrence can differ from its series.
private let ownFields: Set<Field> = [
  Field.Todo.title, Field.Todo.due, Field.Todo.dueTime, Field.Todo.zone, Field.Todo.start, .note,
]

/// The edit of the current occurrence of a repeating to-do, or of a given occurrence.
func editOccurrence(
  _ key: EventKey, _ fields: [Field: Value], on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  let document = try shelf.liveDocument(of: key)
  if document.isOccurrence {
    try checkOwnFields(fields)
    return try edit(document, fields, on: shelf)
  }
  guard let recurrence = shelf.recurrence(of: key), let slot = recurrence.slot else {
    throw .noSeries(document.id)
  }
  let stored = recurrence.stored.first.flatMap { shelf.document(of: $0.key) }
  try checkOwnFields(fields)
  let own = try withoutInherited(fields, of: document, stored, recurrence)
  let whole = try withDueTime(own, of: document, stored, recurrence)
  return try write(whole, toOccurrenceOf: document, recurrence, slot, on: shelf)
}

/// The fields, except those whose values the occurrence inherits from its series.
///
/// Without a value of its own, the occurrence would inherit the series' value again, so no occurrence can clear a value
/// of its series.
private func withoutInherited(
  _ fields: [Field: Value], of series: Document, _ stored: Document?, _ recurrence: Recurrence
) throws(Refusal) -> [Field: Value] {
  var fields = fields
  for field in [Field.Todo.title, Field.Todo.start, .note] {
    guard let value = fields[field], stored?.value(field) ?? .null == .null else { continue }
    let isStart = field == Field.Todo.start
    let inherited =
      isStart
      ? recurrence.state.current?.start.map(Value.date) ?? .null : series.value(field)
    if value == .null, inherited != .null { throw .ofSeries(field) }
    if value.isIdentical(to: inherited) { fields[field] = nil }
  }
  return fields
}

/// Checks that an edit of an occurrence changes only fields that the occurrence does not inherit from its series.
func checkOwnFields(_ fields: [Field: Value]) throws(Refusal) {
  if let other = fields.keys.sorted().first(where: { !ownFields.contains($0) }) {
    throw .ofSeries(other)
  }
}

/// Extends an edit of the due date, its time or their zone to all three of these fields.
///
/// An occurrence with its own due date also has its own time, or no time at all. An edit that repeats the shown time
/// and zone and gives no due date changes nothing.
private func withDueTime(
  _ fields: [Field: Value], of series: Document, _ stored: Document?, _ recurrence: Recurrence
) throws(Refusal) -> [Field: Value] {
  let (due, time, zone) = (Field.Todo.due, Field.Todo.dueTime, Field.Todo.zone)
  guard [due, time, zone].contains(where: { fields[$0] != nil }) else { return fields }
  var fields = fields
  let before = stored?.value(due) ?? .null != .null ? stored : series
  for field in [time, zone] where fields[field] == nil { fields[field] = before?.value(field) }
  if fields[time] ?? .null == .null { fields[zone] = .null }
  if fields[due] == nil {
    let isShown = [time, zone].allSatisfy { fields[$0] ?? .null == before?.value($0) ?? .null }
    let isInConflict = [time, zone].contains { stored?.isInConflict($0) == true }
    if isShown, !isInConflict { return fields.filter { ![time, zone].contains($0.key) } }
    fields[due] = recurrence.state.current.map { .date($0.due) }
  }
  guard fields[due]?.date?.isComplete == true else { throw .repeatsWithoutDue }
  return fields
}

/// Writes fields to what is stored about a slot, or adds an occurrence if nothing is stored yet.
///
/// If several documents are stored for the slot, a field is written to each document that has it; otherwise its old
/// value would count as well.
func write(
  _ fields: [Field: Value], toOccurrenceOf document: Document, _ recurrence: Recurrence,
  _ slot: CivilDate, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  let stored = recurrence.stored.compactMap { shelf.document(of: $0.key) }
  guard let first = stored.first else {
    let own = fields.filter { $0.value != .null && $0.value != .boolean(false) }
    guard !own.isEmpty else { return [] }
    let identity: [Field: Value] = [
      .owner: .reference(document.key), Field.Todo.slot: .date(slot),
    ]
    let source = Source(occurrence: slot, of: document.source, id: document.id)
    return [
      try add(.todo, own.merging(identity) { $1 }, source: source, on: shelf)
    ]
  }
  var drafts = try edit(first, fields, on: shelf)
  for other in stored.dropFirst() {
    drafts += try edit(other, fields.filter { other.value($0.key) != .null }, on: shelf)
  }
  return drafts
}
