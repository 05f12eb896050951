package import Platform

/// The invitations through sealed stores that are open, and the join of this device that waits for an answer.
package struct OpenJoins: Hashable, Sendable {
  /// An invitation that a device can still use.
  package struct Invited: Hashable, Sendable {
    /// The name of the peer; the id of the store if the peer was forgotten.
    package var peer: String
    /// The time at which the invitation ends, in milliseconds by the clock of this machine.
    package var end: Int64
  }

  package var invited: [Invited]
  /// The place of the store at which this device has knocked; nil if it has not.
  package var knockedAt: Path?
}
