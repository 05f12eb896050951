import Crypto

/// The proofs of both sides of a session before the hellos are exchanged.
struct Authentication: Sendable {
  /// The peer's key, if the line has proved it.
  private let peerKey: PublicKey?
  /// The proof that this side sends, if it was invited.
  let proof: Proof?
  /// Whether the peer still has to prove an invitation.
  private var lacksProof: Bool
  /// Whether the peer has sent a proof.
  private(set) var hasHeardProof = false
  /// Whether the peer has announced that its user is being asked about this side.
  private(set) var isAskedAbout = false

  init(of peerKey: PublicKey?, showing proof: Proof?, asksForProof: Bool) {
    (self.peerKey, self.proof, lacksProof) = (peerKey, proof, asksForProof)
  }

  /// Whether the peer may announce that its user is being asked.
  var maySayAsking: Bool { proof != nil && !isAskedAbout }

  mutating func hearProof() { (hasHeardProof, lacksProof) = (true, false) }

  mutating func hearAsking() { isAskedAbout = true }

  /// Checks that the peer has proved everything that it must prove before sending its hello.
  func check(_ hello: Hello) throws(SyncError) {
    // An unknown peer must not learn anything about the book.
    guard !lacksProof else { throw .unwelcome(.notInvited) }
    if let peerKey { try hello.checkSpeaker(peerKey) }
  }
}
