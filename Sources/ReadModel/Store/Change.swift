package import Bytes
package import Domain

/// The position up to which a log is folded.
package struct LogPosition: Hashable, Sendable {
  /// The number of the log in all keys of this read model.
  package var number: UInt32
  package var id: UniqueID
  /// The replica that writes the log.
  package var replica: UniqueID
  /// The number of the trunk, if the log is a branch.
  package var trunk: UInt32?
  /// The sequence of the last folded event; 0 if no event of the log is folded.
  package var sequence: UInt64
  /// The first 16 bytes of the chain hash at `sequence`.
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

/// A *seen* entry: when the author wrote `event`, it had folded the log `other` up to `upTo`, except for
/// `exceptions`.
package struct Sighting: Hashable, Sendable {
  package var event: EventKey
  package var other: UInt32
  package var upTo: UInt64
  /// The events at or below `upTo` that the author did not have.
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

/// The positions, *seen* entries and settings that a commit writes in addition to the records.
package struct Change: Sendable {
  /// The new logs, and the logs whose position changed.
  package var positions: [LogPosition]
  /// The *seen* entries that are new in the causality.
  package var seen: [Sighting]
  /// The caller's values, by name, which are stored in the same transaction.
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
  /// Adds a *seen* entry.
  package mutating func note(_ sighting: Sighting) {
    note(
      sighting.event, saw: sighting.other, upTo: sighting.upTo, except: sighting.exceptions)
  }
}
