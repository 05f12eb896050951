package import Bytes
package import Crypto

/// One `retire` event by which a key claims to follow another one of the same device.
package struct KeyRetirement: Hashable, Sendable {
  /// The key that was left, and the one that claims to follow it.
  package var old: PublicKey
  package var new: PublicKey
  /// The log under the old key, and the last event there that the device says it wrote itself.
  package var left: UniqueID
  package var last: UInt64
}

/// One `admit` event: a device of the book lets a key take part.
package struct KeyAdmission: Hashable, Sendable {
  /// The log that holds the event, and its sequence there.
  package var log: UniqueID
  package var sequence: UInt64
  /// The key that is let in, and what its device is called.
  package var key: PublicKey
  package var name: String
  /// How often the key had been named before, as far as the author knew; a rename is 1 or more.
  package var naming: UInt64
  /// How the device came to be let in, where the event says so.
  package var route: AdmissionRoute?
}
