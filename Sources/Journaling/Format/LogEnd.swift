package import Bytes

/// The state of a log after an event, as far as the next event depends on it.
package struct LogEnd: Hashable, Sendable {
  /// The replica that wrote the log.
  package var replica: ReplicaPrefix
  /// The sequence of the last event, or 0.
  package var sequence: UInt64
  /// The time in ms since 1970.
  package var time: Int64
  /// The last time that a source stated for an event of the log, in ms since 1970, or 0.
  package var when: Int64
  package var hash: Digest
  /// The logs that references name by index.
  package var table: [UniqueID]

  package init(
    of replica: ReplicaPrefix, sequence: UInt64, time: Int64, when: Int64, hash: Digest,
    table: [UniqueID]
  ) {
    self.replica = replica
    self.sequence = sequence
    self.time = time
    self.when = when
    self.hash = hash
    self.table = table
  }

  /// The state of the given log before its first event.
  package static func zero(of log: UniqueID) -> LogEnd {
    LogEnd(
      of: ReplicaPrefix(of: log), sequence: 0, time: 0, when: 0, hash: Chain.zero(of: log),
      table: [])
  }

  /// The state after the next event.
  package func advanced(by event: EventRecord, introducing logs: [UniqueID]) -> LogEnd {
    LogEnd(
      of: replica, sequence: event.sequence, time: event.time, when: event.when ?? when,
      hash: event.hash, table: table + logs)
  }
}
