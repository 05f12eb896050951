import Bytes
import Crypto
import Testing

struct SharedSecretTests {
  private static func key(_ seed: String) throws -> AgreementKey {
    try AgreementKey(seed: #require(Hex.decode(seed)))
  }

  /// From RFC 7748, section 6.1.
  @Test func `Agreement key: both published keys lead to the published secret`() throws {
    let alice = try Self.key("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
    let bob = try Self.key("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    let secret = try alice.sharedSecret(with: bob.publicKey)
    let expected = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
    #expect(Hex.encode(secret) == expected)
    #expect(try bob.sharedSecret(with: alice.publicKey) == secret)
  }

  @Test func `Agreement key: keys with which nothing is secret are refused`() throws {
    let key = try AgreementKey(seed: [UInt8](repeating: 2, count: 32))
    #expect(throws: CryptoError.keyLength(31)) {
      try key.sharedSecret(with: [UInt8](repeating: 9, count: 31))
    }
    #expect(throws: CryptoError.keyOfSmallOrder) {
      try key.sharedSecret(with: [UInt8](repeating: 0, count: 32))
    }
    #expect(throws: CryptoError.keyEncoding) {
      try key.sharedSecret(with: [UInt8](repeating: 0xff, count: 32))
    }
  }
}
