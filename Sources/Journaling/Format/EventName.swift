package import Bytes

/// The name of one event: the log or branch that holds the event, and the event's sequence in it.
package struct EventName: Hashable, Comparable, Sendable {
  package var log: UniqueID
  package var sequence: UInt64

  package init(log: UniqueID, sequence: UInt64) {
    (self.log, self.sequence) = (log, sequence)
  }

  package static func < (left: EventName, right: EventName) -> Bool {
    (left.log, left.sequence) < (right.log, right.sequence)
  }
}

/// Resolves the references in a log up to a given event.
package struct ReferenceScope: Sendable {
  /// The log or branch whose references are resolved.
  package let log: UniqueID
  /// The logs that references name by index.
  package private(set) var table: [UniqueID]
  private let forks: [UniqueID: Fork]
  private let branches: [UniqueID: [UniqueID]]

  package init(of log: UniqueID, table: [UniqueID], forks: [UniqueID: Fork]) {
    (self.log, self.table, self.forks) = (log, table, forks)
    branches = Dictionary(grouping: forks.keys) { forks[$0]?.trunk ?? $0 }
  }

  package mutating func introduce(_ logs: [UniqueID]) { table += logs }

  /// The events that the given reference may name; empty if its index is not in the table.
  ///
  /// A reference does not state a branch, so several events may match if the log has forked.
  package func events(at reference: Reference) -> [EventName] {
    guard let index = reference.index else { return [event(reference.sequence, along: log)] }
    guard index < UInt64(table.count) else { return [] }
    return events(reference.sequence, behind: table[Int(index)])
  }

  private func events(_ sequence: UInt64, behind log: UniqueID) -> [EventName] {
    let beyond = (branches[log] ?? []).filter { sequence > forks[$0]?.lastShared ?? .max }
    guard !beyond.isEmpty else { return [event(sequence, along: log)] }
    return beyond.sorted().flatMap { events(sequence, behind: $0) }
  }

  /// The event at a sequence, in this log or in a trunk that it follows.
  package func event(at sequence: UInt64) -> EventName { event(sequence, along: log) }

  /// The event at a sequence; events before the first event of a branch are in its trunk.
  private func event(_ sequence: UInt64, along log: UniqueID) -> EventName {
    var name = EventName(log: log, sequence: sequence)
    while let fork = forks[name.log], sequence <= fork.lastShared { name.log = fork.trunk }
    return name
  }
}
