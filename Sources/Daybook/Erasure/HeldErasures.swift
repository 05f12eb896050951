package import Bytes
package import Domain

/// The held erasures of one device.
package struct HeldErasures: Hashable, Sendable {
  /// The device's name without a word of its key or, if the device is not listed, the replica's id in hexadecimal.
  package var device: String
  /// The lowest id of the replicas that wrote the erasures.
  package var replica: UniqueID
  /// The words of the device's key; empty if the device is not listed.
  package var fingerprint: [String]
  /// The number of records that the erasures would remove.
  package var records: Int
}

/// A record that a held erasure would remove.
package struct HeldRecord: Hashable, Sendable {
  /// The id of the record; nil until it is known.
  package var id: UniqueID?
  /// The kind of the record; nil if the record is not shown here.
  package var kind: Kind?
  package var title: String?
  /// The listed name of the device that erased the record, or the id of that device's log in hexadecimal.
  package var device: String
  /// The time of the erasure, by the clock of that device; nil if the event is lost.
  package var time: Int64?
}
