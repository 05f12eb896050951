package import Syncing

/// A device that has knocked at a sealed store, and what was decided about it.
package struct StoreGuest: Hashable, Sendable {
  package enum Fate: Hashable, Sendable {
    /// The device was admitted under this name.
    case admitted(String)
    case refused(Refusal.Code)
    /// The user has to be asked.
    case waiting
  }

  /// The name that the device uses for itself.
  package let name: String
  /// The words of the device's key.
  package let words: [String]
  package let fate: Fate
}
