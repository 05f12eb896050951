package import Bytes
package import Domain

/// How far one log was folded.
package struct LogPosition: Hashable, Sendable {
  /// The log's number in every key of this read model.
  package var number: UInt32
  package var id: UniqueID
  /// Who writes it.
  package var replica: UniqueID
  /// The number of the log that it follows, if it is a branch.
  package var trunk: UInt32?
  /// The last event folded; 0 for a log that was only heard of.
  package var sequence: UInt64
  /// The first 16 bytes of the chain hash there.
  package var hash: UniqueID

  package init(
    number: UInt32, id: UniqueID, replica: UniqueID, trunk: UInt32? = nil, sequence: UInt64,
    hash: UniqueID
  ) {
    self.number = number
    self.id = id
    self.replica = replica
    self.trunk = trunk
    self.sequence = sequence
    self.hash = hash
  }
}

/// A *seen* entry: the author of an event had, by then, folded another log up to a sequence.
package struct Sighting: Hashable, Sendable {
  package var event: EventKey
  package var other: UInt32
  package var upTo: UInt64
  /// What at or below `upTo` was missing.
  package var exceptions: [ClosedRange<UInt64>]

  package init(
    event: EventKey, other: UInt32, upTo: UInt64, exceptions: [ClosedRange<UInt64>] = []
  ) {
    self.event = event
    self.other = other
    self.upTo = upTo
    self.exceptions = exceptions
  }
}

/// What a commit brings besides the records.
package struct Change: Sendable {
  /// The logs whose position moved, and new ones.
  package var positions: [LogPosition]
  /// The entries newly noted in the causality.
  package var seen: [Sighting]
  /// What the caller wants kept in the same transaction, under names of its own.
  package var settings: [String: [UInt8]]

  package init(
    positions: [LogPosition] = [], seen: [Sighting] = [], settings: [String: [UInt8]] = [:]
  ) {
    self.positions = positions
    self.seen = seen
    self.settings = settings
  }
}

extension Causality {
  /// Notes a *seen* entry.
  package mutating func note(_ sighting: Sighting) {
    note(
      sighting.event, saw: sighting.other, upTo: sighting.upTo, except: sighting.exceptions)
  }
}
