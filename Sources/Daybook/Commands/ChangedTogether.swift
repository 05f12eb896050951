import Domain
import Journaling
import ReadModel

/// Finds the sub-tasks that were deleted or closed by the same commands as given to-dos.
struct ChangedTogether {
  let store: LogStore
  let model: ReadModel
  let causality: Causality

  /// The deleted sub-tasks, at any depth, that were deleted by the same commands as the given to-dos.
  ///
  /// A to-do whose deletion is in conflict with an edit is alive, but its sub-tasks are not.
  func deleted(with todos: [EventKey]) throws(DaybookError) -> [EventKey] {
    let records = try wrap(DaybookError.view) { () throws(ReadModelError) in
      let dead = try model.titleSearch.deletedDocuments(kind: .todo)
      return try model.records.hydrate(
        Set(dead.map(\.key)).union(todos), causality: causality)
    }
    let below = records.deadSubtasks
    guard !below.isEmpty else { return [] }
    var found: [EventKey] = []
    var known: Set<EventKey> = []
    for todo in todos {
      guard let document = records.document(of: todo),
        !document.isAlive || document.deleteAgainstEdit != nil,
        let delete = records.latestDelete(of: document), let command = try command(with: delete.key)
      else { continue }
      var next = [document.key]
      known.insert(document.key)
      while let key = next.popLast() {
        // Two devices may have moved to-dos below each other, so the parents may form a cycle.
        for subtask in below[key] ?? [] {
          guard let delete = records.latestDelete(of: subtask), command.contains(delete.key),
            known.insert(subtask.key).inserted
          else { continue }
          found.append(subtask.key)
          next.append(subtask.key)
        }
      }
    }
    return found
  }

  /// The closed sub-tasks, at any depth, that were closed by the same commands as the given to-dos.
  ///
  /// The command that ended a series counts as the command that closed it.
  func closed(with todos: [EventKey]) throws(DaybookError) -> [EventKey] {
    var found: [EventKey] = []
    for todo in todos {
      let below = try wrap(DaybookError.view) { () throws(ReadModelError) in
        guard let row = try model.todos.todo(todo), row.isClosed, row.series == nil else {
          return [] as [EventKey]
        }
        return try model.subtasks.descendants(of: [todo])
      }
      guard !below.isEmpty, let closing = try closings(of: todo).max(),
        let command = try command(with: closing)
      else { continue }
      for key in below where try closings(of: key).contains(where: command.contains) {
        found.append(key)
      }
    }
    return found
  }

  /// The events that closed a to-do, closed its latest closed date, or ended its repeats.
  ///
  /// For a repeating sub-task, the events that closed any of its dates are included.
  private func closings(of todo: EventKey) throws(DaybookError) -> [EventKey] {
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      let recurrence = try model.repeats.recurrence(of: todo, causality: causality)
      let last = recurrence?.state.latestClosed?.keys ?? []
      let own = recurrence?.isOfSubtask == true ? recurrence?.stored.map(\.key) ?? [] : last
      let records = try model.records.hydrate(Set([todo] + own), causality: causality)
      let documents = ([todo] + own).compactMap(records.document(of:))
      let end = documents.first?.endings ?? []
      return (documents.flatMap(\.closings) + end).map(\.key)
    }
  }

  private struct CommandEvents {
    let log: UInt32
    let sequences: ClosedRange<UInt64>

    func contains(_ event: EventKey) -> Bool {
      event.log == log && sequences.contains(event.sequence)
    }
  }

  /// The command that an event belongs to; nil if the log does not hold the event.
  private func command(with event: EventKey) throws(DaybookError) -> CommandEvents? {
    guard let log = causality.identity(of: event.log)?.id else { return nil }
    var found: ClosedRange<UInt64>?
    try store.forEachFrame(of: log, from: event.sequence, upTo: event.sequence) { frame, _ in
      for record in frame.events where record.isCommandStart && record.sequence <= event.sequence {
        found = record.sequence...(record.sequence + record.more)
      }
    }
    return found.map { CommandEvents(log: event.log, sequences: $0) }
  }
}

extension Records {
  /// The deleted sub-tasks among the records, by the shown members of their parents.
  fileprivate var deadSubtasks: [EventKey: [Document]] {
    var below: [EventKey: [Document]] = [:]
    for document in documents(.todo) where !document.isAlive && !document.isOccurrence {
      guard let written = document.writtenParent else { continue }
      below[shownMember(of: written) ?? written, default: []].append(document)
    }
    return below
  }

  fileprivate func latestDelete(of document: Document) -> Mark? {
    document.members.compactMap { entity(of: $0) }.flatMap(\.deletes)
      .max { ($0.time, $0.key) < ($1.time, $1.key) }
  }
}
