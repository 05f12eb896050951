/// How a to-do repeats: as a series, or with the series that it is a sub-task of.
package struct Recurrence: Sendable {
  /// What the series shows.
  package let state: SeriesState
  /// Whether the to-do is a sub-task, and not the series itself.
  package let isOfSubtask: Bool
  /// The slot that the to-do shows; nil for a finished series.
  ///
  /// A sub-task shows the slot of its series, and after the end of the series the slot that was closed last.
  package let slot: CivilDate?
  /// What is stored about the to-do itself in this slot, in the order of ids.
  package let stored: [Series.Occurrence]

  /// Creates the recurrence of a series.
  package init(_ state: SeriesState, _ occurrences: [Series.Occurrence]) {
    self.state = state
    isOfSubtask = false
    let slot = state.current?.slot
    self.slot = slot
    stored = Self.at(slot, occurrences)
  }

  /// Creates the recurrence of a sub-task.
  ///
  /// - Parameters:
  ///   - occurrences: The occurrences of the sub-task.
  ///   - state: What the series shows.
  package init(subtaskWith occurrences: [Series.Occurrence], of state: SeriesState) {
    self.state = state
    isOfSubtask = true
    let slot = state.current?.slot ?? state.latestClosed?.slot
    self.slot = slot
    stored = Self.at(slot, occurrences)
  }

  private static func at(
    _ slot: CivilDate?, _ occurrences: [Series.Occurrence]
  ) -> [Series.Occurrence] {
    occurrences.filter { $0.slot == slot }.sorted { $0.id < $1.id }
  }

  /// How the shown slot was closed; nil if it is open.
  ///
  /// Done wins over skipped.
  package var closing: Series.Closing? {
    let closings = stored.compactMap(\.closing)
    return closings.first { $0.kind == .done } ?? closings.first
  }
}

// From a complete fold.

extension Records {
  package func recurrence(of key: EventKey) -> Recurrence? {
    guard let document = document(of: key), document.isAlive, document.kind == .todo,
      !document.isOccurrence
    else { return nil }
    let own = occurrences(of: document).compactMap { Series.Occurrence($0) }
    if let series = Series(document) { return Recurrence(SeriesState(series, own), own) }
    return seriesAbove(document).map { Recurrence(subtaskWith: own, of: $0) }
  }

  /// The living occurrences of a to-do, each once; those of all its members count.
  package func occurrences(of todo: Document) -> [Document] {
    var known: Set<EventKey> = []
    var found: [Document] = []
    for key in todo.members.flatMap({ occurrenceIndex[$0] }) {
      guard let document = document(of: key), document.isAlive, known.insert(document.key).inserted
      else { continue }
      found.append(document)
    }
    return found
  }

  /// The entities that others name as their series, sorted.
  package var occurrenceOwners: [EventKey] { occurrenceIndex.owners.sorted() }

  /// What the nearest series above a sub-task shows; nil if it is not part of one.
  private func seriesAbove(_ document: Document) -> SeriesState? {
    for key in ancestors(of: document) {
      guard let above = self.document(of: key), let series = Series(above) else { continue }
      return SeriesState(series, occurrences(of: above).compactMap { Series.Occurrence($0) })
    }
    return nil
  }

  /// The living to-dos that a to-do is a sub-task of, the nearest first, without the parents that ``TodoParents`` ignores.
  private func ancestors(of document: Document) -> [EventKey] {
    var written: [EventKey: EventKey] = [:]
    var next: Document? = document
    while let todo = next, written[todo.key] == nil {
      next = todo.value(Field.Todo.parent).reference.flatMap { self.document(of: $0) }
        .flatMap { $0.isAlive && $0.kind == .todo ? $0 : nil }
      written[todo.key] = next?.key
    }
    let parents = TodoParents.withoutCycles(written) { cycle in
      var stamps: [EventKey: Stamp] = [:]
      for key in cycle { stamps[key] = stampOfParent(of: key) }
      return stamps
    }
    return Array(sequence(first: document.key) { parents[$0] }.dropFirst())
  }
}
