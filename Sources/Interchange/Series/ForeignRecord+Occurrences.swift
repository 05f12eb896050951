internal import Domain

extension ForeignRecord {
  /// Creates a record of an occurrence, which has no uid of its own.
  init(occurrence slot: StoredSlot, at place: ForeignPlace) {
    self.init(occurrenceAt: slot.slot, at: place)
    set(Field.Todo.done, .boolean(slot.state == .done))
    if slot.state == .skipped { set(Field.Todo.cancelled, .boolean(true)) }
    set(Field.Todo.closedOn, slot.isOpen ? nil : slot.day.map(Value.date))
    set(Field.Todo.completedAt, slot.completedAt.map(Value.integer))
  }

  /// Creates a record of an occurrence without further fields.
  init(occurrenceAt slot: CivilDate, at place: ForeignPlace) {
    self.init(.todo, uid: "", at: place)
    set(Field.Todo.slot, .date(slot))
  }

  /// The slot of an occurrence.
  var slot: CivilDate? { date(Field.Todo.slot) }

  /// Returns the date in a field.
  func date(_ field: Field) -> CivilDate? {
    if case .value(let value)? = fields[field] { value.date } else { nil }
  }

  /// Returns whether a field is true.
  func isTrue(_ field: Field) -> Bool { fields[field] == .value(.boolean(true)) }

  /// Whether the to-do is done or cancelled.
  var isClosed: Bool { isTrue(Field.Todo.done) || isTrue(Field.Todo.cancelled) }
}

extension ForeignRecord {
  /// The state of a to-do in the file.
  var state: StoredSlot.State {
    if isTrue(Field.Todo.done) { return .done }
    return isTrue(Field.Todo.cancelled) ? .skipped : .open
  }

  /// Returns an occurrence that was closed like the whole to-do in the file.
  func closing(at slot: CivilDate) -> ForeignRecord {
    var occurrence = ForeignRecord(occurrenceAt: slot, at: place)
    let states = [
      Field.Todo.done, Field.Todo.cancelled, Field.Todo.completedAt, Field.Todo.closedOn,
    ]
    for field in states { occurrence.fields[field] = fields[field] }
    return occurrence
  }

  /// Clears the fields that close a to-do, because only an occurrence of it is closed.
  mutating func reopen() {
    set(Field.Todo.done, .boolean(false))
    for field in [Field.Todo.cancelled, Field.Todo.completedAt, Field.Todo.closedOn] {
      fields[field] = nil
    }
  }
}
