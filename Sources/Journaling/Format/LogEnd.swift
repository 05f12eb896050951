package import Bytes

/// A log up to an event, as far as the next event depends on it.
package struct LogEnd: Hashable, Sendable {
  /// Who wrote it.
  package var replica: ReplicaPrefix
  /// How many events there are.
  package var sequence: UInt64
  /// In ms since 1970.
  package var time: Int64
  /// The last time that a source gave for an event, or 0.
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

  /// A log before its first event.
  package static func zero(of log: UniqueID) -> LogEnd {
    LogEnd(
      of: ReplicaPrefix(of: log), sequence: 0, time: 0, when: 0, hash: Chain.zero(of: log),
      table: [])
  }

  /// The same log behind the next event.
  package func advanced(by event: EventRecord, introducing logs: [UniqueID]) -> LogEnd {
    LogEnd(
      of: replica, sequence: event.sequence, time: event.time, when: event.when ?? when,
      hash: event.hash, table: table + logs)
  }

  /// The same log behind a frame that joins it, or nil for one that does not.
  package func advanced(by frame: Frame) -> LogEnd? {
    guard joins(frame), let last = frame.events.last else { return nil }
    return LogEnd(
      of: replica, sequence: last.sequence, time: last.time, when: frame.lastWhen,
      hash: last.hash, table: table + frame.introduced)
  }

  /// Whether the frame begins where this ends, and says the same of it.
  package func joins(_ frame: Frame) -> Bool {
    let information = frame.information
    return frame.replica == replica && frame.firstSequence == sequence + 1
      && information.hash == hash
      && information.time == time && information.when == when
      && information.tableCount == UInt64(table.count)
      && (information.table.map { $0 == table } ?? true)
  }
}
