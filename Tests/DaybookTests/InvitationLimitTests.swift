import Bytes
import Crypto
import Journaling
import Syncing
import Testing

@testable import Daybook

/// The number of invitations that are open at once.
struct InvitationLimitTests {
  private let inviter: PublicKey
  private let joiner: PublicKey

  init() throws {
    func key(_ seed: UInt8) throws -> PublicKey {
      try DeviceKeys(
        signingSeed: Array(repeating: seed, count: 32),
        agreementSeed: Array(repeating: seed &+ 1, count: 32)
      ).signing.publicKey
    }
    (inviter, joiner) = (try key(1), try key(3))
  }

  private static func secret(_ number: Int) -> [UInt8] {
    Array(repeating: UInt8(number), count: 16)
  }

  /// The answer to a device that shows the secret with a number.
  private func answer(_ number: Int, by invitations: Invitations) -> Refusal.Code? {
    let secret = Self.secret(number)
    let proof = Proof(
      code: Invitation.proof(secret: secret, inviter: inviter, joiner: joiner), name: "two",
      port: nil, secretName: Invitation.name(of: secret))
    return invitations.refusal(of: proof, of: joiner, inviter: inviter, at: 0)
  }

  @Test func `Invitation: 16 can be open at once, and another one ends the oldest`() {
    var invitations = Invitations()
    for number in 1...16 { invitations.open(Self.secret(number), at: 0) }
    for number in 1...16 { #expect(answer(number, by: invitations) == nil) }
    invitations.open(Self.secret(17), at: 0)
    #expect(answer(1, by: invitations) == .wrongProof)
    for number in 2...17 { #expect(answer(number, by: invitations) == nil) }
  }

  @Test func `Invitation: used invitations end no open one, and stay known as used`() {
    var invitations = Invitations()
    invitations.open(Self.secret(1), at: 0)
    for number in 2...20 {
      let secret = Self.secret(number)
      invitations.open(secret, at: 0)
      let proof = Proof(
        code: Invitation.proof(secret: secret, inviter: inviter, joiner: joiner), name: "two",
        port: nil)
      #expect(invitations.take(proof, of: joiner, inviter: inviter, at: 0) == nil)
      invitations.finish(joiner)
    }
    #expect(answer(1, by: invitations) == nil)
    for number in 2...20 { #expect(answer(number, by: invitations) == .usedInvitation) }
  }
}
