import Bytes
import Crypto
import Domain
import Journaling
import Testing

@Suite struct EventTests {
  @Test func `Event header: each vector decodes and encodes unchanged`() throws {
    let vector = try ProtocolText.vector("headers")
    for (name, _) in vector.pairs {
      let bytes = try vector.bytes(name)
      var reader = CBORReader(bytes.span)
      let header = try Header.decode(&reader)
      try reader.finish()
      #expect(header.encode() == bytes, "\(name)")
    }
    #expect(vector.pairs.count == 9)
  }

  @Test func `Event header: the vector with all fields decodes to the described values`() throws {
    let vector = try ProtocolText.vector("headers")
    let bytes = try vector.bytes("all four")
    var reader = CBORReader(bytes.span)
    let header = try Header.decode(&reader)
    let desk = try ProtocolText.vector("replica").id("replica id")
    let hash = UniqueID((0..<16).map { $0 })
    let meant = Header(
      delta: 1 << 32, whenDelta: 1_000,
      seen: [
        Seen(log: .introduced(desk), sequence: 2, hash: hash),
        Seen(log: .index(0), sequence: 3, hash: hash),
      ],
      more: 1, link: Reference(index: 1, sequence: 1))
    #expect(header == meant)
  }

  @Test func `Event header: missing ranges decode to first and last events`() throws {
    let bytes = try ProtocolText.vector("headers").bytes("seen by index, with holes")
    var reader = CBORReader(bytes.span)
    let header = try Header.decode(&reader)
    #expect(header.seen.map(\.missing) == [[2...2, 4...6]])
  }

  @Test func `Domain body: each vector decodes and encodes unchanged`() throws {
    let vector = try ProtocolText.vector("domain bodies")
    for (name, _) in vector.pairs {
      let bytes = try vector.bytes(name)
      let body = try Body.decode(bytes.span, author: 0) { $0 == 0 ? 1 : nil }
      let encoded = body?.encode { $0 == 0 ? nil : 0 }
      #expect(encoded == bytes, "\(name)")
    }
    #expect(vector.pairs.count == 11)
  }

  @Test func `Domain body: a value beyond its limit is dropped, and the others are kept`() throws {
    let vector = try ProtocolText.vector("values beyond the limits")
    let rest = try vector.bytes("values beyond the limits fold as")
    for (name, _) in vector.pairs {
      let bytes = try vector.bytes(name)
      let body = try Body.decode(bytes.span, author: 0) { _ in nil }
      let isTooMuch = name.hasPrefix("too much: ")
      #expect(body?.encode { _ in nil } == (isTooMuch ? rest : bytes), "\(name)")
    }
    #expect(vector.pairs.count == 17)
  }

  @Test func `Tag: each text of the vector has its number`() throws {
    let vector = try ProtocolText.vector("tags")
    let texts = vector.pairs.map(\.key).filter { $0.hasPrefix("text ") }
    for name in texts {
      let text = String(decoding: try vector.bytes(name), as: UTF8.self)
      let number = try vector.text(name.replacing("text", with: "number"))
      #expect(String(Field(tag: text).rawValue) == number, "\(text)")
    }
    #expect(texts.count == 14)
  }

  @Test func `Domain body: an edit of another log's entity decodes to the described values`() throws
  {
    let bytes = try ProtocolText.vector("domain bodies").bytes("edit elsewhere")
    let body = try Body.decode(bytes.span, author: 0) { $0 == 0 ? 1 : nil }
    let meant = Body(
      .edit, .entity(EventKey(log: 1, sequence: 2)),
      [
        Write(Field.Todo.list, .reference(EventKey(log: 1, sequence: 4))),
        Write(Field.Todo.done, .boolean(true)),
      ])
    #expect(body == meant)
  }

  @Test func `Trust body: each vector decodes and encodes unchanged`() throws {
    let vector = try ProtocolText.vector("trust bodies")
    for (name, _) in vector.pairs {
      let bytes = try vector.bytes(name)
      let trust = try #require(try TrustVerb.decode(bytes.span), "\(name)")
      #expect(trust.encode() == bytes)
      #expect(name.hasPrefix("\(trust.verb)"))
    }
    #expect(vector.pairs.count == 10)
  }

  @Test func `Marker: each vector decodes and encodes unchanged`() throws {
    let vector = try ProtocolText.vector("markers")
    let source = try vector.digest("source")
    for marker in [
      RunMarker(.begin, source: source, count: 0), RunMarker(.end, source: source, count: 1_000),
    ] {
      let bytes = try vector.bytes("\(marker.edge)")
      #expect(marker.encode() == bytes)
      #expect(try RunMarker.decode(bytes.span) == marker)
    }
    let observe = try vector.bytes("observe")
    #expect(Observation.body == observe)
    let judged = JournalBody(observe.span)
    #expect(judged == .observation)
  }

  @Test func `Stripped body: the vector decodes to the digest and the erase`() throws {
    let vector = try ProtocolText.vector("stripped body")
    let stripped = StrippedBody(
      digest: try vector.digest("salted digest"),
      erase: Landmark(
        log: try vector.id("erase log"), sequence: UInt64(try vector.number("erase sequence")),
        hash: try vector.id("erase hash")))
    let bytes = try vector.bytes("body")
    #expect(stripped.encode() == bytes)
    var reader = CBORReader(bytes.span)
    #expect(try StrippedBody.decode(&reader) == stripped)
    #expect(reader.offset == bytes.count)
  }

  @Test func `Draw: the record decodes, and a replay yields its choice`() throws {
    let vector = try ProtocolText.vector("draw")
    let bytes = try vector.bytes("record")
    let draw = try Draw(bytes.span)
    #expect(draw.encoded == bytes)
    #expect(draw.thrown.map(String.init).joined(separator: " ") == (try vector.text("thrown")))
    #expect(Int64(draw.total) == (try vector.number("total")))
    #expect(Int64(draw.ticket) == (try vector.number("ticket")))
    #expect(draw.entries[try draw.replay()].id == (try vector.id("choice")))
  }
}
