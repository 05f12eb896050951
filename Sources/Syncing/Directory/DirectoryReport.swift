package import Bytes

/// The result of a sync with a directory.
package struct DirectoryReport: Hashable, Sendable {
  /// The number of events written to the directory, by log.
  package var sent: [UniqueID: UInt64]
  /// The number of events received and stored, by log.
  package var received: [UniqueID: UInt64]
  package var problems: [SyncProblem]

  package init(
    sent: [UniqueID: UInt64] = [:], received: [UniqueID: UInt64] = [:],
    problems: [SyncProblem] = []
  ) {
    (self.sent, self.received, self.problems) = (sent, received, problems)
  }
}
