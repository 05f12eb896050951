/// The events that write new values into fields of a document.
///
/// An edit is written to the shown member and to each other member that has a write to the field; otherwise the old
/// value would conflict with the new one. A value that is already shown is written only to settle a conflict, or, if
/// the same edit marks a to-do as done, to record that its time of completion is unknown.
func edit(
  _ document: Document, _ fields: [Field: Value], writingAlways always: Set<Field> = [],
  on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  guard let schema = Schema.schema(of: document.kind) else { throw .unknownKind(document.kind) }
  var fields = try completingDue(fields, of: document.kind, before: document)
  let tags = try takeTags(from: &fields, of: document, schema)
  var writes: [Write] = []
  for (field, value) in fields.sorted(by: { $0.key < $1.key }) {
    guard let fieldSchema = schema.field(field) else {
      throw .unknownField(document.kind, field)
    }
    guard !fieldSchema.isFixed else { throw .fixed(document.kind, field) }
    let admitted = try admit(value, for: field, of: schema, on: shelf)
    let shown = document.shown(field)
    let isNews = !fieldSchema.meaning(of: shown?.value ?? .null)
      .isIdentical(to: fieldSchema.meaning(of: admitted))
    let isTicked = document.value(Field.Todo.done).boolean != true
    let isUnknown = isTicked && isUnknownCompletion(field, admitted, beside: fields)
    let isMeant = isNews || shown?.isConflict == true || isUnknown || always.contains(field)
    if isMeant { writes.append(Write(field, admitted)) }
  }
  let isEmpty = isEmptyBirthday(document.kind) { field in
    (writes.first { $0.field == field }?.value ?? document.value(field)) != .null
  }
  // A birthday that is already empty may still get a note.
  if isEmpty, writes.contains(where: { $0.value == .null }) { throw .empty(document.kind) }
  return spread(writes + tags, over: document, on: shelf)
}

/// One edit for each member that must be written to, the shown member first.
func spread(
  _ writes: [Write], over document: Document, on shelf: some Shelf
) -> [Draft] {
  let wanted = writes.map { ($0, Set(shelf.membersToWrite($0.field, of: document))) }
  return document.members.compactMap { member in
    let own = wanted.filter { $0.1.contains(member) }.map(\.0)
    return own.isEmpty ? nil : Draft(.edit, .entity(member), own)
  }
}
