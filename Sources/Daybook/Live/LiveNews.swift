package import Journaling
package import Syncing

/// A report made while a book is served or peers are followed.
package enum LiveNews: Sendable {
  /// For the first time in a session, both sides hold the same events.
  case met(LivePeer, Receipt)
  /// A device was admitted through an invitation; the values are its name and the words of its key.
  case letIn(LivePeer, name: String, words: [String])
  /// More events were received, and some may also have been sent.
  case news(LivePeer, Receipt)
  /// More events were sent; the values are their number for each device, their effects if they are few, and, for each
  /// device, the number that the peer has not stored.
  case sent(LivePeer, [Receipt.Share], [Receipt.Changes], untaken: [Receipt.Share])
  /// A peer that had stayed connected has disconnected.
  case left(LivePeer)
  /// A session failed, or the peer could not be reached.
  ///
  /// `retry` is the delay before the next attempt in milliseconds; nil if there is none.
  case lost(LivePeer, DaybookError, retry: Int64?)
  /// An interrupted erasure was finished.
  ///
  /// The report lists the removed data.
  case stripped(StripReport)
  /// A caller from an address was not accepted.
  case turnedAway(String, SyncError)
  /// An error on this side that affects all sessions, or only the caller from the given address.
  case failed(String?, DaybookError)
}

/// The peer of a session, for messages.
package struct LivePeer: Hashable, Sendable {
  /// The name of the peer or device; nil until it is known.
  package var name: String?
  /// The address and port of the peer.
  package var address: String

  package init(name: String?, address: String) { (self.name, self.address) = (name, address) }
}
