import Bytes
import Crypto
import Domain
import Journaling
import Testing

@Suite struct FoldTests {
  @Test func `State digest: two logs yield the state of the vector`() throws {
    let vector = try ProtocolText.vector("digest")
    let records = try Self.fold(["sealed frame", "frame of the phone"])
    let digest = records.digest()
    #expect(SHA256.digest(of: try vector.bytes("state")) == digest)
    #expect(digest == (try vector.digest("digest")))
    let words = Words.pronounceable(digest).joined(separator: " ")
    #expect(words == (try vector.text("words")))
  }

  @Test func `State digest: the order of the logs has no influence`() throws {
    let vector = try ProtocolText.vector("digest")
    let records = try Self.fold(["frame of the phone", "sealed frame"])
    #expect(records.digest() == (try vector.digest("digest")))
  }

  @Test func `Fold: two last names conflict, with the later one first`() throws {
    let records = try Self.fold(["sealed frame", "frame of the phone"])
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
    let digest = try Self.fold(Part.forks).digest()
    #expect(SHA256.digest(of: try vector.bytes("state")) == digest)
    #expect(digest == (try vector.digest("digest")))
    #expect(Words.pronounceable(digest).joined(separator: " ") == (try vector.text("words")))
    // Branches in a different order have the same result.
    let parts = try Part.forks
    let shuffled = [5, 0, 2, 4, 3, 1].map { parts[$0] }
    #expect(try Self.fold(shuffled).digest() == digest)
  }

  /// Events of one log or branch, taken from a frame.
  private struct Part {
    var frame: String
    var log: UniqueID
    var replica: UniqueID
    var behind: UniqueID?
    var events: ClosedRange<UInt64>

    /// A log that consists of one frame.
    init(whole name: String) throws {
      frame = name
      log = try LogVector(name == "frame of the phone" ? "log of phone" : "log of desk").id
      (replica, behind, events) = (log, nil, 1...UInt64.max)
    }

    init(_ frame: String, branch: String?, behind: String?, _ events: ClosedRange<UInt64>) throws {
      let names = try ProtocolText.vector("forks")
      replica = try LogVector("log of desk").id
      log = try branch.map(names.id) ?? replica
      self.behind = branch == nil ? nil : try behind.map(names.id) ?? replica
      (self.frame, self.events) = (frame, events)
    }

    static var forks: [Part] {
      get throws {
        let clones = "branch of both clones"
        return [
          try Part("sealed frame", branch: nil, behind: nil, 1...5),
          try Part("sealed frame", branch: "branch of the desk", behind: nil, 6...7),
          try Part("frame of the clones", branch: clones, behind: nil, 6...6),
          try Part(
            "frame of the first clone", branch: "branch of the first clone", behind: clones, 7...7),
          try Part(
            "frame of the second clone", branch: "branch of the second clone", behind: clones, 7...7
          ), try Part(whole: "frame of the phone"),
        ]
      }
    }
  }

  private static func fold(_ names: [String]) throws -> Records {
    try fold(names.map(Part.init(whole:)))
  }

  private static func fold(_ parts: [Part]) throws -> Records {
    var causality = Causality()
    // A trunk gets its number before its branches.
    for part in parts.sorted(by: { $0.events.lowerBound < $1.events.lowerBound }) {
      let trunk = part.behind.flatMap { causality.number(of: $0) }
      _ = causality.number(of: part.log, replica: part.replica, behind: trunk)
    }
    var facts: [Fact] = []
    for part in parts { facts += try Self.facts(of: part, among: parts, &causality) }
    return Records.fold(facts, causality: causality)
  }

  private static func facts(
    of part: Part, among parts: [Part], _ causality: inout Causality
  ) throws -> [Fact] {
    var chain = Chain()
    let member = try ProtocolText.vector(part.frame).bytes("member")
    let frame = try Frame.decode(member.span, at: 0, &chain)
    let author = try #require(causality.number(of: part.log))
    var table: [UInt32] = []
    var facts: [Fact] = []
    for event in frame.events where part.events.contains(event.sequence) {
      let key = EventKey(log: author, sequence: event.sequence)
      for entry in try frame.header(of: event).seen {
        if case .introduced(let id) = entry.log {
          table.append(causality.number(of: id, replica: id))
        }
        let index = if case .index(let index) = entry.log { Int(index) } else { table.count - 1 }
        causality.note(key, saw: table[index], upTo: entry.sequence, except: entry.missing)
      }
      let bytes = Array(frame.content[event.body])
      let decoded = try Body.decode(bytes.span, author: author) { index in
        index < table.count ? table[Int(index)] : nil
      }
      guard var body = decoded else { continue }
      if case .entity(let target) = body.target {
        body.target = .entity(placed(target, part, parts, causality))
      }
      facts.append(
        Fact(
          key: key, time: event.time, when: event.when, hash: event.hash.prefix16, body: body))
    }
    return facts
  }

  /// Replaces the author's log in a reference by the trunk or branch that contains the event.
  private static func placed(
    _ key: EventKey, _ author: Part, _ parts: [Part], _ causality: Causality
  ) -> EventKey {
    var part = author
    guard causality.number(of: part.log) == key.log else { return key }
    while key.sequence < part.events.lowerBound, let trunk = part.behind,
      let next = parts.first(where: { $0.log == trunk })
    {
      part = next
    }
    return EventKey(log: causality.number(of: part.log) ?? key.log, sequence: key.sequence)
  }
}
