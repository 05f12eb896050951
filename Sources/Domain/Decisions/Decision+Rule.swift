// The rule and the dates of a whole series.

/// The edit that gives a to-do a rule, and with it a new first date.
///
/// One event writes the rule and the due date, so after concurrent changes both come from the same device.
func setRepeat(
  _ key: EventKey, _ fields: [Field: Value], on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  let document = try shelf.liveDocument(of: key)
  guard !document.isOccurrence else { throw .ofSeries(Field.Todo.repeat) }
  let edits = try edit(
    document, fields, writingAlways: [Field.Todo.repeat, Field.Todo.due], on: shelf)
  if let recurrence = shelf.recurrence(of: document.key), recurrence.isOfSubtask {
    return try edits + withoutSubtaskDates(document, fields, recurrence, on: shelf)
  }
  return try edits + withoutOwnDates(document, fields, on: shelf)
}

/// The deletes of the open occurrences of a sub-task of a series, if the sub-task gets a rule of its own.
///
/// A sub-task has such an occurrence if a past date was opened again. In its own series, that date would come first.
private func withoutSubtaskDates(
  _ document: Document, _ fields: [Field: Value], _ recurrence: Recurrence, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  let series = Series(reading: { fields[$0] ?? document.value($0) })
  var drafts: [Draft] = []
  for key in recurrence.openKeys {
    let occurrence = try shelf.liveDocument(of: key)
    if hasText(occurrence), isDate(of: series, occurrence) { continue }
    drafts += occurrence.members.filter(shelf.isAlive).map { Draft(.delete, .entity($0)) }
  }
  return drafts
}

/// The edit of all dates of a repeating to-do.
///
/// If the due date of the series does not produce the requested date, because the dates count from a later closing, the
/// current occurrence is moved to that date.
func editSeries(
  _ key: EventKey, _ fields: [Field: Value], on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  let document = try shelf.liveDocument(of: key)
  guard let recurrence = shelf.recurrence(of: key), !recurrence.isOfSubtask else {
    throw .noSeries(document.id)
  }
  let dropped = try withoutOwnDates(document, fields, on: shelf)
  // If only the current occurrence had a different date, the series may already have the new date. The edit writes the
  // date anyway.
  let always = dropped.isEmpty ? [] : datesOfSeries.intersection(fields.keys)
  let edits = try edit(document, fields, writingAlways: always, on: shelf)
  return try edits + dropped
    + moveCurrent(document, fields, recurrence.state.without(dropped.deleted), on: shelf)
}

/// The fields of a series that determine the dates of its occurrences.
private let datesOfSeries: Set<Field> = [
  Field.Todo.due, Field.Todo.dueTime, Field.Todo.zone, Field.Todo.start, Field.Todo.repeat,
]

extension Body {
  /// Whether the event sets the slot, and therefore concerns an occurrence of a series.
  package var setsSlot: Bool { writes.contains { $0.field == Field.Todo.slot } }

  /// Whether the event gives a to-do a rule or a date.
  package var setsDates: Bool { writes.contains { datesOfSeries.contains($0.field) } }
}

/// The drafts after which no open occurrence differs in the dates that an edit gives to the whole series.
///
/// Otherwise, a date that had already been moved would be shown in addition to the new dates. An occurrence stays if
/// the series still has its slot and something else is stored about it, or if the series would move past the slot
/// without it.
private func withoutOwnDates(
  _ document: Document, _ fields: [Field: Value], on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  guard datesOfSeries.contains(where: { fields[$0] != nil }),
    let recurrence = shelf.recurrence(of: document.key), !recurrence.isOfSubtask
  else { return [] }
  let state = recurrence.state
  let series = Series(reading: { fields[$0] ?? document.value($0) })
  let isMoved =
    series.map { $0.anchor != state.series.anchor || $0.rule != state.series.rule } ?? true
  let isOfStart = Set(fields.keys).isDisjoint(with: datesOfSeries.subtracting([Field.Todo.start]))
  let cleared =
    isOfStart
    ? [Field.Todo.start]
    : [Field.Todo.due, Field.Todo.dueTime, Field.Todo.zone, Field.Todo.start]
  var drafts: [Draft] = []
  for key in state.openKeys {
    let occurrence = try shelf.liveDocument(of: key)
    if isMoved || fields[Field.Todo.repeat] != nil || !isOfStart && fields[Field.Todo.due] != nil,
      !isNeeded(occurrence, in: series, after: state)
    {
      drafts += occurrence.members.filter(shelf.isAlive).map { Draft(.delete, .entity($0)) }
      continue
    }
    let own = cleared.filter { occurrence.value($0) != .null }
    drafts += try edit(
      occurrence, Dictionary(uniqueKeysWithValues: own.map { ($0, Value.null) }), on: shelf)
  }
  return drafts
}

/// Whether an open occurrence is needed although it has the dates of its series.
private func isNeeded(
  _ occurrence: Document, in series: Series?, after state: SeriesState
) -> Bool {
  guard let slot = occurrence.slot, let series, isDate(of: series, occurrence) else {
    return false
  }
  let isPassed = state.stored.contains { $0.closing != nil && $0.slot > slot }
  return hasText(occurrence) || isPassed && slot == series.anchor
}

/// Whether an occurrence has its own title or note.
private func hasText(_ occurrence: Document) -> Bool {
  [Field.Todo.title, .note].contains { occurrence.value($0) != .null }
}

/// Whether the slot of an occurrence is a date of a series.
private func isDate(of series: Series?, _ occurrence: Document) -> Bool {
  guard let series, let slot = occurrence.slot else { return false }
  return slot >= series.anchor && series.dates.first(onOrAfter: slot) == slot
}

/// The write after which a series is due on the date that an edit sets.
private func moveCurrent(
  _ document: Document, _ fields: [Field: Value], _ state: SeriesState, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  guard let due = fields[Field.Todo.due]?.date, due.isComplete,
    let series = Series(reading: { fields[$0] ?? document.value($0) })
  else { return [] }
  let moved = state.of(series)
  guard let current = moved.current, current.due != due, current.keys.isEmpty else { return [] }
  var own: [Field: Value] = [Field.Todo.due: .date(due)]
  for field in [Field.Todo.dueTime, Field.Todo.zone] {
    own[field] = fields[field] ?? document.value(field)
  }
  return try write(own, toOccurrenceOf: document, Recurrence(moved, []), current.slot, on: shelf)
}

extension [Draft] {
  /// The entities that drafts delete.
  fileprivate var deleted: Set<EventKey> {
    Set(
      compactMap { draft in
        guard draft.body.verb == .delete, case .entity(let key) = draft.body.target else {
          return nil
        }
        return key
      })
  }
}

/// The edit after which a series has no slot after its current one.
func endRepeat(_ key: EventKey, on shelf: some Shelf) throws(Refusal) -> [Draft] {
  let document = try shelf.liveDocument(of: key)
  guard let recurrence = shelf.recurrence(of: key), !recurrence.isOfSubtask else {
    throw .noSeries(document.id)
  }
  guard let slot = recurrence.slot else { return [] }
  return try edit(document, [Field.Todo.until: .date(slot)], on: shelf)
}

/// Checks that a user's command does not delete or join an occurrence, write a field of the series to an occurrence, or
/// leave a series without the date from which it counts.
package func checkOccurrences(
  in command: Command, on shelf: some Shelf
) throws(Refusal) {
  switch command {
  case .delete(let keys, _):
    for key in keys {
      guard let document = shelf.document(of: key), document.isOccurrence else { continue }
      throw .deletesOccurrence(document.id)
    }
  case .edit(let key, let fields):
    guard let document = shelf.document(of: key) else { break }
    if document.isOccurrence { try checkOwnFields(fields) }
    if Series(document) != nil { try checkFirstDate(fields) }
  case .setRepeat(_, let fields), .editSeries(_, let fields): try checkFirstDate(fields)
  case .join(let first, let second, _):
    let joined = [first, second].compactMap { shelf.document(of: $0) }
    if joined.contains(where: \.isOccurrence) { throw .joinsOccurrence }
  default: break
  }
}

private func checkFirstDate(_ fields: [Field: Value]) throws(Refusal) {
  guard let due = fields[Field.Todo.due] else { return }
  guard due.date?.isComplete == true else { throw .repeatsWithoutDue }
}
