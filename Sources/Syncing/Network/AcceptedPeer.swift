/// A conversation with a peer that has proved its key.
package struct AcceptedPeer {
  package var conversation: Conversation
  /// Whether the peer has proved that it may take part.
  package var isKnown: Bool

  package init(_ conversation: Conversation, isKnown: Bool) {
    (self.conversation, self.isKnown) = (conversation, isKnown)
  }
}
