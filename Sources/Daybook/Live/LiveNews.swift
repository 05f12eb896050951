package import Syncing

/// What there is to tell while a book is served, or peers are followed.
package enum LiveNews: Sendable {
  /// Both have had the same for the first time.
  case met(LivePeer, Receipt)
  /// Somebody has shown an invitation and takes part from now on: what it is called, and the words of its key.
  case letIn(LivePeer, name: String, words: [String])
  /// Something more has come, and perhaps gone.
  case news(LivePeer, Receipt)
  /// More events were sent: how many of each device, what they do if they are few, and which the peer did not keep.
  case sent(LivePeer, [Receipt.Share], [Receipt.Changes], untaken: [Receipt.Share])
  /// One that had stayed has gone.
  case left(LivePeer)
  /// A session came to no good end, or nobody was reached; when it is tried again, in milliseconds, if it is.
  case lost(LivePeer, DaybookError, retry: Int64?)
  /// A caller at an address was not let in.
  case turnedAway(String, SyncError)
  /// Something went wrong on this side, for all or for a caller at an address.
  case failed(String?, DaybookError)
}

/// Who is at the other end of a session, for messages.
package struct LivePeer: Hashable, Sendable {
  /// Its name among the peers or devices; nil as long as that is not known.
  package var name: String?
  /// Its address and port.
  package var address: String

  package init(name: String?, address: String) { (self.name, self.address) = (name, address) }
}
