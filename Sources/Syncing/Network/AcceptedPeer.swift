package import Crypto

/// A conversation with a peer that has authenticated.
package struct AcceptedPeer {
  package var conversation: Conversation
  /// Whether the peer has proved that it may take part.
  package var isKnown: Bool
  /// The key whose memory quota the call uses; nil for the peer's own key.
  package var payer: PublicKey?

  package init(_ conversation: Conversation, isKnown: Bool, payer: PublicKey? = nil) {
    (self.conversation, self.isKnown, self.payer) = (conversation, isKnown, payer)
  }
}
