package import Bytes

/// A trust event and where it stands.
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

/// All that trust depends on: the events held, and nothing of when or how they came.
package struct TrustInput {
  /// The first 16 bytes of the chain hash of the founder's first event.
  package var book: UniqueID
  /// The trust events of all logs and branches held, in any order.
  package var events: [TrustEvent]
  /// Of each branch, where it begins; a log that never forked has no entry.
  package var forks: [UniqueID: Fork]
  /// The first 16 bytes of the chain hash at an event that the log or branch itself holds, else nil.
  package var hash: (_ log: UniqueID, _ sequence: UInt64) -> UniqueID?
  /// The last event at or before a held one with which a command ends.
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
