import Crypto
import Syncing
import Testing

struct InvitationVectorTests {
  @Test func `Invitation: text and proof match the vector`() throws {
    let vector = try ProtocolText.vector("invitation")
    let invitation = try expectText(of: vector)
    let proof = Invitation.proof(
      secret: invitation.secret, inviter: invitation.key,
      joiner: try PublicKey(vector.bytes("joiner")))
    #expect(proof == (try vector.digest("proof")))
  }

  @Test func `Invitation: text with an ssh address matches the vector`() throws {
    _ = try expectText(of: ProtocolText.vector("invitation with an ssh address"))
  }

  /// Checks that the invitation of a vector is written and read as its text, and returns it.
  private func expectText(of vector: TestVector) throws -> Invitation {
    let invitation = Invitation(
      address: try #require(MachineAddress(vector.text("address"))),
      key: try PublicKey(vector.bytes("key")), secret: try vector.bytes("secret"))
    let text = try vector.text("invitation")
    #expect(invitation.text == text)
    #expect(try Invitation(parsing: text) == invitation)
    return invitation
  }

  @Test func `Invitation: each invalid vector is refused with its error`() throws {
    let vector = try ProtocolText.vector("bad invitations")
    #expect(vector.pairs.count == 8 * 2)
    for number in 1...8 {
      let text = try vector.text("text \(number)")
      let error = try vector.text("error \(number)")
      do throws(InvitationFault) {
        Issue.record("\(try Invitation(parsing: text)) is taken")
      } catch let fault {
        #expect(Self.spelling(of: fault) == error, "\(text)")
      }
    }
  }

  /// An error as the document spells it, without Swift's words for optional values.
  private static func spelling(of error: InvitationFault) -> String {
    guard case .mistyped(let place) = error else { return "\(error)" }
    return "mistyped(at: \(place.map(String.init) ?? "none"))"
  }
}
