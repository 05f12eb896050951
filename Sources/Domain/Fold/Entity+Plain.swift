// The shown values of an entity with one write per field, read without computing its document.

extension Entity {
  /// The shown values of a living entity from its own writes alone, with references as written.
  ///
  /// - Returns: nil if only a ``Document`` can determine the values: the add is not folded, the entity was once
  ///   deleted, other entities are or could be joined with it, or several writes or derived values of a field compete.
  func plainValues(in joined: JoinedEntities) -> [(field: Field, value: Value)]? {
    guard let birth, let kind = birth.kind, deletes.isEmpty, joined.isAlone(self)
    else { return nil }
    var values: [(field: Field, value: Value)] = []
    values.reserveCapacity(writes.count + 2)
    let tags = writes.firstPlace { $0.field > .last }
    for write in writes[..<tags] {
      guard values.last?.field != write.field, write.field < .disputed else { return nil }
      values.append((write.field, write.value))
    }
    guard Self.showTags(writes[tags...], in: &values) else { return nil }
    guard kind == .todo else { return values }
    guard let derived = plainlyDerived(birth) else { return nil }
    return values + derived
  }

  /// Puts the shown tags in place of the list of tags.
  ///
  /// - Returns: false if several writes of a tag compete.
  private static func showTags(
    _ writes: ArraySlice<Stored>, in values: inout [(field: Field, value: Value)]
  ) -> Bool {
    let place = values.firstIndex { $0.field == .tags }
    guard place != nil || !writes.isEmpty else { return true }
    var registers: [(field: Field, value: Value)] = []
    for write in writes {
      guard registers.last?.field != write.field else { return false }
      registers.append((write.field, write.value))
    }
    let list: [String]? = place.flatMap { values[$0].value.texts }
    guard list != nil || !registers.isEmpty else { return true }
    let tags = Tag.shown(lists: [list ?? []], registers: registers)
    let value = tags.isEmpty ? Value.null : .texts(tags)
    if let place { values[place].value = value } else { values.append((.tags, value)) }
    return true
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
