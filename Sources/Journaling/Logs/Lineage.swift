package import Bytes

/// The replica that wrote a log, and the fork that the log begins at.
///
/// A replica has one log unless it has forked. If the replica has forked, the events before the first fork are the
/// replica's log, and each branch is a log of its own.
package struct Lineage: Hashable, Sendable {
  /// The replica that wrote the log and signs its heads.
  package var replica: UniqueID
  /// The fork that the log begins at, if it is a branch.
  package var fork: Fork?

  package init(replica: UniqueID, fork: Fork? = nil) {
    (self.replica, self.fork) = (replica, fork)
  }

  /// The first event of the log.
  package var first: UInt64 { (fork?.lastShared ?? 0) + 1 }
}

/// The event after which a branch forks from another log.
package struct Fork: Hashable, Sendable {
  /// The log or branch that holds the events up to the fork.
  package var trunk: UniqueID
  /// The last event that the branch shares with the trunk.
  package var lastShared: UInt64

  package init(trunk: UniqueID, lastShared: UInt64) {
    self.trunk = trunk
    self.lastShared = lastShared
  }
}
