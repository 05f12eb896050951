/// Whom a listener lets in.
package struct Gate {
  /// Whether a caller has to prove that it was invited.
  package var asksForProof: Bool
  /// Lets one in who proves it, or says why not; called before the first frame.
  package var welcome: (Proof) throws(SyncError) -> Void

  package init(asksForProof: Bool, welcome: @escaping (Proof) throws(SyncError) -> Void) {
    (self.asksForProof, self.welcome) = (asksForProof, welcome)
  }

  /// Lets everyone in, and has invited nobody.
  package static var open: Gate {
    Gate(asksForProof: false) { _ throws(SyncError) in throw .unwelcome(.wrongProof) }
  }
}
