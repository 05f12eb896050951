package import Crypto

/// Whom a switchboard asks, and tells of its calls.
///
/// All of it is called by the one thread that turns the switchboard, and may turn to it.
package protocol SwitchboardHost: AnyObject {
  /// What this side shows to a caller, or to a destination that is dialled, and whom it takes.
  func badge(for destination: Int?) throws(SyncError) -> Badge

  /// Begins to talk with one who has shown a key, over TLS of which the peer's part is done.
  func converse(_ call: Call) throws(SyncError) -> Introduction

  /// Hears that something has come over a call, or was taken, and both now have the same.
  func settled(_ call: Call)

  /// Hears that a call is over; where both had what either had, by no error.
  func ended(_ call: Call, because error: SyncError?)

  /// Hears that a destination could not be called at all.
  func missed(_ destination: Int, because error: SyncError)

  /// Hears that no caller can be taken for now.
  func doorFailed(_ error: SyncError)

  /// Looks whether something was committed by somebody else.
  func glance()
}

/// What one side of a line shows, and whom it takes.
package struct Badge {
  package var identity: TLSIdentity
  package var admits: @Sendable (PublicKey) -> Bool

  package init(_ identity: TLSIdentity, admits: @escaping @Sendable (PublicKey) -> Bool) {
    (self.identity, self.admits) = (identity, admits)
  }
}

/// A conversation that is to begin.
package struct Introduction {
  package var conversation: Conversation
  /// Whether the other needs to prove nothing any more.
  package var isKnown: Bool

  package init(_ conversation: Conversation, isKnown: Bool) {
    (self.conversation, self.isKnown) = (conversation, isKnown)
  }
}
