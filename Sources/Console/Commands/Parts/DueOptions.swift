import Daybook
import Domain
import Phrasing

/// The options that say when a new to-do is due, how it repeats, when its reminders are shown, and when it starts.
struct DueOptions {
  let due: String?
  let time: String?
  let zone: String?
  let remind: String?
  let start: String?
  let rule: String?
  let until: String?

  /// Whether the due date is a word such as `someday`, which becomes a tag.
  var isSomeday: Bool { due.map(DayWords.isSomeday) ?? false }

  /// Returns the fields to write.
  func assignments(_ reader: FieldReader) throws -> [Request.Assignment] {
    // A new to-do has no due date to clear, so an empty date is a mistake.
    if let due, due.trimmed.isEmpty { _ = try reader.day(due) }
    let given = [
      (Field.Todo.due, isSomeday ? nil : due), (Field.Todo.dueTime, time), (Field.Todo.zone, zone),
      (Field.Todo.remind, remind),
    ]
    var assignments = try given.flatMap { field, words in
      guard let words, let schema = Schema.field(field, of: .todo) else {
        return [Request.Assignment]()
      }
      return try reader.whenAssignments([words], for: schema) ?? []
    }
    try Self.refuseTwoTimes(assignments, .todo)
    assignments = try repeating(assignments, reader)
    if let start = try start.flatMap({ try reader.start($0, due: assignments.dueDay) }) {
      assignments.append(Request.Assignment(Field.Todo.start, .value(.date(start))))
    }
    return assignments
  }

  /// Returns the fields with the rule and the end of the repeats.
  private func repeating(
    _ given: [Request.Assignment], _ reader: FieldReader
  ) throws -> [Request.Assignment] {
    var fields = given
    if let until {
      // If a field is given several values, the last one is used, so this end replaces an end in the rule.
      let end = try FieldReader.clearsDate(until) ? Value.null : .date(reader.day(until))
      fields.append(Request.Assignment(Field.Todo.until, .value(end)))
    }
    if let rule { fields = try RepeatWish(rule, reader).values(ofNew: fields) }
    if until != nil, !fields.contains(where: { $0.field == Field.Todo.repeat }) {
      throw WordsFault.said(
        "--until ends the repeats of a to-do, but this to-do has no rule. Add --repeat RULE.")
    }
    return fields
  }

  /// Refuses a time that is given both with the due date and separately.
  static func refuseTwoTimes(
    _ assignments: [Request.Assignment], _ kind: Kind
  ) throws(UsageFault) {
    let times = assignments.filter { $0.field == Field.Todo.dueTime }
    if kind == .todo, times.count > 1 {
      throw .contradiction("--time", "a time in --due")
    }
  }
}
