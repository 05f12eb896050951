import Bytes
import Crypto
import Journaling
import Testing

@Suite struct TrustVerbTests {
  private static let id = UniqueID(high: 0x0102_0304_0506_0708, low: 0x090a_0b0c_0d0e_0f10)

  private static func verbs() throws -> [TrustVerb] {
    let key = try PublicKey([UInt8](repeating: 0xaa, count: 32))
    let landmark = Landmark(log: id, sequence: 300, hash: UniqueID(high: 1, low: 2))
    return [
      .open(
        Opening(
          publicKey: key, agreement: [UInt8](repeating: 0x3b, count: 32), incarnation: id,
          name: "Müller's phone")),
      .admit(key, name: "phone"), .admit(key, name: "phone", naming: 3),
      .revoke(key, kept: []), .revoke(key, kept: [landmark, landmark]),
      .retire(landmark), .erase(Reference(sequence: 9)),
      .erase(Reference(sequence: 9), add: landmark.hash),
      .erase(Reference(index: 2, sequence: 1_000)),
    ]
  }

  @Test func `Trust verb: every verb round-trips`() throws {
    for verb in try Self.verbs() {
      #expect(try TrustVerb.decode(verb.encode().span) == verb)
    }
  }

  @Test func `Trust verb: the encoding matches the protocol`() throws {
    #expect(try Self.verbs().last?.encode() == [0x82, 12, 0x82, 2, 0x19, 0x03, 0xe8])
    #expect(try Self.verbs()[6].encode() == [0x82, 12, 9])
    let hash: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2]
    #expect(try Self.verbs()[7].encode() == [0x83, 12, 9, 0x50] + hash)
    #expect(
      try Self.verbs()[5].encode() == [0x84, 11, 0x50] + Self.id.bytes + [0x19, 1, 44, 0x50] + hash)
  }

  @Test func `Trust verb: a naming number follows the name, and zero is omitted`() throws {
    let verbs = try Self.verbs()
    let name: [UInt8] = [0x65] + Array("phone".utf8)
    #expect(Array(verbs[1].encode().prefix(2)) == [0x83, 9])
    #expect(Array(verbs[1].encode().suffix(6)) == name)
    #expect(Array(verbs[2].encode().prefix(2)) == [0x84, 9])
    #expect(Array(verbs[2].encode().suffix(7)) == name + [3])
  }

  @Test func `Trust verb: a truncated body is refused`() throws {
    for verb in try Self.verbs() {
      let body = verb.encode()
      for count in 0..<body.count {
        let cut = Array(body[..<count])
        #expect(throws: CBORError.self) { try TrustVerb.decode(cut.span) }
      }
    }
  }

  @Test func `Trust verb: unknown verbs are ignored, and additional items are skipped`() throws {
    let foreign: [[UInt8]] = [[0x82, 2, 7], [0x82, 13, 7], [0xa0], [0x80]]
    for body in foreign {
      let verb = try TrustVerb.decode(body.span)
      #expect(verb == nil)
    }
    for more: [UInt8] in [[0xf6], [0x41, 7]] {
      let extended = [0x83, 12, 9] + more
      #expect(try TrustVerb.decode(extended.span) == .erase(Reference(sequence: 9)))
    }
  }

  @Test func `Run marker: an encoded marker decodes to the same marker`() throws {
    let source = SHA256.digest(of: [1])
    for marker in [
      RunMarker(.begin, source: source, count: 0), RunMarker(.end, source: source, count: 70_000),
    ] {
      #expect(try RunMarker.decode(marker.encode().span) == marker)
    }
    #expect(
      RunMarker(.end, source: source, count: 5).encode()
        == [0x83, 17, 0x58, 32] + source.bytes + [5])
  }

  @Test func `Fingerprint: a digest is shown as six pronounceable words`() throws {
    let zeros = Digest([UInt8](repeating: 0, count: 32))
    #expect(Words.pronounceable(zeros) == [String](repeating: "babab", count: 6))
    let localhost = Digest([0x7f, 0, 0, 1] + [UInt8](repeating: 0xff, count: 28))
    #expect(
      Words.pronounceable(localhost) == ["lusab", "babad", "zuzuz", "zuzuz", "zuzuz", "zuzuz"])
    #expect(try PublicKey([UInt8](repeating: 1, count: 32)).fingerprint.count == 6)
  }

  @Test func `Replica id: it is derived from key and incarnation`() throws {
    let key = try PublicKey([UInt8](repeating: 0xaa, count: 32))
    let bytes = Array("daybook replica v1".utf8) + key.bytes + Self.id.bytes
    #expect(
      UniqueID.replica(publicKey: key, incarnation: Self.id)
        == SHA256.digest(of: bytes).prefix16)
  }
}
