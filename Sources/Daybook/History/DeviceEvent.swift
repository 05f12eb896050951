package import Bytes
package import Journaling

/// An event that admits, renames or revokes a device, begins a log, abandons a log or branch, or erases a record.
package struct DeviceEvent: Sendable {
  package enum Action: Hashable, Sendable {
    case admitted(AdmissionRoute?)
    case revoked
    case renamed
    /// The device began its log.
    case began
    /// The device stopped writing a log, such as a branch of a forked log, or the log under its old key.
    case left
    /// A record was erased.
    ///
    /// The erasure is held while this device waits for its user to accept it.
    case erased(isHeld: Bool)
  }

  package var action: Action
  /// The name of the device that the event is about: the name in the event or, if there is none, its current name in
  /// lists of devices.
  ///
  /// For an erasure, this is the event that added the record, as `DEVICE:NUMBER`, because the record itself may no
  /// longer exist.
  package var name: String
  /// The words of the key of that device; empty for an erasure.
  package var fingerprint: [String]
  /// The log of the event, the name of the device that wrote it, and its sequence in the log.
  package var replica: UniqueID
  package var author: String
  package var sequence: UInt64
  /// The time at which the event was written, by the author's clock.
  package var time: Int64
}
