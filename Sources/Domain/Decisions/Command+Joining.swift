extension Command {
  /// The fields of one edit that has the effect of two edits of a record, one after the other.
  ///
  /// If both edits set a field, the later value counts. A later value also replaces the earlier values that it would
  /// clear or contradict if the edits were decided one by one.
  ///
  /// - Parameters:
  ///   - earlier: The fields that the first edit writes.
  ///   - later: The fields that the second edit writes.
  /// - Returns: The fields.
  package static func joining(
    _ earlier: [Field: Value], with later: [Field: Value]
  ) -> [Field: Value] {
    earlier.filter { !isReplaced($0.key, of: $0.value, by: later) }.merging(later) { $1 }
  }

  /// Whether a later edit replaces a value of an earlier edit although it does not write the same field.
  private static func isReplaced(
    _ field: Field, of value: Value, by later: [Field: Value]
  ) -> Bool {
    // The field *tags* sets all tags, so it undoes changes to single tags.
    if field.isTag { return later[.tags] != nil }
    switch field {
    case Field.Todo.done: return value == .boolean(true) && sets(Field.Todo.cancelled, in: later)
    case Field.Todo.cancelled: return value == .boolean(true) && sets(Field.Todo.done, in: later)
    case Field.Todo.dueTime: return clearsDay(later)
    case Field.Todo.zone: return clearsDay(later) || later[Field.Todo.dueTime] == .null
    // A new rule has no end unless the same edit sets one.
    case Field.Todo.until: return later[Field.Todo.repeat] != nil
    // An edit that ends the repeats sets an end date, which a later end date replaces.
    case Field.Todo.repeat: return value == .null && later[Field.Todo.until] != nil
    default: return false
    }
  }

  private static func sets(_ field: Field, in fields: [Field: Value]) -> Bool {
    fields[field] == .boolean(true)
  }

  private static func clearsDay(_ fields: [Field: Value]) -> Bool {
    fields[Field.Todo.due].map { $0.date?.isComplete != true } ?? false
  }
}
