import Bytes
import Testing

@testable import Crypto

/// Peers that violate the rules: each is rejected before it can send application bytes.
struct TLSRefusalTests {
  /// Runs a handshake that must not connect either side, and returns the error of each.
  private func outcome(
    client: TLSSettings = .daybook, server: TLSSettings = .daybook, step: Int = .max,
    pin: @escaping @Sendable (PublicKey) -> Bool = { _ in true },
    allowedPeers: @escaping @Sendable (PublicKey) -> Bool = { _ in true }
  ) throws -> (client: TLSError?, server: TLSError?) {
    let pair = try TLSPair(
      TLSPair.identity(1, client), TLSPair.identity(2, server), pin: pin, allowedPeers: allowedPeers
    )
    pair.step = step
    let faults = pair.run()
    #expect(pair.client.phase != .open && pair.server.phase != .open)
    #expect(pair.heardByClient.isEmpty && pair.heardByServer.isEmpty)
    #expect(pair.server.peerKey == nil)
    return faults
  }

  static let left = try? TLSPair.identity(1).publicKey
  static let right = try? TLSPair.identity(2).publicKey

  @Test func `TLS refusal: a server rejects an unknown key with an alert`() throws {
    let left = try #require(Self.left)
    let asked = TLSError.unknownKey(left)
    for step in [1, .max] {
      #expect(try outcome(step: step, allowedPeers: { _ in false }) == (.refused(alert: 48), asked))
    }
  }

  @Test func `TLS refusal: a client rejects a key other than the pinned one`() throws {
    let (left, right) = (try #require(Self.left), try #require(Self.right))
    #expect(
      try outcome(pin: { $0 == left }) == (.unknownKey(right), .refused(alert: 48)))
  }

  @Test func `TLS refusal: a side without a certificate is rejected`() throws {
    var stranger = TLSSettings()
    stranger.showsCertificate = false
    #expect(try outcome(client: stranger) == (.refused(alert: 116), .noCertificate))
    // A server without a certificate has no version to offer, and reports this.
    #expect(try outcome(server: stranger) == (.refused(alert: 70), .otherVersion))
  }

  @Test func `TLS refusal: a side with two certificates is rejected`() throws {
    var stranger = TLSSettings()
    stranger.furtherCertificates = [try TLSPair.identity(3).certificate]
    #expect(try outcome(client: stranger) == (.refused(alert: 42), .severalCertificates(2)))
    #expect(try outcome(server: stranger) == (.severalCertificates(2), .refused(alert: 42)))
  }

  @Test func `TLS refusal: a client with a different protocol is rejected`() throws {
    for name in ["daybook/2", "daybook/", "daybook/10", "h2", ""] {
      var stranger = TLSSettings()
      stranger.protocolName = Array(name.utf8)
      #expect(try outcome(client: stranger) == (.refused(alert: 120), .otherProtocol), "\(name)")
    }
  }

  @Test func `TLS refusal: a server that confirms no protocol is rejected`() throws {
    var stranger = TLSSettings()
    stranger.answersProtocol = false
    #expect(try outcome(server: stranger) == (.otherProtocol, .refused(alert: 40)))
  }

  @Test func `TLS refusal: a hello without a protocol gets an alert immediately`() throws {
    let pair = try TLSPair(TLSPair.identity(1), TLSPair.identity(2))
    var hello = try #require(ClientHello(pair.client.outgoing()))
    hello.extensions.removeAll { $0.type == 16 }
    var heard: [UInt8] = []
    #expect(TLSPair.give(hello.wire, &pair.server, &heard) == .otherProtocol)
    // One record with a fatal alert: no application protocol.
    #expect(pair.server.outgoing() == [21, 3, 3, 0, 2, 2, 120])
  }

  @Test func `TLS refusal: a side without TLS 1.3 is rejected`() throws {
    var stranger = TLSSettings()
    (stranger.lowestVersion, stranger.highestVersion) = (0x0303, 0x0303)
    #expect(try outcome(client: stranger) == (.refused(alert: 70), .otherVersion))
    #expect(try outcome(server: stranger).server == .otherVersion)
  }

  @Test(arguments: Self.otherKinds)
  func `TLS refusal: a certificate with a different kind of key is rejected`(
    name: String, der: String
  ) throws {
    let certificate = try CertificateHandle.read(#require(Hex.decode(der)))
    #expect(throws: TLSError.otherKeyKind, "\(name)") { try certificate.publicKey() }
  }
}
