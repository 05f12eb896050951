extension Command {
  /// Takes the state out of an edit of a repeating to-do, of one of its dates, or of its sub-task.
  ///
  /// A state belongs to one date. The commands that close and reopen dates change the state; a value in the series
  /// itself would not belong to any date.
  ///
  /// - Parameters:
  ///   - fields: The fields that the edit writes; the fields of the state are removed.
  ///   - key: The to-do.
  ///   - scope: The dates that the edit changes. Cancelling one date means skipping it.
  ///   - day: The day on the device; nil if its clock cannot be trusted.
  /// - Returns: The command; nil if the edit has no state.
  package static func takingState(
    from fields: inout [Field: Value], of key: EventKey, _ scope: EditScope, on day: CivilDate?
  ) -> Command? {
    let done = fields.removeValue(forKey: Field.Todo.done)
    let cancelled = fields.removeValue(forKey: Field.Todo.cancelled)
    guard done != nil || cancelled != nil else { return nil }
    if done == .boolean(true) { return .setDone([key], true, on: day) }
    guard cancelled == .boolean(true) else { return .setDone([key], false, on: day) }
    return scope == .occurrence ? .skip([key], on: day) : .cancel([key], on: day)
  }

  /// Returns the fields of an edit of a plain to-do, with the fields that its new state requires.
  ///
  /// A done to-do is not cancelled; a cancelled to-do is not done and has a day of closing.
  package static func completingState(
    _ fields: [Field: Value], on day: CivilDate?
  ) -> [Field: Value] {
    var implied: [Field: Value] = [:]
    if fields[Field.Todo.done] == .boolean(true) {
      implied[Field.Todo.cancelled] = .null
    } else if fields[Field.Todo.cancelled] == .boolean(true) {
      implied[Field.Todo.done] = .boolean(false)
      if let day { implied[Field.Todo.closedOn] = .date(day) }
    }
    return fields.merging(implied) { given, _ in given }
  }
}
