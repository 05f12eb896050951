extension Command {
  /// Completes the fields of a to-do that gets a rule.
  ///
  /// If the command sets no due date, the to-do keeps its due date if the rule can fall on it; otherwise the to-do is
  /// due on the first day, today or later, on which the rule can fall. The rule has no end unless the command sets one,
  /// and it keeps SKIP only if one of its months can lack the day.
  ///
  /// - Parameters:
  ///   - fields: The fields that the command writes.
  ///   - due: The present due date of the to-do.
  ///   - start: The present start of the to-do.
  ///   - today: The day from which to search for the first date; nil if it is unknown.
  /// - Returns: The fields, unchanged if they have no rule that can be read.
  /// - Throws: ``Refusal`` if the rule has no first date, or ends before its first date.
  package static func withFirstDate(
    _ fields: [Field: Value], due: CivilDate?, start: CivilDate?, today: CivilDate?
  ) throws(Refusal) -> [Field: Value] {
    guard let text = fields[Field.Todo.repeat]?.text,
      let rule = RepeatRule(canonicalIfValid: text)
    else { return fields }
    let present = fields[Field.Todo.due] == nil ? due : nil
    let first = try rule.firstDue(
      given: fields[Field.Todo.due]?.date, present: present, today: today)
    let until = fields[Field.Todo.until]?.date
    if let until, let end = until.lastDay, end < first {
      throw .endsBefore(first: first, until: until)
    }
    let start = fields[Field.Todo.start].map(\.date) ?? start
    let anchor = rule.basis == .start ? start ?? first : first
    let canSkip = rule.skipsBackward && rule.canMissDays(anchor: anchor)
    let completed: [Field: Value] = [
      Field.Todo.repeat: .text(rule.skippingBackward(canSkip).text), Field.Todo.due: .date(first),
      Field.Todo.until: until.map(Value.date) ?? .null,
    ]
    return fields.merging(completed) { $1 }
  }

  /// Whether an edit sets an end but no rule, which is possible only for a repeating to-do.
  package static func setsEndAlone(_ fields: [Field: Value]) -> Bool {
    fields[Field.Todo.until] ?? .null != .null && fields[Field.Todo.repeat] == nil
  }

  /// Whether fields set the rule of a to-do.
  package static func setsRule(_ fields: [Field: Value]) -> Bool {
    fields[Field.Todo.repeat]?.text != nil
  }

  /// Whether fields set the state of a to-do to done, cancelled or neither.
  package static func setsState(_ fields: [Field: Value]) -> Bool {
    [Field.Todo.done, Field.Todo.cancelled].contains { fields[$0] != nil }
  }

  /// Returns the fields of an edit of a whole series, with the start that belongs to the first due date.
  ///
  /// The start keeps its distance from the due date. A start in the edit is the start of the current occurrence, unless
  /// the edit also sets the due date.
  ///
  /// - Parameters:
  ///   - fields: The fields that the edit writes.
  ///   - recurrence: How the to-do repeats before the edit; nil if it does not repeat.
  /// - Returns: The fields.
  package static func movingStart(
    in fields: [Field: Value], of recurrence: Recurrence?
  ) -> [Field: Value] {
    guard let recurrence, !recurrence.isOfSubtask else { return fields }
    let series = recurrence.state.series
    var fields = fields
    switch (fields[Field.Todo.start], fields[Field.Todo.due]?.date) {
    case (nil, let due?):
      let distance = series.start?.days(since: series.due)
      if let start = distance.flatMap({ due.adding(days: $0) }) {
        fields[Field.Todo.start] = .date(start)
      }
    case (let given?, nil):
      let due = recurrence.state.current?.due
      let distance = due.flatMap { given.date?.days(since: $0) }
      if let start = distance.flatMap({ series.due.adding(days: $0) }) {
        fields[Field.Todo.start] = .date(start)
      }
    default: break
    }
    return fields
  }
}
