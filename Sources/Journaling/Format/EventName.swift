package import Bytes

/// One event by the log or branch that holds it.
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

/// What the references in a log lead to, as far along it as an event.
package struct ReferenceScope: Sendable {
  /// The log, or the branch, at whose end the events are.
  package let log: UniqueID
  /// The logs that indices stand for.
  package private(set) var table: [UniqueID]
  private let forks: [UniqueID: Fork]
  private let branches: [UniqueID: [UniqueID]]

  package init(of log: UniqueID, table: [UniqueID], forks: [UniqueID: Fork]) {
    (self.log, self.table, self.forks) = (log, table, forks)
    branches = Dictionary(grouping: forks.keys) { forks[$0]?.trunk ?? $0 }
  }

  package mutating func introduce(_ logs: [UniqueID]) { table += logs }

  /// The events that a reference can lead to; none where it names no log that was introduced.
  ///
  /// There are several where it names a log that has forked since, since it does not tell the branch.
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

  /// The log's own event at a sequence.
  package func event(at sequence: UInt64) -> EventName { event(sequence, along: log) }

  /// What lies before a branch's first event lies in its trunk.
  private func event(_ sequence: UInt64, along log: UniqueID) -> EventName {
    var name = EventName(log: log, sequence: sequence)
    while let fork = forks[name.log], sequence <= fork.lastShared { name.log = fork.trunk }
    return name
  }
}
