import Bytes
import Crypto
import Domain
import Journaling
import Testing

@Suite struct FoldTests {
  @Test func `the digest of the two logs is that of the state written down`() throws {
    let vector = try ProtocolText.vector("digest")
    let records = try Self.fold(["sealed frame", "frame of the phone"])
    let digest = records.digest()
    #expect(SHA256.digest(of: try vector.bytes("state")) == digest)
    #expect(digest == (try vector.digest("digest")))
    let words = Words.pronounceable(digest).joined(separator: " ")
    #expect(words == (try vector.text("words")))
  }

  @Test func `the order of the logs does not matter`() throws {
    let vector = try ProtocolText.vector("digest")
    let records = try Self.fold(["frame of the phone", "sealed frame"])
    #expect(records.digest() == (try vector.digest("digest")))
  }

  @Test func `two last names are a conflict, the later one in front`() throws {
    let records = try Self.fold(["sealed frame", "frame of the phone"])
    let birthday = try #require(records.documents(.birthday).first)
    let shown = birthday.shown(Field.Birthday.lastName)
    #expect(shown?.survivors.map(\.value) == [.text("King"), .text("Byron")])
    #expect(birthday.conflicts.map(\.field) == [Field.Birthday.lastName])
    #expect(birthday.isAlive)
  }

  @Test func `nothing has a digest, too`() throws {
    let vector = try ProtocolText.vector("digest of nothing")
    #expect(Records().digest() == (try vector.digest("digest")))
  }

  /// Folds whole logs, each given as one frame.
  private static func fold(_ names: [String]) throws -> Records {
    var causality = Causality()
    var facts: [Fact] = []
    for name in names {
      let log = try LogVector(name == "frame of the phone" ? "log of phone" : "log of desk")
      var chain = Chain()
      let member = try ProtocolText.vector(name).bytes("member")
      let frame = try Frame.decode(member.span, at: 0, &chain)
      let author = causality.number(of: log.id, replica: log.id)
      var table: [UInt32] = []
      for event in frame.events {
        let key = EventKey(log: author, sequence: event.sequence)
        for entry in try frame.header(of: event).seen {
          if case .introduced(let id) = entry.log {
            table.append(causality.number(of: id, replica: id))
          }
          let index = if case .index(let index) = entry.log { Int(index) } else { table.count - 1 }
          causality.note(key, saw: table[index], upTo: entry.sequence, except: entry.missing)
        }
        let bytes = Array(frame.content[event.body])
        let body = try Body.decode(bytes.span, author: author) { index in
          index < table.count ? table[Int(index)] : nil
        }
        guard let body else { continue }
        facts.append(
          Fact(
            key: key, time: event.time, when: event.when, hash: event.hash.prefix16, body: body))
      }
    }
    return Records.fold(facts, causality: causality)
  }
}
