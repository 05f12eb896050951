import Bytes
import Crypto
import Domain
import Journaling
import Testing

@Suite struct NameTests {
  @Test func `Names: keys and replica id match the vector`() throws {
    let vector = try ProtocolText.vector("replica")
    let keys = try DeviceKeys(
      signingSeed: vector.bytes("signing seed"), agreementSeed: vector.bytes("agreement seed"))
    #expect(keys.signing.publicKey.bytes == (try vector.bytes("public key")))
    #expect(keys.agreement.publicKey == (try vector.bytes("agreement key")))
    let id = UniqueID.replica(
      publicKey: keys.signing.publicKey, incarnation: try vector.id("incarnation"))
    #expect(id == (try vector.id("replica id")))
  }

  @Test func `Names: the certificate of a key matches the vector`() throws {
    let vector = try ProtocolText.vector("certificate")
    let identity = try TLSIdentity(SigningKey(seed: vector.bytes("signing seed")))
    #expect(identity.publicKey.bytes == (try vector.bytes("public key")))
    #expect(identity.certificate == (try vector.bytes("certificate")))
  }

  @Test func `Names: ids of books, entities and branches derive from chain hashes`() throws {
    let vector = try ProtocolText.vector("names")
    let book = UniqueID.book(firstHash: try vector.digest("chain hash 1"))
    #expect(book == (try vector.id("book id")))
    let entity = UniqueID(ofEntityAddedBy: try vector.digest("chain hash 2").prefix16)
    #expect(entity == (try vector.id("entity id")))
    #expect(ShortID.text(of: entity) == (try vector.text("short id")))
    let branch = UniqueID.branch(firstCommandHash: try vector.digest("branch hash"))
    #expect(branch == (try vector.id("branch id")))
  }

  @Test(arguments: [
    ("branch of the desk", "hash of the desk at 7", "frame of a command"),
    ("branch of both clones", "hash of the clone at 6", "frame of the clones"),
    ("branch of the first clone", "hash of the first clone at 7", "frame of the first clone"),
    ("branch of the second clone", "hash of the second clone at 7", "frame of the second clone"),
  ])
  func `Names: a branch id derives from the hash at its first command's end`(
    branch: String, hash: String, frame: String
  ) throws {
    let vector = try ProtocolText.vector("forks")
    #expect(UniqueID.branch(firstCommandHash: try vector.digest(hash)) == (try vector.id(branch)))
    var chain = Chain()
    let member = try ProtocolText.vector(frame).bytes("member")
    let first = try Frame.decode(member.span, at: 0, &chain)
    #expect(first.events.last?.hash == (try vector.digest(hash)))
    #expect(first.events.filter(\.isCommandStart).count == 1)
  }

  @Test func `Names: short ids are encoded and parsed as in the vectors`() throws {
    let vector = try ProtocolText.vector("short ids")
    for (text, hex) in vector.pairs {
      let id = try #require(UniqueID(hex: hex))
      #expect(ShortID.text(of: id) == text)
      #expect(ShortID.parse(text) == id...id)
    }
    #expect(vector.pairs.count == 4)
  }

  @Test func `Names: the fingerprint of a key matches the vector`() throws {
    let vector = try ProtocolText.vector("fingerprint")
    let key = try PublicKey(vector.bytes("public key"))
    #expect(SHA256.digest(of: key.bytes) == (try vector.digest("SHA-256")))
    #expect(key.fingerprint.joined(separator: " ") == (try vector.text("words")))
  }

  @Test func `Names: the mark of a machine is the hash of its machine id`() throws {
    let vector = try ProtocolText.vector("machine mark")
    let name = Array("daybook machine v1".utf8) + Array(try vector.text("machine-id").utf8)
    #expect(SHA256.digest(of: name).prefix16 == (try vector.id("mark")))
  }

  @Test func `Names: segment names encode the events of a file`() throws {
    for (name, meaning) in try ProtocolText.vector("segment names").pairs {
      let segment = SegmentName(name)
      switch segment {
      case .tail(let first)?: #expect("\(first)…" == meaning)
      case .sealed(let events)?:
        #expect("\(events.lowerBound)…\(events.upperBound)" == meaning)
      case nil: #expect(meaning == "none", "\(name)")
      }
      if let segment { #expect(segment.string == name) }
    }
  }
}
