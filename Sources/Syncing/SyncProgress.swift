/// How far a session is, in events.
package struct SyncProgress: Hashable, Sendable {
  package var sent: UInt64
  package var received: UInt64
  /// How many were to go out and to come by what both said of themselves.
  package var total: UInt64

  package init(sent: UInt64, received: UInt64, total: UInt64) {
    (self.sent, self.received, self.total) = (sent, received, total)
  }

  /// How many have gone, of those that were to go; frames may hold more.
  package var done: UInt64 { min(sent + received, total) }
}
