/// How far a session is, in events.
package struct SyncProgress: Hashable, Sendable {
  package var sent: UInt64
  package var received: UInt64
  /// How many were to go out and to come by what both said of themselves.
  package var total: UInt64
  /// Whether the user of the other side is asked whether this side comes in.
  package var awaitsUser: Bool

  package init(sent: UInt64, received: UInt64, total: UInt64, awaitsUser: Bool = false) {
    (self.sent, self.received, self.total) = (sent, received, total)
    self.awaitsUser = awaitsUser
  }

  /// How many have gone, of those that were to go; frames may hold more.
  package var done: UInt64 { min(sent + received, total) }
}
