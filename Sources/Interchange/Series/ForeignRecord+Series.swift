internal import Domain

extension ForeignRecord {
  /// Sets the fields of a series.
  ///
  /// The to-do itself is reopened, because its state belongs to one occurrence.
  mutating func set(_ series: Series) {
    set(Field.Todo.repeat, .text(series.rule.text))
    set(Field.Todo.until, series.until.map(Value.date))
    set(Field.Todo.start, series.start.map(Value.date))
    set(Field.Todo.due, .date(series.due))
    reopen()
  }

  /// Turns the to-do of an entry into the series that daybook wrote, with the changes that other programs made to the
  /// current occurrence.
  mutating func take(_ told: ToldSeries, _ settings: ForeignSettings) {
    noteClosingDay(settings)
    noteOpening(of: told)
    occurrences = told.occurrences(of: self, takesLaterDateAsDone: false)
    set(told.series)
  }

  /// Notes whether the to-do is open in the file although the series was finished.
  mutating func noteOpening(of told: ToldSeries) {
    isFinishedSeriesOpened = !isClosed && told.changed.isEmpty && told.wasFinished
  }

  /// Applies what daybook wrote in the file about a sub-task that repeats with its parent.
  mutating func take(_ told: ToldSubtask, _ settings: ForeignSettings) {
    noteClosingDay(settings)
    occurrences = told.occurrences(of: self)
    reopen()
  }

  /// Makes a to-do of another program repeat from its due date.
  ///
  /// - Parameter rule: Returns the rule for a due date.
  /// - Returns: Whether the to-do repeats; a closed to-do and a to-do without a due date do not repeat.
  mutating func `repeat`(by rule: (_ due: CivilDate) -> RepeatRule?) -> Bool {
    guard !isClosed, let due = date(Field.Todo.due), due.isComplete, let rule = rule(due) else {
      return false
    }
    set(Field.Todo.repeat, .text(rule.text))
    return true
  }

  /// Returns an occurrence that is closed like the whole to-do in the file, with the local day on which it was
  /// completed.
  func closing(at slot: CivilDate, _ settings: ForeignSettings) -> ForeignRecord {
    var record = self
    record.noteClosingDay(settings)
    return record.closing(at: slot)
  }

  /// Notes the local day on which an occurrence was completed.
  private mutating func noteClosingDay(_ settings: ForeignSettings) {
    guard fields[Field.Todo.closedOn] == nil,
      case .value(.integer(let instant))? = fields[Field.Todo.completedAt]
    else { return }
    set(Field.Todo.closedOn, settings.localDay(of: instant).map(Value.date))
  }
}

extension ForeignRecord {
  /// Creates a record for an occurrence, which has no uid of its own.
  init(occurrence slot: StoredSlot, at place: ForeignPlace) {
    self.init(occurrenceAt: slot.slot, at: place)
    set(Field.Todo.done, .boolean(slot.state == .done))
    if slot.state == .skipped { set(Field.Todo.cancelled, .boolean(true)) }
    set(Field.Todo.closedOn, slot.isOpen ? nil : slot.day.map(Value.date))
    set(Field.Todo.completedAt, slot.completedAt.map(Value.integer))
  }

  /// Creates a record for an occurrence with only its slot.
  init(occurrenceAt slot: CivilDate, at place: ForeignPlace) {
    self.init(.todo, uid: "", at: place)
    set(Field.Todo.slot, .date(slot))
  }

  /// The slot of an occurrence.
  var slot: CivilDate? { date(Field.Todo.slot) }

  func date(_ field: Field) -> CivilDate? {
    if case .value(let value)? = fields[field] { value.date } else { nil }
  }

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

  /// Whether the record is unchanged since the file's writer computed its digests.
  var isAsTold: Bool { base == FieldDigests(fields, of: kind) }

  /// Returns an occurrence that is closed in the same way as the whole to-do in the file.
  func closing(at slot: CivilDate) -> ForeignRecord {
    var occurrence = ForeignRecord(occurrenceAt: slot, at: place)
    let states = [
      Field.Todo.done, Field.Todo.cancelled, Field.Todo.completedAt, Field.Todo.closedOn,
    ]
    for field in states { occurrence.fields[field] = fields[field] }
    return occurrence
  }

  /// Clears the fields that close a to-do, because only one of its occurrences is closed.
  mutating func reopen() {
    set(Field.Todo.done, .boolean(false))
    for field in [Field.Todo.cancelled, Field.Todo.completedAt, Field.Todo.closedOn] {
      fields[field] = nil
    }
  }
}
