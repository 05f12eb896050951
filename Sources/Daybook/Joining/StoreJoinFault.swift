package import Platform

/// The reason why a device cannot invite or join through a sealed store.
package enum StoreJoinFault: Hashable, Sendable {
  /// The peer with this name is not a sealed store.
  case notAStore(String)
  /// The store of the invitation is not in this place.
  case noStore(Path)
  /// This device has knocked at the store in this place, and waits for the inviter's answer.
  case waiting(Path)
  /// Another device has used the invitation, or waits to be admitted by it.
  case used
  /// The inviter refuses this device, with the code of a refusal.
  case refused(UInt64)
  /// The inviter gave no answer before the invitation expired.
  case unanswered
}
