package import Bytes

// Series and occurrences, read from to-dos.

extension Series {
  /// Reads a series from a to-do; nil if the to-do does not repeat.
  ///
  /// A to-do repeats if it is alive, has a rule in its canonical form and a complete due date, and is not an
  /// occurrence.
  package init?(_ document: Document) {
    guard document.kind == .todo, document.isAlive, !document.isOccurrence else { return nil }
    self.init { document.value($0) }
  }

  /// Reads a series from the values of a living to-do that is not an occurrence.
  package init?(reading value: (Field) -> Value) {
    guard let text = value(Field.Todo.repeat).text, let due = value(Field.Todo.due).date,
      due.isComplete, let rule = RepeatRule(canonicalIfValid: text)
    else { return nil }
    let start = value(Field.Todo.start).date
    self.init(
      rule: rule, due: due, start: start?.isComplete == true ? start : nil,
      until: value(Field.Todo.until).date, closing: Closing(reading: value))
  }
}

extension Document {
  /// The date of the series that an occurrence stands for; nil for any other record.
  package var slot: CivilDate? { isOccurrence ? value(Field.Todo.slot).date : nil }
}

extension Series.Closing {
  fileprivate init?(reading value: (Field) -> Value) {
    self.init(
      isDone: value(Field.Todo.done) == .boolean(true),
      isCancelled: value(Field.Todo.cancelled) == .boolean(true),
      closedOn: value(Field.Todo.closedOn).date)
  }
}

extension Series.Occurrence {
  /// Reads an occurrence from a to-do; nil if the to-do is dead, is not an occurrence, or has no complete slot.
  package init?(_ document: Document) {
    guard document.isAlive, document.isOccurrence else { return nil }
    self.init(document.key, id: document.id) { document.value($0) }
  }

  /// Reads an occurrence from the values of a living to-do with an owner; nil if it has no complete slot.
  package init?(_ key: EventKey, id: UniqueID, reading value: (Field) -> Value) {
    guard let slot = value(Field.Todo.slot).date, slot.isComplete else { return nil }
    self.init(
      key, id: id, slot: slot, closing: Series.Closing(reading: value),
      due: value(Field.Todo.due).date, start: value(Field.Todo.start).date)
  }
}

extension Entity {
  /// Whether the last write of any log marks the to-do or occurrence as done or cancelled, even if it is deleted.
  package var wasEverClosed: Bool {
    [Field.Todo.done, Field.Todo.cancelled].contains { field in
      writes(of: field).contains { $0.value == .boolean(true) }
    }
  }
}
