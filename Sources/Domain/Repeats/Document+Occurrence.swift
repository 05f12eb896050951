package import Bytes

// An occurrence is a to-do that names its series in the field *owner*. It is read by rules of its own, because two
// devices that close one occurrence add it twice, and an undo of one of the adds must not undo the other.

extension Document {
  /// Whether the entities of a document make it an occurrence.
  static func isOccurrence(_ kind: Kind, _ members: [Entity]) -> Bool {
    kind == .todo
      && members.contains { $0.writes(of: .owner).contains { $0.value.reference != nil } }
  }

  /// The members that an occurrence is read from: the living ones, or all of them if it is dead.
  static func membersRead(
    of members: [Entity], isAlive: Bool, by causality: Causality
  ) -> [Entity] {
    isAlive ? members.filter { $0.isAlive(by: causality) } : members
  }
}

extension Document.Shown {
  /// The field as an occurrence shows it.
  ///
  /// A completion counts if any surviving write says so: an undo that did not know of it cannot overrule it. What
  /// devices say about the closing is never in conflict.
  var inOccurrence: Document.Shown {
    switch field {
    case Field.Todo.done, Field.Todo.cancelled: putting { $0 == .boolean(true) }
    case Field.Todo.completedAt, Field.Todo.closedOn: putting { $0 != .null }
    default: self
    }
  }

  /// The survivors that meet a condition first, without a conflict.
  private func putting(first isFirst: (Value) -> Bool) -> Document.Shown {
    let (first, others) = (
      survivors.filter { isFirst($0.value) }, survivors.filter { !isFirst($0.value) }
    )
    return Document.Shown(field: field, survivors: first + others, isConflict: false)
  }
}

extension Series {
  /// Reads a series from a to-do; nil if the to-do does not repeat.
  ///
  /// A to-do repeats if it is alive, has a rule in its canonical form and a complete due date, and is not an occurrence.
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
