import Bytes
import Crypto
import Domain
import Journaling
import Testing

@Suite struct FoldTests {
  /// The logs of the vectors that are not forked.
  private static var whole: [FramePart] {
    get throws {
      try ["sealed frame", "frame of the phone"].map { name in
        try FramePart(file: ProtocolText.vector(name).bytes("member"))
      }
    }
  }

  @Test func `State digest: two logs yield the state of the vector`() throws {
    let vector = try ProtocolText.vector("digest")
    let records = try Records.folding(Self.whole)
    let digest = records.digest()
    #expect(SHA256.digest(of: try vector.bytes("state")) == digest)
    #expect(digest == (try vector.digest("digest")))
    let words = Words.pronounceable(digest).joined(separator: " ")
    #expect(words == (try vector.text("words")))
  }

  @Test func `State digest: the order of the logs has no influence`() throws {
    let vector = try ProtocolText.vector("digest")
    let records = try Records.folding(Self.whole.reversed())
    #expect(records.digest() == (try vector.digest("digest")))
  }

  @Test func `Fold: two last names conflict, with the later one first`() throws {
    let records = try Records.folding(Self.whole)
    let birthday = try #require(records.documents(.birthday).first)
    let shown = birthday.shown(Field.Birthday.lastName)
    #expect(shown?.survivors.map(\.value) == [.text("King"), .text("Byron")])
    #expect(birthday.conflicts.map(\.field) == [Field.Birthday.lastName])
    #expect(birthday.isAlive)
  }

  @Test func `State digest: an empty state has the digest of the vector`() throws {
    let vector = try ProtocolText.vector("digest of nothing")
    #expect(Records().digest() == (try vector.digest("digest")))
  }

  @Test func `State digest: documents are in the buckets of their ids in any order`() throws {
    let vector = try ProtocolText.vector("buckets")
    let documents = try vector.pairs.filter { UniqueID(hex: $0.key) != nil }.map { pair in
      StateDigest.Document(
        id: try #require(UniqueID(hex: pair.key)), digest: try vector.digest(pair.key))
    }
    #expect(documents.map { StateDigest.bucket(of: $0.id) } == [2032, 2031, 2032, 2032, 2033])
    let state = StateDigest(of: documents)
    #expect(state.digest == (try vector.digest("digest")))
    #expect(SHA256.digest(of: try vector.bytes("state")) == state.digest)
    #expect(StateDigest(decoding: state.encoded) == state)
    #expect(StateDigest(decoding: Array(state.encoded.dropLast())) == nil)
  }

  @Test func `State digest: several values of one event are written together`() throws {
    let vector = try ProtocolText.vector("several values of one event")
    let hashes = [try vector.id("hash16 at the add"), UniqueID(high: 9, low: 9)]
    let facts = try zip(["add", "edit"], hashes).enumerated().map { place, named in
      let bytes = try vector.bytes(named.0)
      let body = try #require(try Body.decode(bytes.span, author: 0) { _ in nil })
      #expect(body.encode { _ in nil } == bytes)
      return Fact(
        key: EventKey(log: 0, sequence: UInt64(place + 2)), time: Int64(place), when: nil,
        hash: named.1, body: body)
    }
    var causality = Causality()
    let log = UniqueID(high: 1, low: 1)
    _ = causality.number(of: log, replica: log)
    let records = Records.fold(facts, causality: causality)
    let document = try vector.bytes("document")
    #expect(
      records.documentDigests().map(\.document) == [
        StateDigest.Document(
          id: UniqueID(ofEntityAddedBy: hashes[0]), digest: SHA256.digest(of: document))
      ])
    #expect(records.documents(.todo).first?.conflicts.map(\.field) == [Field.Todo.title])
    let alone = try vector.bytes("alone")
    let ignored = try Body.decode(alone.span, author: 0) { _ in nil }
    #expect(try ignored?.encode { _ in nil } == vector.bytes("alone is folded as"))
  }

  @Test func `State digest: forked logs yield the state of the vector in any order`() throws {
    let vector = try ProtocolText.vector("digest of forks")
    let digest = try Records.folding(FramePart.forks).digest()
    #expect(SHA256.digest(of: try vector.bytes("state")) == digest)
    #expect(digest == (try vector.digest("digest")))
    #expect(Words.pronounceable(digest).joined(separator: " ") == (try vector.text("words")))
    // Branches in a different order have the same result.
    let parts = try FramePart.forks
    let shuffled = [5, 0, 2, 4, 3, 1].map { parts[$0] }
    #expect(try Records.folding(shuffled).digest() == digest)
  }
}
