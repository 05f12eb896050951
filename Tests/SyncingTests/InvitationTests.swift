import Bytes
import Crypto
import Syncing
import Testing

/// The data that a device gives to another device so that they can connect.
struct InvitationTests {
  static func invitation(_ address: String = "192.168.1.7:7771") throws -> Invitation {
    Invitation(
      address: try #require(MachineAddress(address)),
      key: try PublicKey((0..<32).map { UInt8($0) }),
      secret: (0..<16).map { UInt8(200 + $0) })
  }

  static func fault(_ text: String) -> InvitationFault? {
    do throws(InvitationFault) { _ = try Invitation(parsing: text) } catch { return error }
    return nil
  }

  @Test(arguments: [
    "192.168.1.7:7771", "[fe80::1]:1", "a:0", "laptop.local:65535", "ssh://ada@desk:22/a b",
  ])
  func `Invitation: its text is read in any case and grouping`(address: String) throws {
    let invitation = try Self.invitation(address)
    let text = invitation.text
    #expect(text.hasPrefix("daybook1:"))
    #expect(try Invitation(parsing: text) == invitation)
    #expect(try Invitation(parsing: text.lowercased()) == invitation)
    let letters = Array(text.dropFirst("daybook1:".count))
    let groups = stride(from: 0, to: letters.count, by: 4).map { start in
      String(letters[start..<min(start + 4, letters.count)])
    }
    for separator in ["-", " ", "\n", " - "] {
      let grouped = " Daybook1: \(groups.joined(separator: separator))\n"
      #expect(try Invitation(parsing: grouped) == invitation)
    }
  }

  @Test func `Invitation: one mistyped letter is located`() throws {
    let text = try Self.invitation().text
    let start = "daybook1:".count
    var letters = Array(text)
    for place in start..<letters.count {
      let right = letters[place]
      letters[place] = right == "A" ? "B" : "A"
      #expect(Self.fault(String(letters)) == .mistyped(at: place - start + 1))
      letters[place] = right
    }
  }

  @Test func `Invitation: malformed text is refused with its fault and position`() throws {
    let text = try Self.invitation().text
    #expect(Self.fault("") == .noInvitation)
    #expect(Self.fault("tcp://localhost:1") == .noInvitation)
    #expect(Self.fault("daybooks:AA") == .noInvitation)
    #expect(Self.fault("daybook2:AA") == .otherVersion("daybook2"))
    #expect(Self.fault("daybook1:") == .cut(letters: 0))
    #expect(Self.fault(String(text.prefix(60))) == .cut(letters: 51))
    #expect(Self.fault("daybook1:AB0") == .letter("0", at: 3))
    #expect(Self.fault("daybook1:A-Ä") == .letter("Ä", at: 2))
    // A letter is left out, one is repeated, and two are swapped.
    var letters = Array(text)
    letters.remove(at: 40)
    #expect(Self.fault(String(letters)) == .mistyped(at: nil))
    letters = Array(text)
    letters.insert("Q", at: 40)
    #expect(Self.fault(String(letters)) == .mistyped(at: nil))
    letters = Array(text)
    letters.swapAt(20, 50)
    #expect(letters != Array(text))
    #expect(Self.fault(String(letters)) == .mistyped(at: nil))
  }

  @Test func `Invitation: its description omits the secret`() throws {
    #expect("\(try Self.invitation())" == "Invitation(192.168.1.7:7771)")
  }

  @Test func `Invitation: a proof is valid only for its secret, inviter and joiner`() throws {
    let (one, two) = (try PublicKey(.init(repeating: 1, count: 32)), try Self.invitation().key)
    let secret = try Self.invitation().secret
    let proof = Invitation.proof(secret: secret, inviter: one, joiner: two)
    #expect(Invitation.isProof(proof, secret: secret, inviter: one, joiner: two))
    #expect(!Invitation.isProof(proof, secret: secret, inviter: two, joiner: one))
    #expect(!Invitation.isProof(proof, secret: secret, inviter: one, joiner: one))
    let other = secret.map { $0 ^ 1 }
    #expect(!Invitation.isProof(proof, secret: other, inviter: one, joiner: two))
  }

  @Test func `Endpoint: an address is read with its port, and a malformed address is refused`() {
    for text in ["localhost:1", "[::1]:7771", "a.b:65535"] {
      #expect(Endpoint(text)?.text == text)
    }
    let wrong = [
      "", "localhost", ":1", "a:", "a:65536", "a:-1", "a:-0", "a:+1", "::1:7", "[]:1", "a b:1",
      "a\n:1",
      String(repeating: "a", count: 254) + ":1",
    ]
    #expect(wrong.compactMap { Endpoint($0)?.text } == [])
    #expect(Endpoint("0.0.0.0:1")?.isEverywhere == true)
    #expect(Endpoint("127.0.0.1:1")?.isLoopback == true)
  }
}
