/// The rules for reading an occurrence, which is a to-do that names its series in the field *owner*.
///
/// Two devices that close one occurrence add it twice, and an undo of one of the adds must not undo the other.
/// Therefore, only living members count, and any surviving completion counts.
enum OccurrenceReading {
  /// The members that a document is read from, if it is an occurrence.
  ///
  /// - Parameters:
  ///   - members: The members of the document.
  ///   - kind: The kind of the document.
  ///   - isAlive: Whether the document is alive.
  ///   - causality: The causality of all events.
  /// - Returns: The living members, or all of them if the document is dead; nil if none of these names an owner, so the
  ///   document is not an occurrence.
  static func members(
    of members: [Entity], _ kind: Kind, isAlive: Bool, by causality: Causality
  ) -> [Entity]? {
    guard kind == .todo, members.contains(where: namesOwner) else { return nil }
    let read = isAlive ? members.filter { $0.isAlive(by: causality) } : members
    return read.contains(where: namesOwner) ? read : nil
  }

  private static func namesOwner(_ entity: Entity) -> Bool {
    entity.writes(of: .owner).contains { $0.value.reference != nil }
  }

  /// A field as an occurrence shows it.
  ///
  /// A completion counts if any surviving write states it, because an undo by a device that had not received that write
  /// cannot overrule it. The fields about the closing are never in conflict.
  static func shown(_ shown: Document.Shown) -> Document.Shown {
    switch shown.field {
    case Field.Todo.done, Field.Todo.cancelled: putting(shown) { $0 == .boolean(true) }
    case Field.Todo.completedAt, Field.Todo.closedOn: putting(shown) { $0 != .null }
    default: shown
    }
  }

  /// The fields about the closing of an occurrence, which are never in conflict.
  fileprivate static let closing: Set<Field> = [
    Field.Todo.done, Field.Todo.cancelled, Field.Todo.completedAt, Field.Todo.closedOn,
  ]

  /// The field without a conflict; the survivors that meet the condition come first.
  private static func putting(
    _ shown: Document.Shown, first isFirst: (Value) -> Bool
  ) -> Document.Shown {
    let first = shown.survivors.filter { isFirst($0.value) }
    let others = shown.survivors.filter { !isFirst($0.value) }
    return Document.Shown(field: shown.field, survivors: first + others, isConflict: false)
  }
}

extension Document {
  /// Whether several values of a field do not count as a conflict in this document.
  package func isQuiet(_ field: Field) -> Bool {
    if isOccurrence, OccurrenceReading.closing.contains(field) { return true }
    return Schema.field(field, of: kind)?.isQuiet ?? false
  }
}
