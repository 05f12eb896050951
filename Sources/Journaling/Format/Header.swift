package import Bytes

/// The events of another log that an author has seen since last mentioning that log.
package struct Seen: Hashable, Sendable {
  package enum Log: Hashable, Sendable {
    /// A log that is already in the table.
    case index(UInt64)
    /// A log that the event adds to the end of the table.
    case introduced(UniqueID)
  }

  package var log: Log
  package var sequence: UInt64
  /// The first 16 bytes of the other log's chain hash at the sequence.
  package var hash: UniqueID
  /// The ranges of missing events up to the sequence, in ascending order and not adjacent.
  package var missing: [ClosedRange<UInt64>]

  package init(
    log: Log, sequence: UInt64, hash: UniqueID, missing: [ClosedRange<UInt64>] = []
  ) {
    self.log = log
    self.sequence = sequence
    self.hash = hash
    self.missing = missing
  }
}

/// The part of an event before its body.
package struct Header: Hashable, Sendable {
  /// The time since the log's previous event, in ms.
  package var delta: UInt64
  /// The event's *when*, minus the last *when* earlier in the log, in ms; nil if the event has no *when*.
  package var whenDelta: Int64?
  package var seen: [Seen]
  /// In the first event of a command, the number of the command's other events; otherwise 0.
  package var more: UInt64
  /// The first event of the command that this command undoes.
  package var link: Reference?

  package init(
    delta: UInt64, whenDelta: Int64? = nil, seen: [Seen] = [], more: UInt64 = 0,
    link: Reference? = nil
  ) {
    self.delta = delta
    self.whenDelta = whenDelta
    self.seen = seen
    self.more = more
    self.link = link
  }

  /// The logs that this event adds to the table.
  package var introduced: [UniqueID] {
    seen.compactMap { entry in
      if case .introduced(let id) = entry.log { id } else { nil }
    }
  }

  package var hasExtras: Bool { whenDelta != nil || more > 0 || namesOthers }

  /// Whether the header names other events, as seen or as undone.
  var namesOthers: Bool { !seen.isEmpty || link != nil }
}
