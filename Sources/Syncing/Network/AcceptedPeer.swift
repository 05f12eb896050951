/// A conversation with a peer that has shown its key.
package struct AcceptedPeer {
  package var conversation: Conversation
  /// Whether the peer has nothing left to prove.
  package var isKnown: Bool

  package init(_ conversation: Conversation, isKnown: Bool) {
    (self.conversation, self.isKnown) = (conversation, isKnown)
  }
}
