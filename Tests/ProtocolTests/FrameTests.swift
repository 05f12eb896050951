import Bytes
import Gzip
import Journaling
import Testing

@Suite struct FrameTests {
  static func good() throws -> [TestVector] {
    try ProtocolText.vectors().filter { vector in
      vector.pairs.map(\.key) == ["first sequence", "event count", "content", "member"]
    }
  }

  static func bad() throws -> [TestVector] {
    try ProtocolText.vectors().filter { $0.name.hasPrefix("bad: ") }
  }

  @Test(arguments: try good()) func `Frame: each vector decodes to its content`(
    vector: TestVector
  ) throws {
    var chain = Chain()
    let member = try vector.bytes("member")
    let frame = try Frame.decode(member.span, at: 0, &chain)
    #expect(frame.content == (try vector.bytes("content")))
    #expect(Int64(frame.firstSequence) == (try vector.number("first sequence")))
    #expect(Int64(frame.events.count) == (try vector.number("event count")))
    #expect(frame.length == member.count)
  }

  @Test(arguments: [
    ("log of desk", "frame of the first event"), ("log of desk", "frame of events 2 to 5"),
    ("log of desk", "frame of a command"), ("log of desk", "sealed frame"),
    ("log of desk", "stripped frame"), ("log of desk", "stripped frame by a newer version"),
    ("log of desk", "frame with the table"),
    ("log of desk", "frame with the table's length"), ("log of phone", "frame of the phone"),
  ])
  func `Frame: each vector contains its part of the log`(log: String, name: String) throws {
    let log = try LogVector(log)
    var chain = Chain()
    let member = try ProtocolText.vector(name).bytes("member")
    let frame = try Frame.decode(member.span, at: 0, &chain)
    for event in frame.events {
      let expected = log.events[Int(event.sequence) - 1]
      #expect(event.hash == expected.hash)
      #expect(event.time == expected.time)
      #expect(Array(frame.content[event.header]) == expected.header)
      if !event.isStripped { #expect(Array(frame.content[event.body]) == expected.body) }
    }
    let stripped = frame.events.filter(\.isStripped).map(\.sequence)
    #expect(stripped == (name.hasPrefix("stripped frame") ? [2] : []))
    guard let head = frame.head, let last = frame.events.last else { return }
    #expect(head.proves(log.id, upTo: last, by: try log.publicKey()))
  }

  @Test(arguments: try bad()) func `Frame: each bad vector is refused with its error`(
    vector: TestVector
  ) throws {
    var chain = Chain()
    let member = try vector.bytes("member")
    do throws(FrameError) {
      _ = try Frame.decode(member.span, at: 0, &chain)
      Issue.record("\(vector.name) was accepted")
    } catch {
      let expected = try vector.text("error")
      #expect(error.spelling == expected)
    }
  }

  @Test func `Vectors: names are unique, and all frames are found`() throws {
    let names = try ProtocolText.vectors().map(\.name)
    #expect(Set(names).count == names.count)
    #expect(try Self.good().count == 14)
    #expect(try Self.bad().count >= 75)
  }
}
