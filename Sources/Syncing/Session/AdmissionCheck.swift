/// Decides which callers a listener accepts.
package struct AdmissionCheck {
  /// The decision about a caller that has proved its invitation.
  package enum Answer: Hashable, Sendable {
    case welcome
    /// The user is being asked. ``Conversation/answer(refusing:)`` continues with the answer.
    case asking
  }

  /// Whether a caller must prove an invitation.
  package var asksForProof: Bool
  /// Decides about a caller that has sent a proof: accepts it, asks the user, or throws the reason for a refusal.
  ///
  /// This method is called before the first frame.
  package var welcome: (Proof) throws(SyncError) -> Answer

  package init(asksForProof: Bool, welcome: @escaping (Proof) throws(SyncError) -> Answer) {
    (self.asksForProof, self.welcome) = (asksForProof, welcome)
  }

  /// Accepts every caller that sends no proof.
  ///
  /// Since no invitation is open, a caller with a proof is refused.
  package static var open: AdmissionCheck {
    AdmissionCheck(asksForProof: false) { _ throws(SyncError) in throw .unwelcome(.wrongProof) }
  }
}
