package import Bytes
package import Crypto

/// One `retire` event, by which a key claims to be the successor of another key of the same device.
package struct KeyRetirement: Hashable, Sendable {
  /// The old key, and the key that claims to be its successor.
  package var old: PublicKey
  package var new: PublicKey
  /// The log under the old key, and the last event in it that the device claims to have written.
  package var left: UniqueID
  package var last: UInt64
}

/// One `admit` event, by which a device of the book admits a key.
package struct KeyAdmission: Hashable, Sendable {
  /// The place of the event.
  package var place: Landmark
  /// The admitted key, and the name of its device.
  package var key: PublicKey
  package var name: String
  /// The number of earlier names of the key that the author had seen; a rename has at least 1.
  package var naming: UInt64
  /// The route by which the device was admitted, if the event states it.
  package var route: AdmissionRoute?

  package var log: UniqueID { place.log }
  package var sequence: UInt64 { place.sequence }
}
