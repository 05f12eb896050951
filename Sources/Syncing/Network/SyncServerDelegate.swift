/// Makes a sync server's decisions, and is notified of the results of its calls.
///
/// All methods are called on the server's thread, and may call the server.
package protocol SyncServerDelegate: AnyObject {
  /// Returns the credentials for a caller, or for a destination that is dialed.
  func credentials(for destination: Int?) throws(SyncError) -> Credentials

  /// Begins a conversation with a peer after the TLS handshake.
  func converse(_ call: Call) throws(SyncError) -> AcceptedPeer

  /// Called when data was sent or received over a call and both sides now hold the same events.
  func settled(_ call: Call)

  /// Called when a call has ended. The error is nil if both sides hold the same events.
  func ended(_ call: Call, because error: SyncError?)

  /// Called when a destination could not be reached.
  func missed(_ destination: Int, because error: SyncError)

  /// Called when callers cannot be accepted at the moment.
  func doorFailed(_ error: SyncError)

  /// Checks whether another process has committed events.
  func checkForCommits()
}
