import Crypto
import Journaling

/// What revoking a device would end, for its user to look at.
package struct RevocationPlan: Sendable {
  /// The device that was named.
  package var device: Device
  /// What else of it goes: the keys that it had before.
  package var formerKeys: [Device]
  /// The devices that are in the book through it alone, which go with it.
  package var dependents: [Device]
  /// The devices in the book through it alone that stay, since that was asked for.
  package var kept: [Device]
  /// Whether nothing that was written under these keys is to count, not even what was folded before.
  package var isWhole = false
  /// The device that has taken the place of the one named, and stays.
  package var successor: Device?

  /// All that is to be revoked, the named device first.
  package var revoked: [Device] { [device] + formerKeys + dependents }
}

/// What revoking a device came to.
package struct Revocation: Sendable {
  /// A device that was revoked, as it was before, and the events of all its logs that stay folded.
  package struct Ended: Sendable {
    package var device: Device
    package var kept: UInt64
  }

  /// The device that was named, and those that went with it.
  package var ended: [Ended]
  /// How many records they had erased by what was held here: those stay.
  package var refused: Int
  /// Whether any device is left that can admit and revoke others.
  package var hasTrustedDevice: Bool

  /// The device that was named.
  package var device: Device { ended[0].device }
  /// The events of it that stay folded.
  package var kept: UInt64 { ended[0].kept }
}
