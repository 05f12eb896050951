import Crypto
import Syncing
import Testing

struct InvitationVectorTests {
  @Test func `Invitation: text and proof match the vector`() throws {
    let vector = try ProtocolText.vector("invitation")
    let invitation = Invitation(
      endpoint: try #require(Endpoint(vector.text("address"))),
      key: try PublicKey(vector.bytes("key")), secret: try vector.bytes("secret"))
    let text = try vector.text("invitation")
    #expect(invitation.text == text)
    #expect(try Invitation(parsing: text) == invitation)
    let code = Invitation.proof(
      secret: invitation.secret, inviter: invitation.key,
      joiner: try PublicKey(vector.bytes("joiner")))
    #expect(code == (try vector.digest("code")))
  }

  @Test func `Invitation: each invalid vector is refused with its error`() throws {
    let vector = try ProtocolText.vector("bad invitations")
    #expect(vector.pairs.count == 8)
    for (text, meaning) in vector.pairs {
      do throws(InvitationFault) {
        Issue.record("\(try Invitation(parsing: text)) is taken")
      } catch {
        #expect("\(error)" == meaning, "\(text)")
      }
    }
  }
}
