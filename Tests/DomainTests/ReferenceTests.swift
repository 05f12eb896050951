import Bytes
import Domain
import Testing

/// References to later, missing and absent events, and notes of a log about itself.
@Suite struct ReferenceTests {
  private let name = Field.List.name

  private func names(_ script: Script, _ key: EventKey) -> [Value]? {
    script.records.document(of: key)?.shown(name)?.survivors.map(\.value)
  }

  @Test
  func `Forward reference: an edit of a later event in its log counts once that event is an add`() {
    var script = Script()
    let a = script.log()
    let later = EventKey(log: a, sequence: 2)
    script.edit(a, later, [Write(name, .text("ahead"))])
    #expect(script.records.document(of: later) == nil)
    script.add(a, .list, [Write(.note, .text("then"))])
    #expect(names(script, later) == [.text("ahead")])
  }

  @Test func `Forward reference: an edit of an unseen event is kept in addition to known values`() {
    var script = Script()
    let (a, b) = (script.log(), script.log())
    let list = EventKey(log: b, sequence: 1)
    script.edit(a, list, [Write(name, .text("unseen"))], time: 5_000)
    script.add(b, .list, [Write(name, .text("own"))], time: 4_000)
    #expect(names(script, list) == [.text("unseen"), .text("own")])
  }

  @Test func `Forward reference: a value reads as null until its target is folded`() {
    var script = Script()
    let a = script.log()
    let list = EventKey(log: a, sequence: 2)
    let todo = script.add(a, .todo, [Write(Field.Todo.list, .reference(list))])
    #expect(script.records.document(of: todo)?.value(Field.Todo.list) == .null)
    script.add(a, .list)
    #expect(script.records.document(of: todo)?.value(Field.Todo.list) == .reference(list))
  }

  @Test func `Forward reference: two aliases to a missing event join their records`() {
    var script = Script()
    let (a, b) = (script.log(), script.log())
    let unheld = EventKey(log: b, sequence: 7)
    let (one, two) = (script.add(a, .list), script.add(a, .list))
    let other = script.add(a, .list)
    let first = script.alias(a, one, unheld)
    #expect(script.records.document(of: one)?.members == [one])
    script.alias(a, two, unheld)
    #expect(script.records.document(of: one)?.members == [one, two])
    #expect(script.records.document(of: other)?.members == [other])
    // As with any alias, deleting the alias separates the records that it joined.
    script.delete(a, first)
    #expect(script.records.document(of: one)?.members == [one])
  }

  @Test func `Causality: a note about the event's own log is ignored`() {
    var script = Script()
    let a = script.log()
    let list = script.add(a, .list, [Write(name, .text("first"))])
    let later = EventKey(log: a, sequence: 9)
    script.edit(a, list, [Write(name, .text("second"))], saw: [later])
    script.edit(a, list, [Write(name, .text("third"))], except: [1...2])
    #expect(names(script, list) == [.text("third")])
    let causality = script.history.causality
    let second = EventKey(log: a, sequence: 2)
    #expect(!causality.past(of: second, includes: EventKey(log: a, sequence: 3)))
    #expect(!causality.past(of: second, includes: second))
    #expect(causality.past(of: second, includes: list))
  }

  @Test func `Body: a sequence number out of range is refused as target and reference`() throws {
    let last: UInt64 = 1 << 62 - 1
    for number in [0, last + 1, .max] {
      for target: CBORValue in [.unsigned(number), .array([.unsigned(0), .unsigned(number)])] {
        let body = CBORValue.encode(.array([.unsigned(2), target]))
        #expect(throws: BodyError.malformed) { try Self.body(body) }
      }
      for value: CBORValue in [
        .array([.unsigned(number)]), .array([.unsigned(0), .unsigned(number)]),
      ] {
        let edit = [.unsigned(1), .unsigned(1), .unsigned(6), value] as [CBORValue]
        let body = try Self.body(CBORValue.encode(.array(edit)))
        #expect(body?.writes.map(\.value) == [.other(CBORValue.encode(value))])
      }
    }
    let least = try Self.body([0x82, 2, 0x82, 0, 1])
    #expect(least?.target == .entity(EventKey(log: 1, sequence: 1)))
    let most = try Self.body(CBORValue.encode(.array([.unsigned(2), .unsigned(last)])))
    #expect(most?.target == .entity(EventKey(log: 0, sequence: last)))
  }

  private static func body(_ bytes: [UInt8]) throws -> Body? {
    try Body.decode(bytes.span, author: 0) { $0 == 0 ? 1 : nil }
  }

  @Test func `Digest: an explicit completion time stays in it until it is overwritten`() {
    func script(then writes: [Write]) -> Script {
      var script = Script()
      let a = script.log()
      let todo = script.add(a, .todo, [Write(Field.Todo.completedAt, .integer(5))])
      script.edit(a, todo, [Write(Field.Todo.done, .boolean(true))] + writes, time: 70)
      return script
    }
    let (implied, same) = (
      script(then: []), script(then: [Write(Field.Todo.completedAt, .integer(5))])
    )
    let other = script(then: [Write(Field.Todo.completedAt, .integer(70))])
    let todo = EventKey(log: 0, sequence: 1)
    // Lists show the later time, as if it had been written.
    #expect(implied.records.document(of: todo)?.value(Field.Todo.completedAt) == .integer(70))
    #expect(other.records.document(of: todo)?.value(Field.Todo.completedAt) == .integer(70))
    #expect(implied.records.digest() == same.records.digest())
    #expect(implied.records.digest() != other.records.digest())
  }
}
