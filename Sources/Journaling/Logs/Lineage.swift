package import Bytes

/// Where a log of the journal stands among those of its replica.
///
/// A replica has one log, unless it forked: then the events before the fork stay the replica's log, and
/// each branch is a log of its own.
package struct Lineage: Hashable, Sendable {
  /// Who wrote it, and signs its heads.
  package var replica: UniqueID
  /// What the log follows, where it is a branch.
  package var fork: Fork?

  package init(replica: UniqueID, fork: Fork? = nil) {
    (self.replica, self.fork) = (replica, fork)
  }

  /// The log's first own event.
  package var first: UInt64 { (fork?.lastShared ?? 0) + 1 }
}

/// Where a branch leaves the log it was once part of.
package struct Fork: Hashable, Sendable {
  /// The log, or the branch, that holds the events before.
  package var trunk: UniqueID
  /// The last event that the trunk has and all its branches share.
  package var lastShared: UInt64

  package init(trunk: UniqueID, lastShared: UInt64) {
    self.trunk = trunk
    self.lastShared = lastShared
  }
}
