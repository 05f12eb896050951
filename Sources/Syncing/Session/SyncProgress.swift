/// The progress of a session, in events.
package struct SyncProgress: Hashable, Sendable {
  package var sent: UInt64
  package var received: UInt64
  /// The number of events to send and to receive, according to both hellos.
  package var total: UInt64
  /// Whether the user of the other side is being asked about this device.
  package var awaitsUser: Bool

  package init(sent: UInt64, received: UInt64, total: UInt64, awaitsUser: Bool = false) {
    (self.sent, self.received, self.total) = (sent, received, total)
    self.awaitsUser = awaitsUser
  }

  /// The number of events transferred so far, which is at most the total.
  ///
  /// Without this limit, the number could be higher, because frames can contain events that the receiver already had.
  package var done: UInt64 { min(sent + received, total) }
}
