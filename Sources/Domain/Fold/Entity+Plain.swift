// The shown values of an entity with one write per field, read without computing its document.

extension Entity {
  /// The shown values of a living entity from its own writes alone, with references as they were written.
  ///
  /// - Returns: nil if only a ``Document`` can tell: the add is not folded, the entity was deleted once, other
  ///   entities are or could be joined with it, or several writes or derived values of a field compete.
  func plainValues(in joined: JoinedEntities) -> [(field: Field, value: Value)]? {
    guard let birth, let kind = birth.kind, deletes.isEmpty, joined.isAlone(self)
    else { return nil }
    var values: [(field: Field, value: Value)] = []
    values.reserveCapacity(writes.count + 2)
    for write in writes {
      guard values.last?.field != write.field, write.field < .disputed else { return nil }
      values.append((write.field, write.value))
    }
    guard kind == .todo else { return values }
    guard let derived = plainlyDerived(birth) else { return nil }
    return values + derived
  }

  /// The derived values of a to-do with one write per field; nil if one of them competes with a write.
  private func plainlyDerived(_ birth: Birth) -> [(field: Field, value: Value)]? {
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
