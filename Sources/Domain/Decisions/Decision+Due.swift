/// Returns the fields of an add or an edit, and clears fields that would have no meaning without other fields.
///
/// The due date, due time and time zone are separate fields. A command that changes several of them writes one event,
/// so one stamp decides for all of them. Without a due date there is no time, and without a time there is no zone.
func completingDue(
  _ fields: [Field: Value], of kind: Kind, before document: Document?
) throws(Refusal) -> [Field: Value] {
  let (due, time, zone) = (Field.Todo.due, Field.Todo.dueTime, Field.Todo.zone)
  guard kind == .todo, [due, time, zone].contains(where: { fields[$0] != nil }) else {
    return fields
  }
  func value(_ field: Field) -> Value { fields[field] ?? document?.value(field) ?? .null }
  var fields = fields
  if value(due).date?.isComplete != true {
    guard fields[time] ?? .null == .null else { throw .timeWithoutDay }
    guard fields[zone] ?? .null == .null else { throw .zoneWithoutTime }
    if document != nil { (fields[time], fields[zone]) = (.null, .null) }
    return fields
  }
  // A time that a lost or concurrent write left behind does not belong to the new day.
  let hadDay = document.map { $0.value(due).date?.isComplete == true } ?? true
  if !hadDay, fields[time] == nil { fields[time] = .null }
  if value(time) == .null {
    guard fields[zone] ?? .null == .null else { throw .zoneWithoutTime }
    if document != nil { fields[zone] = .null }
  }
  return fields
}

/// Returns the fields, leaving out a time without a due day and a zone without a time.
///
/// Concurrent edits can leave such values in a book, and thus in its exports. A user's command with such values is
/// refused.
package func droppingStrayDue(
  _ fields: [Field: Value], of kind: Kind, before document: @autoclosure () -> Document?
) -> [Field: Value] {
  let (due, time, zone) = (Field.Todo.due, Field.Todo.dueTime, Field.Todo.zone)
  guard kind == .todo, [time, zone].contains(where: { fields[$0] ?? .null != .null }) else {
    return fields
  }
  let before = document()
  func value(_ field: Field) -> Value { fields[field] ?? before?.value(field) ?? .null }
  let hasDay = value(due).date?.isComplete == true
  let hasTime = hasDay && value(time) != .null
  return fields.filter { field, value in
    value == .null
      || (hasDay || field != time)
        && (hasTime || field != zone)
  }
}
