package import Bytes

/// A trust event and its position.
package struct TrustEvent: Hashable, Sendable {
  /// The log that contains the event, its sequence there, and its hash.
  ///
  /// If the log has lost the event, only the hash distinguishes it from the event that the log now has at this
  /// sequence.
  package var place: Landmark
  package var verb: TrustVerb

  package init(at place: Landmark, verb: TrustVerb) { (self.place, self.verb) = (place, verb) }

  package var log: UniqueID { place.log }
  package var sequence: UInt64 { place.sequence }

  /// Whether the event begins its log, and with it the given book.
  package func founds(_ book: UniqueID) -> Bool {
    guard case .open = verb, sequence == 1 else { return false }
    return place.hash == book
  }
}

/// The input of ``Trust``, which depends only on the stored events, not on when or how they arrived.
package struct TrustInput {
  /// The id of the book: the first 16 bytes of the chain hash of the founder's first event.
  package var book: UniqueID
  /// The trust events of all stored logs and branches, in any order.
  package var events: [TrustEvent]
  /// The places of the trust events that the logs have lost.
  package var lost: Set<Landmark>
  /// The fork at which each branch departs from its trunk, always after a whole command; a log that is not a branch has
  /// no entry.
  package var forks: [UniqueID: Fork]
  /// For each event that a revocation keeps, the log or branch that holds it, with the last event at or before it that
  /// ends a command.
  ///
  /// The id in a revocation is not used, because the author may have seen the event under the id of a branch that is
  /// unknown here, or under the id of the log before it forked. The chain hash identifies the event in any case.
  package var keptEnds: [Landmark.Mark: EventName]

  package init(
    book: UniqueID, events: [TrustEvent], lost: Set<Landmark> = [],
    forks: [UniqueID: Fork] = [:], keptEnds: [Landmark.Mark: EventName] = [:]
  ) {
    self.book = book
    (self.events, self.lost) = (events, lost)
    self.forks = forks
    self.keptEnds = keptEnds
  }
}
