package import Bytes
package import Daybook
package import Domain

extension Snapshot {
  /// Returns the value or event on one side of a conflict, as text for users.
  package func words(of side: Conflict.Side, in conflict: Conflict) throws -> String {
    switch (side.content, conflict.subject) {
    case (.edited, _): return "edited"
    case (.deleted, _): return "deleted"
    case (.value(let value), .field(let field)):
      guard let schema = Schema.field(field, of: conflict.document.kind) else {
        return "something from a newer daybook"
      }
      return try words(value, of: schema)
    case (.value, .life): return ""
    }
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
  /// The name of the field in JSON, or its number if the schema does not have it; nil for a conflict between a delete
  /// and an edit.
  fileprivate var fieldName: String? {
    guard case .field(let field) = subject else { return nil }
    return Schema.field(field, of: document.kind)?.name ?? "\(field.rawValue)"
  }
}
