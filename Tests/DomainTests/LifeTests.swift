import Bytes
import Crypto
import Domain
import Testing

/// Life, joins and the digest: the counterexamples for rules 17 to 25.
@Suite struct LifeTests {
  @Test func `Life: a delete covers only what its author had seen`() {
    var script = Script()
    let (a, b) = (script.log(), script.log())
    let list = script.add(a, .list)
    let delete = script.delete(b, list, saw: [list])
    #expect(script.records.document(of: list)?.isAlive == false)
    let edit = script.edit(a, list, [Write(.note, .text("unaware"))])
    let document = script.records.document(of: list)
    #expect(document?.isAlive == true)
    #expect(document?.deleteAgainstEdit?.delete.key == delete)
    #expect(document?.deleteAgainstEdit?.giver.key == edit)
  }

  @Test func `Life: a delete against an edit is listed until an informed author acts`() {
    for verb in [Verb.edit, .restore, .delete] {
      var script = Script()
      let (a, b, c) = (script.log(), script.log(), script.log())
      let list = script.add(a, .list)
      let other = script.add(a, .list)
      let delete = script.delete(b, list, saw: [list])
      let edit = script.edit(a, list)
      script.edit(c, other, saw: [delete, edit])
      #expect(script.records.document(of: list)?.deleteAgainstEdit != nil)
      script.write(c, verb, .entity(list))
      let document = script.records.document(of: list)
      #expect(document?.deleteAgainstEdit == nil)
      #expect(document?.isAlive == (verb != .delete))
    }
  }

  @Test func `Life: an alias that has seen both settles a delete against an edit`() {
    var script = Script()
    let (a, b) = (script.log(), script.log())
    let list = script.add(a, .list)
    let other = script.add(a, .list)
    let delete = script.delete(b, list, saw: [list])
    script.edit(a, list)
    script.alias(a, list, other, saw: [delete])
    #expect(script.records.document(of: list)?.isAlive == true)
    #expect(script.records.document(of: list)?.deleteAgainstEdit == nil)
  }

  @Test func `Life: a to-do added during a concurrent delete revives its list as a conflict`() {
    var script = Script()
    let (a, b) = (script.log(), script.log())
    let list = script.add(a, .list)
    let delete = script.delete(a, list)
    let todo = script.add(
      b, .todo, [Write(Field.Todo.list, .reference(list))], saw: [list])
    let document = script.records.document(of: list)
    #expect(document?.isAlive == true)
    #expect(document?.deleteAgainstEdit?.delete.key == delete)
    #expect(document?.deleteAgainstEdit?.giver.key == todo)
  }

  @Test func `Life: an event in a hole of the delete's past keeps the record alive`() {
    var script = Script()
    let (a, b) = (script.log(), script.log())
    let list = script.add(a, .list)
    script.edit(a, list)
    let last = script.edit(a, list)
    script.delete(b, list, saw: [last], except: [2...2])
    #expect(script.records.document(of: list)?.isAlive == true)
    var late = Records.fold(script.history.facts, causality: script.history.strangers)
    #expect(!late.needsRefold)
    late.causality = script.history.causality
    #expect(late.needsRefold)
  }

  @Test func `Life: reloaded entities need a refold in the same cases as facts`() {
    var script = Script()
    let (a, b) = (script.log(), script.log())
    let list = script.add(a, .list)
    let edit = script.edit(a, list)
    let folded = script.records
    var records = Records(causality: folded.causality)
    for entity in folded.entities.values { records.insert(entity) }
    #expect(records.digest() == folded.digest())
    #expect(!records.needsRefold)
    records.causality.note(
      EventKey(log: b, sequence: 1), saw: a, upTo: edit.sequence, except: [1...1])
    #expect(records.needsRefold)
  }

  @Test func `Join: two joined records show both values as a conflict`() {
    var script = Script()
    let a = script.log()
    let first = Field.Birthday.firstName
    let bob = script.add(a, .birthday, [Write(first, .text("Bob"))])
    let rob = script.add(a, .birthday, [Write(first, .text("Rob"))])
    let alias = script.alias(a, bob, rob)
    let joined = script.records.document(of: rob)
    #expect(joined?.members == [bob, rob])
    #expect(joined?.key == bob)
    #expect(joined?.shown(first)?.survivors.map(\.value) == [.text("Rob"), .text("Bob")])
    #expect(joined?.shown(first)?.isConflict == true)
    script.edit(a, bob, [Write(first, .text("Robert"))])
    script.edit(a, rob, [Write(first, .text("Robert"))])
    #expect(script.records.document(of: bob)?.conflicts == [])
    script.delete(a, alias)
    #expect(script.records.document(of: rob)?.members == [rob])
    script.restore(a, alias)
    #expect(script.records.document(of: rob)?.members == [bob, rob])
  }

  @Test func `Join: a document is alive while any member is`() {
    var script = Script()
    let a = script.log()
    let one = script.add(a, .list)
    let two = script.add(a, .list)
    script.alias(a, one, two)
    script.delete(a, one)
    #expect(script.records.document(of: one)?.isAlive == true)
    script.delete(a, two)
    #expect(script.records.document(of: one)?.isAlive == false)
  }
}

extension LifeTests {
  @Test func `Join: equal sources of one kind are permanently one document`() {
    var script = Script()
    let (a, b) = (script.log(), script.log())
    let source = Write(.source, .text("4c8cbbc2-93e5-4e3c-8b8f-000000000001"))
    let here = script.add(a, .list, [source])
    let there = script.add(b, .list, [source])
    let todo = script.add(b, .todo, [source])
    script.delete(a, here)
    let records = script.records
    #expect(records.document(of: there)?.members == [here, there])
    #expect(records.document(of: there)?.isAlive == true)
    #expect(records.document(of: todo)?.members == [todo])
    let known = Source(uid: UniqueID(high: 0x4c8c_bbc2_93e5_4e3c, low: 0x8b8f_0000_0000_0001))
    #expect(records.document(of: here)?.source == known)
    #expect(records.entity(withSource: known, kind: .list) == here)
  }

  @Test func `Join: a chain may lead through other kinds, but a document has one kind`() {
    var script = Script()
    let a = script.log()
    let one = script.add(a, .list)
    let bridge = script.add(a, .question)
    let two = script.add(a, .list)
    script.alias(a, one, bridge)
    script.alias(a, bridge, two)
    let records = script.records
    #expect(records.document(of: two)?.members == [one, two])
    #expect(records.document(of: bridge)?.members == [bridge])
    #expect(records.documents(.list).map(\.key) == [one])
  }

  @Test func `Join: every member's id leads to the document, and references resolve to it`() {
    var script = Script()
    let a = script.log()
    let one = script.add(a, .list)
    let two = script.add(a, .list)
    let todo = script.add(a, .todo, [Write(Field.Todo.list, .reference(two))])
    script.alias(a, one, two)
    var records = script.records
    let id = records.entities[two]?.id
    #expect(id.flatMap(records.entity(withID:)) == two)
    records.indexIDs()
    #expect(id.flatMap(records.entity(withID:)) == two)
    #expect(records.document(of: todo)?.value(Field.Todo.list) == .reference(one))
  }

  @Test func `Entity id: it is the chain hash as a UUID of version 8`() {
    let id = UniqueID(ofEntityAddedBy: UniqueID(high: .max, low: .max))
    #expect(id.hex == "ffffffffffff8fffbfffffffffffffff")
  }

  @Test func `Past state: events after the given time have no effect`() {
    var script = Script()
    let a = script.log()
    let list = script.add(a, .list, [Write(Field.List.name, .text("then"))], time: 1)
    script.edit(a, list, [Write(Field.List.name, .text("now"))], time: 2)
    script.delete(a, list)
    let then = script.history.facts.filter { $0.effectiveTime <= 1 }
    let document = Records.fold(then, causality: script.history.causality).document(of: list)
    #expect(document?.value(Field.List.name) == .text("then"))
    #expect(document?.isAlive == true)
  }

  @Test func `Digest: it covers the stored fields of documents`() {
    var script = Script()
    let a = script.log()
    let list = script.add(a, .list, [Write(Field.List.name, .text("n"))])
    let empty = script.records.digest()
    script.edit(a, list, [Write(Field.List.name, .text("n")), Write(.note, .null)])
    #expect(script.records.digest() == empty)
    script.edit(a, list, [Write(.note, .text("more"))])
    #expect(script.records.digest() != empty)
  }

  @Test func `Digest: a field without a surviving write is left out`() {
    var script = Script()
    let (a, b) = (script.log(), script.log())
    let list = script.add(a, .list)
    let one = script.edit(a, list, [Write(Field.List.name, .text("one"))])
    script.edit(b, list, [Write(Field.List.name, .text("two"))], saw: [one])
    var causality = script.history.causality
    causality.note(one, saw: b, upTo: 9)
    let records = Records.fold(script.history.facts, causality: causality)
    #expect(records.document(of: list)?.value(Field.List.name) == .null)
    let bare = Records.fold(Array(script.history.facts.prefix(1)), causality: causality)
    #expect(records.digest() == bare.digest())
  }

  @Test func `Digest: implied times are left out, and explicit ones are included`() {
    var history = History()
    let id = UniqueID(high: 1, low: 1)
    history.logs = [Causality.LogIdentity(id: id, replica: id)]
    func fact(_ sequence: UInt64, _ body: Body) -> Fact {
      Fact(
        key: EventKey(log: 0, sequence: sequence), time: Int64(sequence), when: nil,
        hash: UniqueID(high: sequence, low: 0), body: body)
    }
    let (done, completedAt) = (Field.Todo.done, Field.Todo.completedAt)
    let adds = [
      fact(1, Body(.add, .kind(.todo), [])),
      fact(2, Body(.add, .kind(.todo), [Write(Field.Todo.createdAt, .integer(9))])),
    ]
    let ticks = [
      fact(3, Body(.edit, .entity(adds[0].key), [Write(done, .boolean(true))])),
      fact(
        4,
        Body(
          .edit, .entity(adds[1].key),
          [Write(done, .boolean(true)), Write(completedAt, .integer(7))])),
    ]
    history.facts = adds + ticks
    let records = history.folded()
    let completed = adds.map { records.document(of: $0.key)?.value(completedAt) }
    #expect(completed == [.integer(3), .integer(7)])
    let first: [UInt8] =
      [0x85, 0x50, 0, 0, 0, 0, 0, 0, 0x80, 1, 0x80, 0, 0, 0, 0, 0, 0, 0]
      + [0x02, 0xF5, 0x80, 0xA1, 0x07, 0x81, 0xF5]
    let second: [UInt8] =
      [0x85, 0x50, 0, 0, 0, 0, 0, 0, 0x80, 2, 0x80, 0, 0, 0, 0, 0, 0, 0]
      + [0x02, 0xF5, 0x80, 0xA3, 0x07, 0x81, 0xF5, 0x08, 0x81, 0x07, 0x0A, 0x81, 0x09]
    #expect(records.digest() == digest(ofBucket: [first, second]))
  }

  @Test func `Digest: kinds and fields of newer versions are included unchanged`() {
    var history = History()
    let ids = [UniqueID(high: 1, low: 1), UniqueID(high: 1, low: 2)]
    history.logs = ids.map { Causality.LogIdentity(id: $0, replica: $0) }
    func fact(_ log: UInt32, _ time: Int64, _ body: Body) -> Fact {
      Fact(
        key: EventKey(log: log, sequence: UInt64(time)), time: time, when: nil,
        hash: UniqueID(high: UInt64(time), low: 0), body: body)
    }
    let trip = fact(
      0, 1,
      Body(
        .add, .kind(Kind(rawValue: 6)),
        [
          Write(Field(rawValue: 5), .text("Rome")),
          Write(Field(rawValue: 30), .reference(.init(log: 0, sequence: 1))),
          Write(Field(rawValue: 40), .other([0xA1, 0x61, 0x6B, 0x61, 0x76])),
        ]))
    // Neither edit has seen the other.
    let edits = [
      fact(0, 2, Body(.edit, .entity(trip.key), [Write(Field(rawValue: 5), .boolean(true))])),
      fact(1, 3, Body(.edit, .entity(trip.key), [Write(Field(rawValue: 5), .texts(["x"]))])),
    ]
    history.facts = [trip] + edits
    let document: [UInt8] =
      [0x85, 0x50, 0, 0, 0, 0, 0, 0, 0x80, 1, 0x80, 0, 0, 0, 0, 0, 0, 0]
      + [0x06, 0xF5, 0x80, 0xA3, 0x05, 0x82, 0x81, 0x61, 0x78, 0xF5]
      + [0x18, 30, 0x81, 0x81, 0x50, 0, 0, 0, 0, 0, 0, 0x80, 1, 0x80, 0, 0, 0, 0, 0, 0, 0]
      + [0x18, 40, 0x81, 0xA1, 0x61, 0x6B, 0x61, 0x76]
    #expect(history.folded().digest() == digest(ofBucket: [document]))
  }

  @Test func `Digest: it has the bytes of the protocol`() throws {
    var history = History()
    let id = UniqueID(high: 1, low: 1)
    history.logs = [Causality.LogIdentity(id: id, replica: id)]
    func fact(_ sequence: UInt64, _ kind: Kind, _ writes: [Write]) -> Fact {
      Fact(
        key: EventKey(log: 0, sequence: sequence), time: 5, when: nil,
        hash: UniqueID(high: sequence, low: sequence), body: Body(.add, .kind(kind), writes))
    }
    let list = fact(1, .list, [Write(.source, .text("x")), Write(Field.List.name, .text("n"))])
    let todo = fact(2, .todo, [Write(Field.Todo.list, .reference(list.key))])
    history.facts = [todo, list]
    let first: [UInt8] =
      [0x85, 0x50, 0, 0, 0, 0, 0, 0, 0x80, 1, 0x80, 0, 0, 0, 0, 0, 0, 1]
      + [0x01, 0xF5, 0x81, 0x82, 0x00, 0x61, 0x78, 0xA1, 0x05, 0x81, 0x61, 0x6E]
    let second: [UInt8] =
      [0x85, 0x50, 0, 0, 0, 0, 0, 0, 0x80, 2, 0x80, 0, 0, 0, 0, 0, 0, 2]
      + [0x02, 0xF5, 0x80, 0xA1, 0x06, 0x81, 0x81]
      + [0x50, 0, 0, 0, 0, 0, 0, 0x80, 1, 0x80, 0, 0, 0, 0, 0, 0, 1]
    #expect(history.folded().digest() == digest(ofBucket: [first, second]))
  }

  /// The digest of a state whose documents all have ids that begin with twelve zero bits.
  private func digest(ofBucket documents: [[UInt8]]) -> Digest {
    func digest(of parts: [Digest]) -> Digest {
      var bytes = [0x80 + UInt8(parts.count)]
      for part in parts { bytes += [0x58, 0x20] + part.bytes }
      return SHA256.digest(of: bytes)
    }
    return digest(of: [digest(of: documents.map { SHA256.digest(of: $0) })])
  }
}
