/// Finds how to-dos repeat, from a complete fold.
package struct RecurrenceFinder {
  let records: Records

  package init(_ records: Records) { self.records = records }

  /// How a to-do repeats; nil if neither the to-do nor any of its ancestors repeats.
  package func recurrence(of key: EventKey) -> Recurrence? {
    guard let document = records.document(of: key), document.isAlive, document.kind == .todo,
      !document.isOccurrence
    else { return nil }
    if let state = state(of: document) { return Recurrence(state, stored(of: document)) }
    for key in ancestors(of: document) {
      guard let state = records.document(of: key).flatMap(state(of:)) else { continue }
      return Recurrence(subtaskWith: stored(of: document), of: state)
    }
    return nil
  }

  /// The living occurrences of a to-do, each once; an occurrence counts if it names any member of the to-do.
  ///
  /// If the members of an occurrence name several owners, only the shown owner counts.
  package func occurrences(of todo: Document) -> [Document] {
    var known: Set<EventKey> = []
    var found: [Document] = []
    for key in todo.members.flatMap({ records.occurrenceIndex[$0] }) {
      guard let document = records.document(of: key), document.isAlive, document.isOccurrence,
        document.value(.owner).reference == todo.key, known.insert(document.key).inserted
      else { continue }
      found.append(document)
    }
    return found
  }

  /// The members of the occurrences of a to-do, including occurrences that were deleted or have another owner.
  package func occurrenceMembers(of todo: Document) -> [EventKey] {
    todo.members.flatMap { records.occurrenceIndex[$0] }
  }

  private func stored(of todo: Document) -> [Series.Occurrence] {
    occurrences(of: todo).compactMap { Series.Occurrence($0) }
  }

  private func state(of document: Document) -> SeriesState? {
    Series(document).map { SeriesState($0, stored(of: document)) }
  }

  /// The living ancestors of a to-do, nearest first, without the parents that ``TodoParents`` ignores.
  private func ancestors(of document: Document) -> [EventKey] {
    var written: [EventKey: EventKey] = [:]
    var next: Document? = document
    while let todo = next, written[todo.key] == nil {
      next = todo.value(Field.Todo.parent).reference.flatMap { records.document(of: $0) }
        .flatMap { $0.isAlive && $0.kind == .todo ? $0 : nil }
      written[todo.key] = next?.key
    }
    let parents = TodoParents.withoutCycles(written) { cycle in
      var stamps: [EventKey: Stamp] = [:]
      for key in cycle { stamps[key] = records.stampOfParent(of: key) }
      return stamps
    }
    return Array(sequence(first: document.key) { parents[$0] }.dropFirst())
  }
}
