package import Bytes
package import Daybook
package import Domain
import Platform

extension Snapshot {
  /// Returns a record as JSON, which contains its id, uid, fields by name, and conflicts.
  ///
  /// For a to-do, the values are those that users see; see ``ShownTodo``.
  package func json(_ document: Document) throws -> JSON {
    let todo = document.kind == .todo ? try ShownTodo(document, in: model) : nil
    var members = [
      JSON.Member("id", .string(document.id.uuid)),
      JSON.Member("uid", document.source.map { .string($0.uid.text) } ?? .null),
    ]
    for field in Schema.schema(of: document.kind)?.fields ?? [] {
      guard let todo else {
        let value = document.meaning(of: field)
        members.append(JSON.Member(field.name, try json(value, field.type)))
        continue
      }
      members += try self.members(of: todo, field)
    }
    if let todo { members.append(JSON.Member("hidden", .boolean(todo.isHidden(on: day)))) }
    members.append(JSON.Member("conflicts", try conflictsJSON(of: document)))
    return .object(members)
  }

  /// Returns the members for a field of a to-do, including members computed from the field.
  private func members(of todo: ShownTodo, _ field: FieldSchema) throws -> [JSON.Member] {
    let value = JSON.Member(field.name, try json(todo.value(of: field), field.type))
    switch field.field {
    case Field.Todo.list:
      let name = try todo.value(of: field).reference.flatMap(title)
      return [value, JSON.Member("listName", .words(name))]
    case Field.Todo.zone: return [value, JSON.Member("dueAt", dueAt(todo))]
    case Field.Todo.repeat: return [JSON.Member(field.name, todo.ruleJSON)]
    // The end is a member of `repeat`.
    case Field.Todo.until: return []
    case Field.Todo.slot: return [value, JSON.Member("firstDue", todo.firstDueJSON)]
    default: return [value]
    }
  }

  /// The instant at which a to-do with a due time is due.
  private func dueAt(_ todo: ShownTodo) -> JSON {
    let due = todo.localDue(by: LocalDues(book.machine.timekeeper))
    return .instant(due?.moment?.milliseconds)
  }

  /// Returns a record as JSON with its kind, for output that contains records of several kinds.
  package func jsonWithKind(_ document: Document) throws -> JSON {
    guard case .object(let members) = try json(document) else { return .null }
    return .object([JSON.Member("kind", .string(document.kind.name))] + members)
  }

  /// Returns the conflicts of a record, for programs; empty if the record is deleted or has none.
  package func conflictsJSON(of document: Document) throws -> JSON {
    guard document.isAlive, !document.conflicts.isEmpty || document.deleteAgainstEdit != nil else {
      return .array([])
    }
    let conflicts =
      try conflicts?[document.key] ?? book.conflictReader.conflicts(of: [document.key], in: model)
    return .array(try conflicts.map { .object(try members(of: $0)) })
  }

  /// Returns the field and the sides of a conflict, with the shown side first.
  package func members(of conflict: Conflict) throws -> [JSON.Member] {
    [
      JSON.Member("field", conflict.fieldName.map { .string($0) } ?? .null),
      JSON.Member("isDeleteAgainstEdit", .boolean(conflict.subject == .life)),
      JSON.Member("sides", .array(try conflict.sides.map { try json($0, in: conflict) })),
    ]
  }

  private func json(_ side: Conflict.Side, in conflict: Conflict) throws -> JSON {
    let writers = side.writers.map { writer in
      JSON.object(
        ("device", .string(writer.device)), ("replica", .string(writer.author.log.hex)),
        ("sequence", .integer(Int64(clamping: writer.author.sequence))),
        ("time", .string(Instant.text(writer.time))),
        ("isClockSuspect", .boolean(writer.isClockSuspect)), ("isThis", .boolean(writer.isThis)))
    }
    switch (side.content, conflict.subject) {
    case (.value(let value), .field(let field)):
      let schema = Schema.field(field, of: conflict.document.kind)
      let shown = try schema.map { try json($0.meaning(of: value), $0.type) } ?? .null
      return .object(("value", shown), ("writers", .array(writers)))
    default:
      let event = side.content == .deleted ? "delete" : "edit"
      return .object(("event", .string(event)), ("writers", .array(writers)))
    }
  }
}

extension Conflict {
  /// The field's name in JSON, or its number if the schema does not contain it; nil for a conflict between a delete and
  /// an edit.
  fileprivate var fieldName: String? {
    guard case .field(let field) = subject else { return nil }
    return Schema.field(field, of: document.kind)?.name ?? "\(field.rawValue)"
  }
}
