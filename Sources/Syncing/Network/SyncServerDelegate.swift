package import Crypto

/// Makes the decisions of a sync server, and is told what becomes of its calls.
///
/// All methods are called by the thread that runs the server, and may call the server.
package protocol SyncServerDelegate: AnyObject {
  /// The credentials for a caller, or for a destination that is dialed.
  func credentials(for destination: Int?) throws(SyncError) -> Credentials

  /// Begins a conversation with a peer, after the TLS handshake.
  func converse(_ call: Call) throws(SyncError) -> AcceptedPeer

  /// Called when something was received or sent over a call, and both sides now hold the same events.
  func settled(_ call: Call)

  /// Called when a call has ended. The error is nil if both sides held the same events.
  func ended(_ call: Call, because error: SyncError?)

  /// Called when a destination could not be reached.
  func missed(_ destination: Int, because error: SyncError)

  /// Called when no caller can be accepted for now.
  func doorFailed(_ error: SyncError)

  /// Checks whether another process has committed events.
  func checkForCommits()
}

/// The identity that one side of a connection shows, and the keys that it accepts.
package struct Credentials {
  package var identity: TLSIdentity
  package var admits: @Sendable (PublicKey) -> Bool

  package init(_ identity: TLSIdentity, admits: @escaping @Sendable (PublicKey) -> Bool) {
    (self.identity, self.admits) = (identity, admits)
  }
}

/// A conversation with a peer that has shown its key.
package struct AcceptedPeer {
  package var conversation: Conversation
  /// Whether the peer has nothing left to prove.
  package var isKnown: Bool

  package init(_ conversation: Conversation, isKnown: Bool) {
    (self.conversation, self.isKnown) = (conversation, isKnown)
  }
}
