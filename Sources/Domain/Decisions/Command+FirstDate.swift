extension Command {
  /// Completes the fields of a to-do that gets a rule.
  ///
  /// If the command gives no due date, the present one stays if the rule can fall on it; else the to-do is due on the
  /// first day from today on which the rule can fall. The rule has no end unless the command gives one, and no SKIP if
  /// none of its months lacks a day.
  ///
  /// - Parameters:
  ///   - fields: The fields that the command writes.
  ///   - due: The due date that the to-do has.
  ///   - start: The start that the to-do has.
  ///   - today: The day from which the first date is searched; nil if it is unknown.
  /// - Returns: The fields, unchanged if they have no rule that can be read.
  /// - Throws: ``Refusal`` if the rule has no first date, or ends before it.
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
}
