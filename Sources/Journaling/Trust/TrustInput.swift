package import Bytes

/// A trust event and its position.
package struct TrustEvent: Sendable {
  package var log: UniqueID
  package var sequence: UInt64
  package var verb: TrustVerb

  package init(log: UniqueID, sequence: UInt64, verb: TrustVerb) {
    self.log = log
    self.sequence = sequence
    self.verb = verb
  }
}

/// The input of ``Trust``, which depends only on the stored events, not on when or how they arrived.
package struct TrustInput {
  /// The id of the book: the first 16 bytes of the chain hash of the founder's first event.
  package var book: UniqueID
  /// The trust events of all stored logs and branches, in any order.
  package var events: [TrustEvent]
  /// The fork at which each branch leaves its trunk; a log that is not a branch has no entry.
  package var forks: [UniqueID: Fork]
  /// Returns the first 16 bytes of the chain hash at an event; nil if the log or branch does not hold the event
  /// itself.
  package var hash: (_ log: UniqueID, _ sequence: UInt64) -> UniqueID?
  /// Returns the last event that ends a command, at or before a given event of the log.
  package var commandEnd: (_ log: UniqueID, _ sequence: UInt64) -> UInt64

  package init(
    book: UniqueID, events: [TrustEvent], forks: [UniqueID: Fork] = [:],
    hash: @escaping (_ log: UniqueID, _ sequence: UInt64) -> UniqueID?,
    commandEnd: @escaping (_ log: UniqueID, _ sequence: UInt64) -> UInt64
  ) {
    self.book = book
    self.events = events
    self.forks = forks
    self.hash = hash
    self.commandEnd = commandEnd
  }
}
