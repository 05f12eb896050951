import Bytes
import Crypto
import Domain
import Journaling
import Testing

/// Valid and invalid keys, signatures and bodies in the document.
@Suite struct KeyVectorTests {
  private static func keys(_ name: String) throws -> [[UInt8]] {
    let vector = try ProtocolText.vector(name)
    return try vector.pairs.map { try vector.bytes($0.key) }
  }

  @Test func `Signing key: keys of small order and non-canonical keys are refused`() throws {
    let small = try Self.keys("signing keys of small order")
    let second = try Self.keys("signing keys in a second encoding")
    #expect(small.count == 10 && second.count == 5)
    for key in small { #expect(throws: CryptoError.keyOfSmallOrder) { try PublicKey(key) } }
    for key in second { #expect(throws: CryptoError.keyEncoding) { try PublicKey(key) } }
  }

  @Test func `Agreement key: keys of small order and non-canonical keys are refused`() throws {
    let small = try Self.keys("agreement keys of small order")
    let second = try Self.keys("agreement keys in a second encoding")
    #expect(small.count == 5 && second.count == 4)
    for key in small {
      #expect(throws: CryptoError.keyOfSmallOrder) { try AgreementKey.check(key) }
    }
    for key in second { #expect(throws: CryptoError.keyEncoding) { try AgreementKey.check(key) } }
  }

  @Test func `Signature: it is accepted only in its canonical encoding`() throws {
    let vector = try ProtocolText.vector("signatures")
    let key = try PublicKey(vector.bytes("public key"))
    let message = try vector.bytes("message")
    for (name, _) in vector.pairs.dropFirst(2) {
      let holds = key.verifies(try vector.bytes(name), of: message)
      #expect(holds == name.hasPrefix("good"), "\(name)")
    }
    #expect(vector.pairs.count == 7)
  }

  @Test func `Journal body: each invalid vector is ignored`() throws {
    let vector = try ProtocolText.vector("bodies that change nothing")
    for (name, _) in vector.pairs {
      let bytes = try vector.bytes(name)
      #expect(JournalBody(bytes.span) == .unread, "\(name)")
    }
    #expect(vector.pairs.count == 30)
  }

  @Test func `Journal body: each valid vector is read, even with additional items`() throws {
    let vector = try ProtocolText.vector("bodies that make sense")
    for (name, _) in vector.pairs {
      let verb = String(name.prefix { $0.isLetter })
      let bytes = try vector.bytes(name)
      switch JournalBody(bytes.span) {
      case .trust(let trust): #expect("\(trust.verb)" == verb)
      case .marker(let marker): #expect("\(marker.edge)" == verb)
      case .domain, .observation, .unread: Issue.record("\(name) says nothing")
      }
    }
    #expect(vector.pairs.count == 10)
  }

  private static func body(_ bytes: [UInt8]) throws -> Body? {
    try Body.decode(bytes.span, author: 0) { $0 == 0 ? 1 : nil }
  }

  @Test func `Domain body: each invalid vector is ignored`() throws {
    let vector = try ProtocolText.vector("domain bodies that change nothing")
    for (name, _) in vector.pairs {
      let bytes = try vector.bytes(name)
      #expect(JournalBody(bytes.span) == .domain)
      // An invalid body decodes to nil, regardless of the fault.
      #expect(((try? Self.body(bytes)) ?? nil) == nil, "\(name)")
    }
    #expect(vector.pairs.count == 10)
  }

  @Test func `Domain body: arrays other than references are kept unchanged`() throws {
    let vector = try ProtocolText.vector("arrays that are not references")
    for (name, _) in vector.pairs {
      let value = try vector.bytes(name)
      let body = try Self.body([0x84, 1, 2, 6] + value)
      #expect(body?.writes.map(\.value) == [.other(value)], "\(name)")
    }
    #expect(vector.pairs.count == 7)
  }
}
