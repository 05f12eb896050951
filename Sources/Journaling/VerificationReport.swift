package import Bytes

/// What was found by reading every byte of a book's logs.
package struct VerificationReport: Hashable, Sendable {
  /// In the order of their files' paths and of the places in them.
  package var faults: [Fault] = []
  /// In the order of their ids; those of `logs/` before those of `aside/`.
  package var logs: [VerifiedLog] = []

  package init() {}

  package var isClean: Bool { faults.isEmpty }
}

/// What one log holds.
package struct VerifiedLog: Hashable, Sendable {
  package var id: UniqueID
  package var isAside: Bool
  /// The chain hash of the first event, whose first 16 bytes name the book of its founder.
  package var firstHash: Digest?
  /// The last event that is there.
  package var last: UInt64 = 0
  /// The chain hash there.
  package var hash: Digest?

  package var files = 0
  package var bytes = 0
  package var frames = 0
  package var events = 0
  /// How many events have been erased.
  package var stripped = 0
  /// How many heads there are that verify.
  package var heads = 0

  package init(id: UniqueID, isAside: Bool) {
    self.id = id
    self.isAside = isAside
  }
}
