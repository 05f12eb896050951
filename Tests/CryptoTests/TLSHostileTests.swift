import Testing

@testable import Crypto

/// Bytes that no honest side sends, and lines that end after any byte.
struct TLSHostileTests {
  private func server() throws -> TLSSession {
    try TLSSession.begin(.server, as: TLSPair.identity(2)) { _ in true }
  }

  private func client() throws -> TLSSession {
    try TLSSession.begin(.client, as: TLSPair.identity(1)) { _ in true }
  }

  private func answer(to bytes: [UInt8], _ step: Int = .max) throws -> TLSError? {
    var session = try server()
    var heard: [UInt8] = []
    let fault = TLSPair.give(bytes, step, &session, &heard)
    #expect(heard.isEmpty && session.peerKey == nil)
    return fault
  }

  @Test func `TLS input: another protocol is rejected at its first byte`() throws {
    let hello = [0, 0, 0, 0x29, 0x87] + [UInt8](repeating: 0, count: 36)
    #expect(try answer(to: hello) == .notTLS)
    #expect(try answer(to: Array("GET / HTTP/1.1\r\n\r\n".utf8)) == .notTLS)
    #expect(try answer(to: [0]) == .notTLS)
    var session = try client()
    var heard: [UInt8] = []
    #expect(TLSPair.give(hello, &session, &heard) == .notTLS)
    // The server does not answer.
    #expect(session.outgoing().count > 100)
  }

  @Test func `TLS input: a hello with any byte changed completes no handshake`() throws {
    var honest = try client()
    let hello = honest.outgoing()
    var faults: Set<TLSError?> = []
    for place in hello.indices {
      var wrong = hello
      wrong[place] ^= 0x55
      var session = try server()
      var heard: [UInt8] = []
      faults.insert(TLSPair.give(wrong, &session, &heard))
      #expect(session.phase == .handshake && heard.isEmpty, "\(place)")
    }
    #expect(faults.contains(.otherProtocol) && faults.contains(.notTLS))
    #expect(faults.count > 3)
  }

  @Test func `TLS input: garbage in handshake records is refused`() throws {
    for length in [0, 1, 4, 100, 16_384, 16_640] {
      let content = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 131) }
      let record = [22, 3, 1, UInt8(length >> 8), UInt8(length & 0xff)] + content
      let records = record + record + record
      #expect(try answer(to: records) != nil || length <= 4, "\(length)")
      #expect(try answer(to: records, 1) != nil || length <= 4, "\(length)")
    }
  }

  @Test func `TLS input: a handshake message that claims 16 MiB is refused immediately`() throws {
    let claim: [UInt8] = [22, 3, 1, 0x40, 0x00, 1, 0xff, 0xff, 0xff]
    #expect(try answer(to: claim + [UInt8](repeating: 0, count: 16_380)) == .tooMuch)
    // A message of a size that OpenSSL would accept is not accepted completely either.
    let modest: [UInt8] = [22, 3, 1, 0x40, 0x00, 1, 0x01, 0xff, 0xff]
    let record: [UInt8] = [22, 3, 1, 0x40, 0x00] + [UInt8](repeating: 0, count: 16_384)
    let bytes = modest + [UInt8](repeating: 0, count: 16_380) + record + record
    #expect(try answer(to: bytes) != nil)
  }

  @Test func `TLS input: an endless handshake in single bytes is refused`() throws {
    // Each record contains one byte of a message, so six bytes are sent for each useful byte.
    var bytes: [UInt8] = []
    let message: [UInt8] = [1, 0x01, 0x00, 0x00] + [UInt8](repeating: 0, count: 20_000)
    for byte in message { bytes += [22, 3, 1, 0, 1, byte] }
    #expect(try answer(to: bytes) != nil)
  }

  /// An honest client and server up to the client's first application bytes.
  private func conversation() throws -> TLSPair {
    let pair = try TLSPair(TLSPair.identity(1), TLSPair.identity(2))
    #expect(pair.run() == (nil, nil))
    _ = try pair.client.send([1, 2, 3][...])
    #expect(pair.run() == (nil, nil))
    #expect(pair.heardByServer == [1, 2, 3])
    return pair
  }

  @Test func `TLS input: a line that ends at any byte is reported as cut`() throws {
    let length = try conversation().toServer.count
    #expect(length > 600)
    // Each run has different keys, so the bytes differ, but their number does not.
    for cut in 0..<length {
      var (left, heard) = (length - cut, [UInt8]())
      let pair = try TLSPair(TLSPair.identity(1), TLSPair.identity(2))
      var hasSpoken = false
      while true {
        let up = pair.client.outgoing()
        if up.isEmpty, hasSpoken { break }
        let part = Array(up.prefix(max(0, cut - (length - left))))
        left -= part.count
        #expect(TLSPair.give(part, &pair.server, &heard) == nil)
        if part.count < up.count { break }
        _ = TLSPair.give(pair.server.outgoing(), &pair.client, &heard)
        if pair.client.phase == .unanswered, !hasSpoken {
          hasSpoken = true
          _ = try pair.client.send([1, 2, 3][...])
        }
      }
      #expect(throws: TLSError.cut, "\(cut)") { try pair.server.lineEnded() }
      #expect(heard.isEmpty && pair.server.phase != .open, "\(cut)")
    }
  }

  @Test func `TLS input: a byte changed after the handshake ends the session`() throws {
    for place in [0, 3, 5, 20] {
      let pair = try conversation()
      _ = try pair.client.send([4, 5, 6][...])
      var bytes = pair.client.outgoing()
      bytes[place] ^= 1
      var heard: [UInt8] = []
      let fault = TLSPair.give(bytes, &pair.server, &heard)
      #expect(heard.isEmpty, "\(place)")
      // If the length increases, the session waits for more bytes.
      #expect(fault != nil || place == 3, "\(place)")
      if fault != nil { #expect(throws: TLSError.self) { try pair.server.send([1][...]) } }
    }
  }

  @Test func `TLS errors: errors of OpenSSL are attributed to the other side`() {
    // A certificate that cannot be parsed: library 13, reason 104.
    let asn1: UInt = 13 << 23 | 104
    #expect(TLSError.explaining(asn1) == .broken(code: asn1))
    #expect(TLSError.explaining(0) == .broken(code: 0))
    #expect(TLSError.explaining(20 << 23 | 1_080) == .refused(alert: 80))
    #expect(TLSError.explaining(20 << 23 | 199) == .noCertificate)
  }

  @Test func `TLS input: a replayed conversation delivers no data`() throws {
    let sent = try conversation().toServer
    var session = try server()
    var heard: [UInt8] = []
    #expect(TLSPair.give(sent, &session, &heard) != nil)
    #expect(session.phase == .handshake && heard.isEmpty)
  }
}

extension TLSPair {
  static func give(
    _ bytes: [UInt8], _ session: inout TLSSession, _ heard: inout [UInt8]
  ) -> TLSError? { give(bytes, .max, &session, &heard) }
}
