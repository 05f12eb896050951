import Bytes
import Crypto
import Testing

struct DeviceKeysTests {
  /// The first block is the example of RFC 8410, section 10.3; the second is Alice's key of
  /// RFC 7748, section 6.1.
  static let pem = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
    -----END PRIVATE KEY-----
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VuBCIEIHcHbQpzGKV9PBbBclGyZkXfTC+H68CZKrF3+6UduSwq
    -----END PRIVATE KEY-----

    """

  static let lines = pem.split(separator: "\n").map(String.init)

  @Test func `Device keys: a published pair is read and written back`() throws {
    let keys = try DeviceKeys(pem: Self.pem)
    #expect(
      Hex.encode(keys.signing.publicKey.bytes)
        == "19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1")
    #expect(
      Hex.encode(keys.agreement.seed)
        == "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
    #expect(keys.pem == Self.pem)
  }

  @Test(
    arguments: [
      (
        "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
        "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
      ),
      (
        "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
        "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"
      ),
    ])
  func `Agreement key: published seeds produce their public keys`(
    seed: String, publicKey: String
  ) throws {
    let key = try AgreementKey(seed: #require(Hex.decode(seed)))
    #expect(Hex.encode(key.publicKey) == publicKey)
  }

  @Test func `Device keys: they round-trip through PEM`() throws {
    let keys = try DeviceKeys(signingSeed: Array(1...32), agreementSeed: Array(101...132))
    let again = try DeviceKeys(pem: keys.pem)
    #expect(again.signing.seed == Array(1...32))
    #expect(again.agreement.seed == Array(101...132))
    #expect(again.signing.publicKey == keys.signing.publicKey)
    #expect(again.agreement.publicKey == keys.agreement.publicKey)
  }

  @Test func `Device keys: a kept pair signs like the pair made from it`() throws {
    let keys = try DeviceKeys(signingSeed: Array(1...32), agreementSeed: Array(101...132))
    let kept = try KeptKeys(pem: keys.pem)
    let message = Array("a head".utf8)
    #expect(try kept.signingKey().sign(message) == keys.signing.sign(message))
    #expect(try kept.made().pem == keys.pem)
    #expect("\(kept)" == "KeptKeys")
  }

  @Test func `Device keys: their description omits the seeds`() throws {
    let keys = try DeviceKeys(signingSeed: Array(1...32), agreementSeed: Array(101...132))
    #expect(
      "\(keys)"
        == "DeviceKeys(signing: Crypto.SigningKey, agreement: AgreementKey)")
  }

  @Test func `Device keys: blank lines and CRLF are accepted`() throws {
    let text = "\r\n" + Self.lines.joined(separator: "\r\n\r\n")
    let keys = try DeviceKeys(pem: text)
    #expect(keys.pem == Self.pem)
  }

  /// Each text has one fault.
  static let unreadable: [String] = [
    "",
    lines[0...2].joined(separator: "\n"),
    (lines[3...5] + lines[0...2]).joined(separator: "\n"),
    (lines[0...2] + lines[0...2]).joined(separator: "\n"),
    (lines + lines[3...5]).joined(separator: "\n"),
    pem.replacing("BEGIN PRIVATE", with: "BEGIN EC PRIVATE"),
    pem.replacing("END PRIVATE", with: "END PUBLIC"),
    pem.replacing("MC4CAQAw", with: "MC4CAQEw"),
    pem.replacing("1hK1bbY", with: "1hK1!bY"),
    pem.replacing("1hK1bbY", with: "1hK1bb"),
    pem.replacing("HcHbQpz", with: "HcHbQ=="),
    pem.replacing("EdVhC", with: "EdVh="),
    pem.replacing("EdVhC", with: "EdV=="),
    pem.replacing("EdVhC", with: "EdVhC "),
    pem + String(repeating: "\n", count: 2_000),
  ]

  @Test(arguments: Self.unreadable)
  func `Device keys: malformed text is refused`(text: String) {
    #expect(throws: CryptoError.unreadablePEM) { try DeviceKeys(pem: text) }
  }
}
