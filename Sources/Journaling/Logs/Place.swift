package import Bytes

/// Events of a replica that somebody holds: those of the log that leads to one event.
///
/// Of a log that forked there are several places, one for each branch.
package struct Place: Hashable, Sendable {
  /// The replica that wrote them.
  package var log: UniqueID
  /// Everything up to here is held.
  package var sequence: UInt64
  /// The chain hash there.
  package var hash: Digest
  /// What is held beyond a hole, ascending and apart.
  package var islands: [ClosedRange<UInt64>]

  package init(
    log: UniqueID, sequence: UInt64, hash: Digest, islands: [ClosedRange<UInt64>] = []
  ) {
    (self.log, self.sequence, self.hash, self.islands) = (log, sequence, hash, islands)
  }
}

extension Place: Comparable {
  /// By the replica, then along its log; where that forked, by the hash.
  package static func < (left: Place, right: Place) -> Bool {
    if left.log != right.log { return left.log < right.log }
    if left.sequence != right.sequence { return left.sequence < right.sequence }
    return left.hash < right.hash
  }
}
