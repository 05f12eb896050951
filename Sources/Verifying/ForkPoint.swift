package import Bytes

/// The state of a strand at an event after which another strand may fork.
struct ForkPoint {
  var time: UInt64
  var when: Int64
  var hash: Digest
  var tableCount: UInt64
  /// The table; nil if it is unknown.
  var table: [UniqueID]?
  /// Whether a command ends at the event.
  var endsCommand: Bool
  /// The chain hash at the last event of the command that follows.
  var next: Digest?

  /// Whether the tables of two fork points contradict each other.
  func differsInTable(from other: ForkPoint) -> Bool {
    guard tableCount == other.tableCount else { return true }
    guard let table, let theirs = other.table else { return false }
    return table != theirs
  }
}

/// An event, identified by its sequence number and chain hash but not by its log or branch.
package struct EventMark: Hashable, Sendable {
  package var sequence: UInt64
  /// The first 16 bytes of the chain hash at the event.
  package var hash: UniqueID

  package init(sequence: UInt64, hash: UniqueID) {
    (self.sequence, self.hash) = (sequence, hash)
  }
}
