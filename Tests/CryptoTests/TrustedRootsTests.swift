import Bytes
import Testing

@testable import Crypto

struct TrustedRootsTests {
  /// A server as the web has them: it shows a certificate, and requires none.
  private static func server(_ seed: UInt8 = 1, further: [[UInt8]] = []) throws -> TLSIdentity {
    var settings = TLSSettings.daybook
    settings.furtherCertificates = further
    (settings.requiresCertificate, settings.answersProtocol) = (false, false)
    return try TLSPair.identity(seed, settings)
  }

  /// A certificate as a PEM block, among other text.
  private static func pem(_ der: [UInt8]) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: der.count, by: 3) {
      let part = Array(der[start..<min(start + 3, der.count)])
      let bits = (part + [0, 0]).prefix(3).reduce(0) { $0 << 8 | Int($1) }
      let letters = [18, 12, 6, 0].map { digits[bits >> $0 & 63] }
      text += letters.prefix(part.count + 1)
      text += [UInt8](repeating: UInt8(ascii: "="), count: 3 - part.count)
    }
    let lines = stride(from: 0, to: text.count, by: 64).map {
      String(decoding: text[$0..<min($0 + 64, text.count)], as: UTF8.self)
    }
    return Array(
      ("# A comment\n-----BEGIN CERTIFICATE-----\nbroken\n-----END CERTIFICATE-----\n"
        + "-----BEGIN CERTIFICATE-----\r\n" + lines.joined(separator: "\n")
        + "\n-----END CERTIFICATE-----\n").utf8)
  }

  /// Shakes hands with a server, then sends a request and a response.
  ///
  /// - Returns: What the client has received, or its error.
  private func outcome(
    _ server: TLSIdentity, trusting roots: TrustedRoots, as host: String = "daybook",
    at time: Int64 = 1_700_000_000
  ) throws(TLSError) -> Result<String, TLSError> {
    var near = try TLSSession.begin(toward: host, trusting: roots, at: time)
    var far = try TLSSession.begin(.server, as: server) { _ in true }
    var (heard, unheard) = ([UInt8](), [UInt8]())
    var (hasAsked, hasAnswered) = (false, false)
    while true {
      let (up, down) = (near.outgoing(), far.outgoing())
      if up.isEmpty, down.isEmpty { break }
      _ = TLSPair.give(up, .max, &far, &unheard)
      if let fault = TLSPair.give(down, .max, &near, &heard) { return .failure(fault) }
      if near.phase != .handshake, !hasAsked {
        hasAsked = true
        _ = try near.send(Array("question".utf8)[...])
      }
      if unheard == Array("question".utf8), !hasAnswered {
        hasAnswered = true
        _ = try far.send(Array("answer".utf8)[...])
      }
    }
    return .success(String(decoding: heard, as: UTF8.self))
  }

  @Test func `TLS roots: a server with a trusted certificate for its name is accepted`() throws {
    let server = try Self.server()
    let roots = try TrustedRoots(pem: Self.pem(server.certificate))
    #expect(try outcome(server, trusting: roots) == .success("answer"))
  }

  @Test func `TLS roots: a server with a long chain of certificates is accepted`() throws {
    let other = try Self.server(2).certificate
    let chain = [[UInt8]](repeating: other, count: (16 << 10) / other.count)
    let server = try Self.server(further: chain)
    let roots = try TrustedRoots(pem: Self.pem(server.certificate))
    #expect(try outcome(server, trusting: roots) == .success("answer"))
  }

  @Test func `TLS roots: another certificate, name or time is refused, and the reason is told`()
    throws
  {
    let server = try Self.server()
    let roots = try TrustedRoots(pem: Self.pem(server.certificate))
    let others = try TrustedRoots(pem: Self.pem(try Self.server(2).certificate))
    let none = try TrustedRoots(pem: [])
    func fault(_ fault: CertificateFault) -> Result<String, TLSError> {
      .failure(.certificate(fault))
    }
    #expect(try outcome(server, trusting: others) == fault(.unknownIssuer))
    #expect(try outcome(server, trusting: none) == fault(.unknownIssuer))
    #expect(try outcome(server, trusting: roots, as: "example.com") == fault(.otherHost))
    #expect(try outcome(server, trusting: roots, as: "127.0.0.1") == fault(.otherHost))
    #expect(try outcome(server, trusting: roots, at: -10) == fault(.notYetValid))
    // Daybook's certificates do not expire; 10 is X509_V_ERR_CERT_HAS_EXPIRED.
    #expect(CertificateFault(10) == .expired)
  }

  @Test func `TLS roots: a server without TLS is recognised`() throws {
    let roots = try TrustedRoots(pem: [])
    var session = try TLSSession.begin(toward: "example.com", trusting: roots, at: 0)
    #expect(throws: TLSError.notTLS) { try session.receive(Array("HTTP/1.1 400".utf8)) }
  }
}
