extension Command {
  /// The value that settles a conflict.
  package enum Taking: Sendable {
    /// A value that an event in conflict wrote: its first value, or an alternative.
    case write(by: EventKey, alternative: Int = 0)
    /// Any value that the field can hold.
    case value(Value)
  }
}

/// The edits that settle a conflict in a field.
///
/// These edits have seen all values of the field, so they replace the values.
func settle(
  _ document: Document, _ field: Field, _ taking: Command.Taking, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  guard document.shown(field)?.isConflict == true else {
    throw .noConflict(document.kind, field)
  }
  switch taking {
  case .value(let value): return try edit(document, [field: value], on: shelf)
  case .write(let event, let alternative):
    let written = alternative == 0 ? field : field.alternative(alternative)
    guard let write = shelf.write(of: written, by: event, in: document) else {
      throw .noConflict(document.kind, field)
    }
    let drafts = try edit(document, [field: shelf.standing(write.value)], on: shelf)
    let isTick = document.kind == .todo && field == Field.Todo.done
    guard isTick, write.value == .boolean(true) else { return drafts }
    // Without an explicit time, the time at which the conflict is settled would count as the time of completion.
    let given =
      alternative == 0
      ? shelf.write(of: Field.Todo.completedAt, by: event, in: document)?.value : nil
    let moment = Write(Field.Todo.completedAt, given ?? .integer(write.effectiveTime))
    return drafts.map { Draft($0.body.verb, $0.body.target, $0.body.writes + [moment]) }
  }
}

/// The deletes or restores that settle a delete against an edit.
func settleLife(
  _ document: Document, isKept: Bool, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  guard document.deleteAgainstEdit != nil else { throw .noConflict(document.kind, nil) }
  return try isKept
    ? restore(document.key, on: shelf) : delete([document.key], .hide, on: shelf)
}

extension Shelf {
  /// An event's write to a field of any member of a document.
  fileprivate func write(of field: Field, by event: EventKey, in document: Document) -> Stored? {
    for member in document.members {
      let writes = entity(of: member)?.writes(of: field) ?? []
      if let write = writes.first(where: { $0.key == event }) { return write }
    }
    return nil
  }

  /// A value as it is shown, which is null for a reference that refers to no document.
  fileprivate func standing(_ value: Value) -> Value {
    guard let key = value.reference, document(of: key) == nil else { return value }
    return .null
  }
}
