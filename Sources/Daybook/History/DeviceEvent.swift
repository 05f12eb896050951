package import Bytes
package import Journaling

/// An event of the logs that is about no record's fields: who takes part in the book, and what is to be forgotten.
package struct DeviceEvent: Sendable {
  package enum Action: Hashable, Sendable {
    case admitted(AdmissionRoute?)
    case revoked
    case renamed
    /// The device began its log.
    case began
    /// The device left a branch of its forked log behind.
    case left
    /// A record is to be taken out of every log; it is held where this device waits for its user to accept that.
    case erased(isHeld: Bool)
  }

  package var action: Action
  /// The device it is about: what it is called by the event, or is called now if that says nothing of it.
  ///
  /// Of an erasure it is the event that added the record, `DEVICE:NUMBER`, as nothing else is left of it.
  package var name: String
  /// Words that stand for the key of that device; none of an erasure.
  package var fingerprint: [String]
  /// The log it stands in, what the device is called that wrote it, and its sequence there.
  package var replica: UniqueID
  package var author: String
  package var sequence: UInt64
  /// When it was written, by the author's clock.
  package var time: Int64
}
