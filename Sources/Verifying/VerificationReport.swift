package import Bytes

/// What was found by reading every byte of a book's logs.
package struct VerificationReport: Hashable, Sendable {
  /// In the order of their files' paths and of the places in them.
  package var faults: [Fault] = []
  /// In the order of their replicas; those of `logs/` before those of `aside/`, and of a replica
  /// that forked, the log before its strands.
  package var logs: [VerifiedLog] = []
  /// Events that say who may write which no log holds any more, and which hold because the book remembers them.
  package var remembered: UInt64 = 0
  /// Missing events that the user has accepted as lost; no fault tells of them.
  package var accepted: UInt64 = 0

  package init() {}

  package var isClean: Bool { faults.isEmpty }

  /// Whether nothing is wrong and nothing is missing, erased bodies aside.
  package var isWhole: Bool { isClean && bodiless == 0 && remembered == 0 }

  /// How many events have lost their bodies though no `erase` that is held accounts for it.
  package var bodiless: UInt64 {
    logs.lazy.flatMap(\.bodiless).reduce(0) { $0 + UInt64($1.count) }
  }
}

/// What one log holds, or one strand of a log that forked.
package struct VerifiedLog: Hashable, Sendable {
  /// The replica that writes the log, or the branch that the strand is called after.
  package var id: UniqueID
  package var replica: UniqueID
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
  /// Those of them that no `erase` which is held accounts for.
  package var bodiless: [ClosedRange<UInt64>] = []
  /// Events before the last that are not there.
  package var missing: [ClosedRange<UInt64>] = []
  /// How many heads there are that verify.
  package var heads = 0

  package init(id: UniqueID, replica: UniqueID? = nil, isAside: Bool) {
    self.id = id
    self.replica = replica ?? id
    self.isAside = isAside
  }

  /// Whether it begins where the log of a replica forked.
  package var isStrand: Bool { id != replica }
}
