/// Whom a listener lets in.
package struct AdmissionCheck {
  /// What becomes of a caller that has proved that it was invited.
  package enum Answer: Hashable, Sendable {
    case welcome
    /// A user is asked; ``Conversation/answer(refusing:)`` goes on with what the user says.
    case asking
  }

  /// Whether a caller has to prove that it was invited.
  package var asksForProof: Bool
  /// Lets one in who proves it, has a user asked, or says why not; called before the first frame.
  package var welcome: (Proof) throws(SyncError) -> Answer

  package init(asksForProof: Bool, welcome: @escaping (Proof) throws(SyncError) -> Answer) {
    (self.asksForProof, self.welcome) = (asksForProof, welcome)
  }

  /// Lets everyone in, and has invited nobody.
  package static var open: AdmissionCheck {
    AdmissionCheck(asksForProof: false) { _ throws(SyncError) in throw .unwelcome(.wrongProof) }
  }
}
