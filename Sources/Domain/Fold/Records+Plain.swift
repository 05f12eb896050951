// What is shown of a record that only one log has written to, without all that a document tells.

extension Records {
  /// The values shown of a living entity by its own writes alone, with references as they were written.
  ///
  /// - Returns: nil where it takes a ``Document`` to tell what is shown: where others are joined with the entity,
  ///   several values were written to a field, or it was deleted once.
  package func plainValues(of entity: Entity) -> [(field: Field, value: Value)]? {
    guard let birth = entity.birth, let kind = birth.kind, entity.deletes.isEmpty, isAlone(entity)
    else { return nil }
    var values: [(field: Field, value: Value)] = []
    values.reserveCapacity(entity.writes.count + 2)
    for write in entity.writes {
      guard values.last?.field != write.field, write.field < .disputed else { return nil }
      values.append((write.field, write.value))
    }
    guard kind == .todo else { return values }
    guard let derived = entity.plainlyDerived(birth) else { return nil }
    return values + derived
  }
}

extension Entity {
  /// What a to-do whose fields were each written once has by ``derived(_:)``; nil where that stands beside a write.
  fileprivate func plainlyDerived(_ birth: Birth) -> [(field: Field, value: Value)]? {
    var derived: [(field: Field, value: Value)] = []
    if let created = writes(of: Field.Todo.createdAt).first {
      guard created.key == key else { return nil }
    } else {
      derived.append((Field.Todo.createdAt, .integer(birth.effectiveTime)))
    }
    guard let done = writes(of: Field.Todo.done).first else { return derived }
    if let completed = writes(of: Field.Todo.completedAt).first {
      guard completed.key == done.key else { return nil }
    } else if done.value == .boolean(true) {
      derived.append((Field.Todo.completedAt, .integer(done.effectiveTime)))
    }
    return derived
  }
}
