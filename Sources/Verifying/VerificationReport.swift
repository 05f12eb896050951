package import Bytes

/// The result of reading every byte of a book's logs.
package struct VerificationReport: Hashable, Sendable {
  /// The faults, ordered by file path and offset.
  package var faults: [Fault] = []
  /// The logs, ordered by replica.
  ///
  /// Logs in `logs/` precede those in `aside/`, and a replica's log precedes its strands.
  package var logs: [VerifiedLog] = []
  /// The number of trust events that the book remembers although no log contains them any longer.
  package var remembered: UInt64 = 0
  /// The number of missing events that the user has accepted as lost.
  ///
  /// Accepted events are not reported as faults.
  package var accepted: UInt64 = 0
  /// The number of missing bodies that the user has accepted as lost.
  ///
  /// Accepted bodies are not included in ``bodiless``.
  package var acceptedBodies: UInt64 = 0

  package init() {}

  package var isClean: Bool { faults.isEmpty }

  /// Whether there are no faults, no unexplained missing bodies and no trust events that are only remembered.
  package var isWhole: Bool { isClean && bodiless == 0 && remembered == 0 }

  /// The number of missing bodies that no known `erase` event explains.
  package var bodiless: UInt64 {
    logs.lazy.flatMap(\.bodiless).reduce(0) { $0 + UInt64($1.count) }
  }
}

/// The content of one log, or of one strand of a forked log.
package struct VerifiedLog: Hashable, Sendable {
  /// The id of the replica, or of the branch if this is a strand.
  package var id: UniqueID
  package var replica: UniqueID
  package var isAside: Bool
  /// The chain hash of the first event.
  ///
  /// The id of a book is the first 16 bytes of this hash in the founder's log.
  package var firstHash: Digest?
  /// The sequence number of the last stored event.
  package var last: UInt64 = 0
  /// The chain hash at ``last``.
  package var hash: Digest?

  package var files = 0
  package var bytes = 0
  package var frames = 0
  package var events = 0
  /// The number of stripped events.
  package var stripped = 0
  /// The stripped events that no known `erase` event explains.
  package var bodiless: [ClosedRange<UInt64>] = []
  /// The missing events, as shown by gaps between frames and by the names of sealed files.
  package var missing: [ClosedRange<UInt64>] = []
  /// The number of heads with a valid signature.
  package var heads = 0

  package init(id: UniqueID, replica: UniqueID? = nil, isAside: Bool) {
    self.id = id
    self.replica = replica ?? id
    self.isAside = isAside
  }

  /// Whether this is a strand that begins at a fork of the replica's log.
  package var isStrand: Bool { id != replica }

  /// The path of the log's folder, relative to the book's folder.
  package var folder: String {
    "\(isAside ? "aside" : "logs")/\(replica.hex)" + (isStrand ? "/\(id.hex)" : "")
  }
}
