package import Bytes

/// The reason why a device cannot make a store key.
package enum StoreKeyObstacle: Hashable, Sendable {
  /// The device is not admitted, according to the events that it holds.
  case notAdmitted
  case revoked
  /// More keys are revoked than the origin of a key can list; the value is the number of revoked keys.
  case tooManyRevoked(Int)
}

/// A store key of this device, and whether this device seals with it.
package struct ListedStoreKey: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    /// This device seals with the key.
    case used
    /// This device could seal with the key, but another key was made later.
    case fit
    /// This device only opens objects with the key.
    case old(Reason)
  }

  /// The reason why a device does not seal with a key.
  package enum Reason: Hashable, Sendable {
    /// The device that made the key was revoked.
    case makerRevoked
    /// The device that made the key is not admitted, according to the events that this device holds.
    case makerUnknown
    /// A device was revoked, and the maker had not seen the revocation, so the revoked device may have the key.
    case laterRevocation
  }

  /// The id of the key, from which the key cannot be computed.
  package var id: UniqueID
  /// The time at which the key was made, in milliseconds since 1970, by the clock of the device that made it.
  package var made: Int64
  /// The name of the device that made the key; nil if it is unknown.
  package var makerName: String?
  /// The words of that device's own key.
  package var makerWords: [String]
  package var state: State
}
