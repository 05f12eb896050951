package import Bytes

/// What an author had newly folded of another log.
package struct Seen: Hashable, Sendable {
  package enum Log: Hashable, Sendable {
    /// A log of the table.
    case index(UInt64)
    /// A log that takes the next index of the table.
    case introduced(UniqueID)
  }

  package var log: Log
  package var sequence: UInt64
  /// The first 16 bytes of that log's chain hash there.
  package var hash: UniqueID
  /// Events up to there that were missing, ascending and apart from each other.
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

/// What an event says besides its body.
package struct Header: Hashable, Sendable {
  /// The ms since the log's previous event.
  package var delta: UInt64
  /// The ms between the times that the source gives for this event and the last that had one.
  package var whenDelta: Int64?
  package var seen: [Seen]
  /// How many events of the command follow.
  package var more: UInt64
  /// The first event of the command that this one undoes.
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

  /// Whether it names other events, as seen or undone.
  var namesOthers: Bool { !seen.isEmpty || link != nil }
}
