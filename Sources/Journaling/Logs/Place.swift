package import Bytes

/// The events of a replica's log that a device has: all events up to a given event, and ranges after it.
///
/// For a log that has forked, there is one place for each branch.
package struct Place: Hashable, Sendable {
  /// The replica that wrote the events.
  package var log: UniqueID
  /// The last event before the first hole.
  package var sequence: UInt64
  /// The chain hash at ``sequence``.
  package var hash: Digest
  /// The ranges of stored events after a hole, in ascending order and not adjacent.
  package var islands: [ClosedRange<UInt64>]

  package init(
    log: UniqueID, sequence: UInt64, hash: Digest, islands: [ClosedRange<UInt64>] = []
  ) {
    (self.log, self.sequence, self.hash, self.islands) = (log, sequence, hash, islands)
  }
}

extension Place: Comparable {
  /// Orders places by replica, then by sequence, then by hash.
  package static func < (left: Place, right: Place) -> Bool {
    if left.log != right.log { return left.log < right.log }
    if left.sequence != right.sequence { return left.sequence < right.sequence }
    return left.hash < right.hash
  }
}
