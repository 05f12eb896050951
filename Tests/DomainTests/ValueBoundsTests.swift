import Bytes
import Testing

@testable import Domain

@Suite struct ValueBoundsTests {
  private static func text(_ count: Int) -> Value { .text(String(repeating: "a", count: count)) }

  /// The encoding of a map from one string to another, with the given size.
  private static func map(_ count: Int) -> Value {
    let text = String(repeating: "a", count: count - 6)
    let encoded = CBORValue.encode(.map([CBORValue.Pair(key: .text("k"), value: .text(text))]))
    precondition(encoded.count == count)
    return .other(encoded)
  }

  /// For each field, the largest valid value and a value that is too large.
  private static let edges: [(field: Field, most: Value, tooMuch: Value)] = [
    (Field.Todo.title, text(4_096), text(4_097)),
    (.note, text(65_536), text(65_537)),
    (
      .tags, .texts((10..<74).map { "\($0)" }), .texts(Array(repeating: "a", count: 65))
    ),
    (
      .tags, .texts([String(repeating: "a", count: 256)]),
      .texts([String(repeating: "a", count: 257)])
    ),
    (.extra, map(65_536), map(65_537)),
    (Field(rawValue: 40), text(4_096), text(4_097)),
    (Field(rawValue: 40), map(4_096), map(4_097)),
    (
      Field(rawValue: 40), .bytes([UInt8](repeating: 1, count: 4_096)),
      .bytes([UInt8](repeating: 1, count: 4_097))
    ),
    (
      Field.Pick.draw, .bytes([UInt8](repeating: 1, count: 524_288)),
      .bytes([UInt8](repeating: 1, count: 524_289))
    ),
    (Field.Choice.weight, .integer(1 << 53), .integer(1 << 53 + 1)),
    (.disputed, .boolean(true), .null),
    (Field(tag: "a"), text(256), text(257)),
    (Field(rawValue: 65_536), text(256), text(257)),
  ]

  private static func decoded(_ writes: [Write]) throws -> [Write]? {
    let body = Body(.edit, .entity(EventKey(log: 0, sequence: 1)), writes)
    return try Body.decode(body.encode { _ in nil }.span, author: 0) { _ in nil }?.writes
  }

  @Test(arguments: edges.indices)
  func `Value bounds: the largest value is read, and a larger one is dropped`(
    place: Int
  ) throws {
    let edge = Self.edges[place]
    let field = edge.tooMuch == .null ? Field(rawValue: 4096) : edge.field
    // If a field is written twice, only the last write counts. So the other write is to a field that is not tested
    // here.
    let other = Write(Field(rawValue: 41), .text("Ada"))
    let most = Write(edge.field, edge.most)
    #expect(try Self.decoded([other, most]) == [other, most])
    #expect(try Self.decoded([other, Write(field, edge.tooMuch)]) == [other])
  }

  @Test func `Value bounds: commands refuse exactly the values that the fold drops`() {
    for kind in Schema.kinds {
      for edge in Self.edges {
        guard let type = kind.field(edge.field)?.type, type.takes(edge.most) else { continue }
        #expect((try? type.admit(edge.most)) == edge.most, "\(kind.name) \(edge.field)")
        let fault = ValueBounds.fault(of: edge.tooMuch, in: edge.field)
        #expect(fault != nil)
        do throws(ValueFault) {
          _ = try type.admit(edge.tooMuch)
          Issue.record("\(kind.name) \(edge.field) takes too much")
        } catch {
          #expect(error == fault, "\(kind.name) \(edge.field)")
        }
      }
    }
  }

  @Test func `Value bounds: a source over the limit is refused in commands and dropped in logs`()
    throws
  {
    let long = Source(importer: 1, uidText: String(repeating: "u", count: 4_096))
    #expect(throws: Refusal.badValue(.list, .source, .tooLong(maximumBytes: 4_096))) {
      try add(.list, [Field.List.name: .text("a")], source: long, on: Records())
    }
    #expect(try Self.decoded([Write(.source, long.value)]) == [])
  }

  /// The facts as read from a log.
  private static func arrived(_ facts: [Fact]) throws -> [Fact] {
    try facts.map { fact in
      var arrived = fact
      let bytes = fact.body.encode { UInt64($0) }
      arrived.body = try #require(
        try Body.decode(bytes.span, author: 99) { UInt32(truncatingIfNeeded: $0) })
      return arrived
    }
  }

  @Test(arguments: edges.indices)
  func `Value bounds: an edit over the limit revives its record without a value`(
    place: Int
  ) throws {
    let edge = Self.edges[place]
    guard edge.tooMuch != .null else { return }
    var script = Script()
    let log = script.log()
    let other = script.log()
    let todo = script.add(
      log, .todo, [Write(Field.Todo.title, .text("Milk")), Write(edge.field, edge.most)])
    script.delete(log, todo)
    let before = script
    // The delete has not seen this edit, so the edit revives the to-do.
    script.edit(other, todo, [Write(edge.field, edge.tooMuch)], saw: [todo])
    var bare = before
    bare.edit(other, todo, [], saw: [todo])
    let records = Records.fold(
      try Self.arrived(script.history.facts), causality: script.history.causality)
    let document = try #require(records.document(of: todo))
    #expect(document.isAlive)
    #expect(document.value(edge.field) == edge.most)
    #expect(document.conflicts.isEmpty)
    #expect(records.digest() == bare.records.digest())
  }
}
