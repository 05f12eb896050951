import Crypto
import Journaling

/// What revoking a device would end, for the user to check.
package struct RevocationPlan: Sendable {
  /// The device that was named.
  package var device: Device
  /// Its former keys, which are revoked with it.
  package var formerKeys: [Device]
  /// The devices that are in the book only through it, which are revoked with it.
  package var dependents: [Device]
  /// The devices in the book only through it that stay, because the user asked for that.
  package var kept: [Device]
  /// Whether nothing that was written with these keys counts any more, including what was folded before.
  package var isWhole = false
  /// The device that has replaced the named one, and stays.
  package var successor: Device?

  /// All devices to revoke, the named one first.
  package var revoked: [Device] { [device] + formerKeys + dependents }
}

/// The result of revoking a device.
package struct Revocation: Sendable {
  /// A revoked device, as it was before, and the number of its events that stay folded.
  package struct Ended: Sendable {
    package var device: Device
    package var kept: UInt64
  }

  /// The named device, and those that were revoked with it.
  package var ended: [Ended]
  /// The number of records with a held erasure by these devices.
  ///
  /// The erasures are refused, so the records stay.
  package var refused: Int
  /// Whether a device is left that can admit and revoke others.
  package var hasTrustedDevice: Bool

  /// The device that was named.
  package var device: Device { ended[0].device }
  /// The number of its events that stay folded.
  package var kept: UInt64 { ended[0].kept }
}
