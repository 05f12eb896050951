import Crypto
package import Domain
import Journaling

/// The effects of revoking a device, for the user to check.
package struct RevocationPlan: Sendable {
  /// The device that was named.
  package var device: Device
  /// The former keys of the device, which are revoked with it.
  package var formerKeys: [Device]
  /// The devices that take part only through the named device, which are revoked with it.
  package var dependents: [Device]
  /// The devices that take part only through the named device and that the user chose to keep.
  package var kept: [Device]
  /// Whether all events under these keys stop counting, including those that were folded before.
  package var isWhole = false
  /// The device that has replaced the named device and is kept.
  package var successor: Device?

  /// All devices to revoke, the named device first.
  package var revoked: [Device] { [device] + formerKeys + dependents }
}

/// The result of revoking a device.
package struct Revocation: Sendable {
  /// A revoked device in its state before the revocation, and the number of its events that stay folded.
  package struct Ended: Sendable {
    package var device: Device
    package var kept: UInt64
  }

  /// The named device, and the devices that were revoked with it.
  package var ended: [Ended]
  /// The number of records with a held erasure by these devices.
  ///
  /// These erasures are refused, so the records are kept.
  package var refused: Int
  /// Whether any remaining device can admit and revoke others.
  package var hasTrustedDevice: Bool

  /// The device that was named.
  package var device: Device { ended[0].device }
  /// The number of the named device's events that stay folded.
  package var kept: UInt64 { ended[0].kept }
}

/// A record that a device deleted and that is still deleted.
package struct RevokedDeletion: Sendable {
  package var document: Document
  /// The time of the last deletion by the device, by its own clock.
  package var time: Int64
}
