import Bytes
import Crypto
import Sealing
import Testing

/// The vector of RFC 9180, appendix A.2.1.
struct HPKETests {
  private static func bytes(_ hex: String) throws -> [UInt8] { try #require(Hex.decode(hex)) }

  private static func recipient() throws -> AgreementKey {
    try AgreementKey(
      seed: bytes("8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb"))
  }

  private static let info = Array("Ode on a Grecian Urn".utf8)
  private static let data = Array("Count-0".utf8)
  private static let message = Array("Beauty is truth, truth beauty".utf8)

  private static func sealed() throws -> HPKE.Sealed {
    let ephemeral = try AgreementKey(
      seed: bytes("f4ec9b33b792c372c1d2c2063507b684ef925b8c75a42dbcbf57d63ccd381600"))
    return try HPKE.seal(
      message, to: recipient().publicKey, ephemeral: ephemeral, info: info, authenticating: data)
  }

  @Test func `HPKE: the published message has its key and ciphertext`() throws {
    let sealed = try Self.sealed()
    let encapsulated = "1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a"
    let ciphertext =
      "1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db21993c62ce81883d2dd1b51a28"
    #expect(Hex.encode(sealed.encapsulated) == encapsulated)
    #expect(Hex.encode(sealed.ciphertext) == ciphertext)
    let opened = try HPKE.open(
      sealed, with: Self.recipient(), info: Self.info, authenticating: Self.data)
    #expect(opened == Self.message)
  }

  @Test func `HPKE: another recipient, purpose or data opens nothing`() throws {
    let sealed = try Self.sealed()
    let recipient = try Self.recipient()
    let other = try AgreementKey(seed: [UInt8](repeating: 3, count: 32))
    let attempts = [
      try HPKE.open(sealed, with: other, info: Self.info, authenticating: Self.data),
      try HPKE.open(sealed, with: recipient, info: [], authenticating: Self.data),
      try HPKE.open(sealed, with: recipient, info: Self.info, authenticating: []),
    ]
    #expect(attempts == [nil, nil, nil])
  }

  @Test func `HPKE: every flipped bit is refused`() throws {
    let sealed = try Self.sealed()
    let recipient = try Self.recipient()
    for bit in 0..<sealed.ciphertext.count * 8 {
      var other = sealed
      other.ciphertext[bit / 8] ^= 1 << (bit % 8)
      let opened = try HPKE.open(
        other, with: recipient, info: Self.info, authenticating: Self.data)
      #expect(opened == nil, "bit \(bit) of the ciphertext")
    }
    for bit in 0..<256 {
      var other = sealed
      other.encapsulated[bit / 8] ^= 1 << (bit % 8)
      let opened = try? HPKE.open(
        other, with: recipient, info: Self.info, authenticating: Self.data)
      #expect(opened == nil, "bit \(bit) of the key")
    }
  }
}
