import Bytes
import Testing

@testable import Crypto

/// Sessions between two sides that follow the rules.
struct TLSSessionTests {
  @Test func `TLS session: both learn the peer's key and are open after its first bytes`() throws {
    let (left, right) = (try TLSPair.identity(1), try TLSPair.identity(2))
    let pair = try TLSPair(
      left, right, pin: { [key = right.publicKey] in $0 == key },
      allowedPeers: { [key = left.publicKey] in $0 == key })
    #expect(pair.client.peerKey == nil && pair.server.peerKey == nil)
    #expect(try pair.client.send([1]) == 0)
    #expect(pair.run() == (nil, nil))
    #expect(pair.client.peerKey == right.publicKey)
    #expect(pair.server.peerKey == left.publicKey)
    #expect(pair.client.phase == .unanswered)
    #expect(pair.server.phase == .unanswered)
    let (question, answer) = (Array("question".utf8), Array("answer".utf8))
    #expect(try pair.client.send(question[...]) == question.count)
    #expect(pair.run() == (nil, nil))
    #expect(pair.heardByServer == question)
    #expect(pair.client.phase == .unanswered)
    #expect(pair.server.phase == .open)
    #expect(try pair.server.send(answer[...]) == answer.count)
    #expect(pair.run() == (nil, nil))
    #expect(pair.heardByClient == answer)
    #expect(pair.client.phase == .open)
  }

  @Test func `TLS session: bytes may arrive one at a time`() throws {
    let pair = try TLSPair(TLSPair.identity(1), TLSPair.identity(2))
    pair.step = 1
    #expect(pair.run() == (nil, nil))
    let text = (0..<5_000).map { UInt8(truncatingIfNeeded: $0) }
    #expect(try pair.client.send(text[...]) == text.count)
    #expect(try pair.server.send(text[...]) == text.count)
    #expect(pair.run() == (nil, nil))
    #expect(pair.heardByServer == text)
    #expect(pair.heardByClient == text)
  }

  @Test func `TLS session: no more data is accepted than can wait to be sent`() throws {
    let pair = try TLSPair(TLSPair.identity(1), TLSPair.identity(2))
    #expect(pair.run() == (nil, nil))
    let text = [UInt8](repeating: 7, count: 1 << 20)
    var sent = 0
    var most = 0
    while sent < text.count {
      let taken = try pair.client.send(text[sent...])
      #expect(try pair.client.send(text[(sent + taken)...]) == 0 || sent + taken == text.count)
      sent += taken
      most = max(most, taken)
      #expect(pair.run() == (nil, nil))
    }
    #expect(most == TLSLimit.waitingBytes)
    #expect(pair.heardByServer == text)
  }

  @Test func `TLS session: a close notify is distinguished from a cut`() throws {
    let pair = try TLSPair(TLSPair.identity(1), TLSPair.identity(2))
    #expect(pair.run() == (nil, nil))
    _ = try pair.client.send([1, 2])
    pair.client.close()
    #expect(pair.run() == (nil, nil))
    #expect(pair.heardByServer == [1, 2])
    #expect(pair.server.phase == .ended)
    try pair.server.lineEnded()
    // The other direction is still open.
    #expect(try pair.server.send([3]) == 1)
    #expect(pair.run() == (nil, nil))
    #expect(pair.heardByClient == [3])
    #expect(throws: TLSError.cut) { try pair.client.lineEnded() }
    #expect(throws: TLSError.cut) { try pair.client.send([4]) }
  }

  @Test func `TLS identity: a key always results in the same certificate`() throws {
    let (first, again) = (try TLSPair.identity(1), try TLSPair.identity(1))
    #expect(first.certificate == again.certificate)
    #expect(try CertificateHandle.read(first.certificate).publicKey() == first.publicKey)
    #expect(Hex.encode(first.certificate) == Self.certificate)
  }

  static let certificate =
    """
    3081d2308185a003020102020101300506032b657030123110300e06035504030c07646179626f6f6b302017\
    0d3730303130313030303030305a180f39393939313233313233353935395a30123110300e06035504030c07\
    646179626f6f6b302a300506032b65700321008a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3\
    748801b40f6f5c300506032b6570034100ef8c31a7f58edc86c6a193e35e7113ed3a77d4793da4078d74fc7e\
    27aecedfe2df5e4d524e6eaf208b4a372bad7af300448d97e82ab35e6e974aa4d4b99d0b0f
    """

  /// Whether a value, or any part of it, equals the given bytes.
  private func holds(_ bytes: [UInt8], in value: Any) -> Bool {
    (value as? [UInt8]) == bytes
      || Mirror(reflecting: value).children.contains { holds(bytes, in: $0.value) }
  }

  @Test func `TLS identity: it contains no copy of the private key`() throws {
    let seed = [UInt8](repeating: 1, count: 32)
    let key = try SigningKey(seed: seed)
    #expect(holds(seed, in: key))
    let identity = try TLSIdentity(key)
    #expect(!holds(seed, in: identity))
    #expect(holds(key.publicKey.bytes, in: identity))
    #expect("\(identity)" == "TLSIdentity")
  }

  @Test func `TLS session: no tickets are issued and no resumption is offered`() throws {
    // A server that issues tickets sends them after the handshake.
    var generous = TLSSettings()
    generous.tickets = 2
    let lavish = try TLSPair(TLSPair.identity(1), TLSPair.identity(2, generous))
    #expect(lavish.run() == (nil, nil))
    let pair = try TLSPair(TLSPair.identity(1), TLSPair.identity(2))
    #expect(pair.run() == (nil, nil))
    #expect(lavish.toClient.count > pair.toClient.count + 200)
    // The client's hello contains neither a session to resume nor early data.
    let hello = try #require(ClientHello(pair.toServer))
    #expect(hello.extensions.map(\.type).sorted() == Self.extensions)
  }

  /// Groups, point formats, signatures, ALPN, two extensions for older versions only, versions, key exchange modes, key
  /// share.
  ///
  /// There is no ticket (35), no session (41) and no early data (42).
  static let extensions: [UInt16] = [10, 11, 13, 16, 22, 23, 43, 45, 51]
}
