package import Journaling
package import Syncing

/// Events to report while a book is served, or peers are followed.
package enum LiveNews: Sendable {
  /// Both sides hold the same events for the first time in a session.
  case met(LivePeer, Receipt)
  /// A device was admitted through an invitation: its name, and the words of its key.
  case letIn(LivePeer, name: String, words: [String])
  /// More events were received, and perhaps sent.
  case news(LivePeer, Receipt)
  /// More events were sent: the number for each device, what they do if they are few, and how many of each device the
  /// peer has not stored.
  case sent(LivePeer, [Receipt.Share], [Receipt.Changes], untaken: [Receipt.Share])
  /// A peer that had stayed has disconnected.
  case left(LivePeer)
  /// A session failed, or the peer was not reached. When it is tried again, in milliseconds, if it is.
  case lost(LivePeer, DaybookError, retry: Int64?)
  /// An erasure that had been interrupted was finished; what was removed with it.
  case stripped(StripReport)
  /// A caller at an address was not accepted.
  case turnedAway(String, SyncError)
  /// An error on this side, for all sessions or for a caller at an address.
  case failed(String?, DaybookError)
}

/// The peer of a session, for messages.
package struct LivePeer: Hashable, Sendable {
  /// Its name among the peers or devices; nil while that is not known.
  package var name: String?
  /// Its address and port.
  package var address: String

  package init(name: String?, address: String) { (self.name, self.address) = (name, address) }
}
