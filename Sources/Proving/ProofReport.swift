package import Bytes
package import Crypto

/// What a proof proves.
package struct ProofReport: Sendable {
  /// A log of the proof; each way through a fork is a log of its own.
  package struct Log: Sendable {
    package var replica: UniqueID
    package var key: PublicKey
    /// The name of the device: the one that an admission in the file gives, or else the device's own.
    package var name: String?
    package var isFounder: Bool
    /// The log with the admission by which the key is part of the book; nil for the founder's key.
    package var admittedBy: Int?
    package var revocations: [Revocation] = []
    /// The events that the file contains without a gap, each range up to a signature.
    package var stretches: [ClosedRange<UInt64>]
    package var shown: UInt64
    /// The events of which the file contains only a hash.
    package var hidden: UInt64
    /// Whether the file contains another version of this log.
    package var isForked: Bool

    /// The last event that a signature covers.
    package var last: UInt64 { stretches.last?.upperBound ?? 0 }
    /// The events up to the last one that are not in the file at all.
    package var absent: UInt64 { last - shown - hidden }
    /// Whether all events up to the last one are shown.
    package var isWhole: Bool { shown == last }
    /// Whether all events in the file are in one chain, so no fork is between them.
    package var isUnbroken: Bool { stretches.count == 1 }
  }

  /// A revocation of the key of a log.
  package struct Revocation: Sendable {
    /// The log and the sequence of the `revoke`, and its time in ms since 1970.
    package var log: Int
    package var sequence: UInt64
    package var time: Int64
    /// The last event of the revoked log that still counts, or 0.
    package var kept: UInt64
  }

  package enum Role: Hashable, Sendable {
    case opens
    case admits(name: String, PublicKey)
    case revokes(PublicKey)
    /// Erases the record, or a record that was joined with it.
    case erases(UniqueID)
    /// An event of the record itself.
    case changes
  }

  /// An event that the file shows.
  package struct Event: Sendable {
    package var log: Int
    package var sequence: UInt64
    /// The time by the clock of the device, in ms since 1970.
    package var time: Int64
    /// Whether a source stated another time for the fact, and that time if the file proves it.
    package var hasWhen: Bool
    package var when: Int64?
    package var hash: Digest
    package var body: [UInt8]
    package var role: Role
    /// Whether a revocation in the file excludes the event.
    package var isCut = false
  }

  package var book: UniqueID
  package var record: UniqueID
  /// The number of the record's kind; nil if the event that added the record is erased.
  package var kind: UInt64?
  /// The ids of the records that were joined with the record, including its own.
  package var members: [UniqueID]
  /// The ids among them whose first event is erased.
  package var erased: [UniqueID]
  package var logs: [Log]
  /// The shown events, by log and sequence.
  package var events: [Event]
}
