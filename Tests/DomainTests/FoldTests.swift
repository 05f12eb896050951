import Bytes
import Domain
import Testing

/// The counterexamples that led to the merge rules, by rule.
@Suite struct FoldTests {
  private let name = Field.List.name

  private func texts(_ document: Document?, _ field: Field) -> [Value]? {
    document?.shown(field)?.survivors.map(\.value)
  }

  @Test func `Fold: the past of a seen event is not inherited`() {
    // C writes p, B sees p and writes q, and A has only B's log and writes r. Therefore, r and p are concurrent.
    var script = Script()
    let (a, b, c) = (script.log(), script.log(), script.log())
    let list = script.add(b, .list, [Write(name, .text("first"))])
    let p = script.edit(c, list, [Write(name, .text("p"))], saw: [list])
    let q = script.edit(b, list, [Write(.note, .text("q"))], saw: [p])
    script.edit(a, list, [Write(name, .text("r"))], saw: [q])
    let document = script.records.document(of: list)
    #expect(texts(document, name) == [.text("r"), .text("p")])
    #expect(document?.conflicts.map(\.field) == [name])
  }

  @Test func `Fold: a superseded write still supersedes the writes that it has seen`() {
    // With the survivors alone, replicas would not converge: y replaces x, z replaces y, and z has not seen x.
    var script = Script()
    let (a, b, c) = (script.log(), script.log(), script.log())
    let list = script.add(a, .list)
    let x = script.edit(a, list, [Write(name, .text("x"))])
    let y = script.edit(b, list, [Write(name, .text("y"))], saw: [x])
    script.edit(c, list, [Write(name, .text("z"))], saw: [y])
    var facts = script.history.facts
    for _ in facts {
      facts.append(facts.removeFirst())
      let records = Records.fold(facts, causality: script.history.causality)
      #expect(texts(records.document(of: list), name) == [.text("z")])
    }
  }

  @Test func `Fold: an edit in a hole in another edit's past stays as a conflict`() {
    var script = Script()
    let (a, b) = (script.log(), script.log())
    let list = script.add(a, .list)
    script.edit(a, list, [Write(name, .text("missed"))])
    let last = script.edit(a, list, [Write(.note, .text("seen"))])
    script.edit(b, list, [Write(name, .text("theirs"))], saw: [last], except: [2...2])
    #expect(
      texts(script.records.document(of: list), name) == [.text("theirs"), .text("missed")])
  }

  @Test func `Fold: the chain hash decides between branches of one log`() {
    var script = Script()
    let trunk = script.log()
    let branch = script.log(of: trunk)
    let list = script.add(trunk, .list, time: 5)
    script.add(branch, .list, time: 5)
    let one = script.edit(trunk, list, [Write(name, .text("one"))], time: 9)
    let two = script.edit(branch, list, [Write(name, .text("two"))], time: 9)
    let higher = script.history.facts.filter { [one, two].contains($0.key) }
      .max { $0.hash < $1.hash }
    let document = script.records.document(of: list)
    #expect(document?.shown(name)?.survivors.first?.key == higher?.key)
    #expect(document?.shown(name)?.isConflict == true)
  }

  @Test func `Fold: if an event is missing, the values of the others are shown`() {
    var script = Script()
    let (a, b) = (script.log(), script.log())
    let list = script.add(a, .list, [Write(name, .text("kept"))])
    let edit = script.edit(b, list, [Write(name, .text("cut"))], saw: [list])
    let left = script.history.facts.filter { $0.key != edit }
    let records = Records.fold(left, causality: script.history.causality)
    #expect(texts(records.document(of: list), name) == [.text("kept")])
  }

  @Test func `Fold: an edit takes effect once its add arrives`() {
    var script = Script()
    let (a, b) = (script.log(), script.log())
    let list = script.add(a, .list)
    let todo = script.add(a, .todo)
    script.edit(
      b, todo,
      [Write(Field.Todo.list, .reference(list)), Write(Field.Todo.done, .boolean(true))],
      saw: [todo], time: 77)
    script.delete(a, list)
    let facts = script.history.facts
    var records = Records.fold([facts[0], facts[2], facts[3]], causality: script.history.causality)
    #expect(records.document(of: todo) == nil)
    #expect(records.document(of: list)?.isAlive == false)
    #expect(Set(records.apply(facts[1])) == [todo, list])
    #expect(records.document(of: todo)?.value(Field.Todo.completedAt) == .integer(77))
    #expect(records.document(of: list)?.isAlive == true)
  }

  @Test func `Fold: the highest stamp wins, and equal values are merged`() {
    var script = Script()
    let (a, b, c) = (script.log(), script.log(), script.log())
    let list = script.add(a, .list)
    script.edit(a, list, [Write(name, .text("same"))], time: 50)
    script.edit(b, list, [Write(name, .text("same"))], saw: [list], time: 60)
    #expect(script.records.document(of: list)?.conflicts == [])
    script.edit(c, list, [Write(name, .text("other"))], saw: [list], time: 55)
    let document = script.records.document(of: list)
    #expect(texts(document, name) == [.text("same"), .text("other")])
    #expect(document?.value(name) == .text("same"))
  }

  @Test func `Fold: quiet fields show their latest write without conflict`() {
    var script = Script()
    let (a, b) = (script.log(), script.log())
    let todo = script.add(a, .todo)
    script.edit(a, todo, [Write(Field.Todo.position, .integer(1))])
    script.edit(b, todo, [Write(Field.Todo.position, .integer(2))], saw: [todo])
    let shown = script.records.document(of: todo)?.shown(Field.Todo.position)
    #expect(shown?.value == .integer(2))
    #expect(shown?.survivors.count == 2)
    #expect(shown?.isConflict == false)
  }
}

extension FoldTests {
  @Test func `Fold: a tick implies the completion time and an add the creation time`() {
    var script = Script()
    let a = script.log()
    let todo = script.add(a, .todo, time: 5, when: 3)
    func shown() -> [Value?] {
      let document = script.records.document(of: todo)
      return [Field.Todo.createdAt, Field.Todo.completedAt].map { document?.value($0) }
    }
    #expect(shown() == [.integer(3), .null])
    script.edit(a, todo, [Write(Field.Todo.done, .boolean(true))], time: 9)
    #expect(shown() == [.integer(3), .integer(9)])
    script.edit(a, todo, [Write(Field.Todo.done, .boolean(false))], time: 10)
    #expect(shown() == [.integer(3), .null])
    script.edit(
      a, todo,
      [Write(Field.Todo.done, .boolean(true)), Write(Field.Todo.completedAt, .integer(2))])
    #expect(shown() == [.integer(3), .integer(2)])
    // The time of the tick counts where it differs from the time of the write.
    script.edit(a, todo, [Write(Field.Todo.done, .boolean(true))], time: 12, when: 4)
    #expect(shown() == [.integer(3), .integer(4)])
  }

  @Test func `Fold: an explicit completion time replaces the implied one`() {
    var script = Script()
    let (a, b) = (script.log(), script.log())
    let todo = script.add(a, .todo)
    let done = script.edit(a, todo, [Write(Field.Todo.done, .boolean(true))], time: 9)
    script.edit(b, todo, [Write(Field.Todo.completedAt, .integer(4))], saw: [done])
    #expect(script.records.document(of: todo)?.value(Field.Todo.completedAt) == .integer(4))
  }

  @Test func `Fold: owner and source are written only by the add`() {
    var script = Script()
    let a = script.log()
    let question = script.add(a, .question)
    let choice = script.add(a, .choice, [Write(.owner, .reference(question))])
    script.edit(a, choice, [Write(.owner, .null), Write(.source, .text("late"))])
    let document = script.records.document(of: choice)
    #expect(document?.value(.owner) == .reference(question))
    #expect(document?.sources == [])
  }

  @Test func `Fold: a reference to a missing record reads as null`() {
    var script = Script()
    let a = script.log()
    let nowhere = EventKey(log: 9, sequence: 9)
    let todo = script.add(a, .todo, [Write(Field.Todo.list, .reference(nowhere))])
    let choice = script.add(a, .choice, [Write(.owner, .reference(nowhere))])
    let records = script.records
    let documents = [todo, choice].compactMap { records.document(of: $0) }
    #expect(documents.map { $0.value(Field.Todo.list) } == [.null, .null])
    #expect(documents.map(records.isShown) == [true, false])
  }

  @Test func `Fold: children of a deleted parent are hidden and return with it`() {
    var script = Script()
    let a = script.log()
    let list = script.add(a, .list)
    let todo = script.add(a, .todo, [Write(Field.Todo.list, .reference(list))])
    func isShown() -> Bool? {
      let records = script.records
      return records.document(of: todo).map(records.isShown)
    }
    #expect(isShown() == true)
    script.delete(a, list)
    #expect(isShown() == false)
    script.restore(a, list)
    #expect(isShown() == true)
  }

  @Test func `Fold: documents with one id have the same digest whatever the numbers of their logs`()
  {
    // Two branches begin with the same add.
    let hash = UniqueID(high: 7, low: 7)
    let digests = [[0, 1], [1, 0]].map { (numbers: [UInt64]) in
      let logs = numbers.map {
        Causality.LogIdentity(id: UniqueID(high: 1, low: $0), replica: hash)
      }
      let facts = numbers.enumerated().flatMap { number, branch in
        let key = EventKey(log: UInt32(number), sequence: 1)
        let edit = Body(.edit, .entity(key), [Write(Field.List.colour, .integer(Int64(branch)))])
        return [
          Fact(key: key, time: 1, when: nil, hash: hash, body: Body(.add, .kind(.list), [])),
          Fact(
            key: EventKey(log: key.log, sequence: 2), time: 2, when: nil,
            hash: UniqueID(high: 8, low: UInt64(branch)), body: edit),
        ]
      }
      return History(logs: logs, facts: facts).folded().digest()
    }
    #expect(digests[0] == digests[1])
  }

  @Test func `Fold: invalid bodies leave the digest unchanged`() {
    var script = Script()
    let a = script.log()
    let list = script.add(a, .list)
    let before = script.records.digest()
    script.write(a, .add, .entity(list))
    script.write(a, .delete, .kind(.list))
    script.write(a, .alias, .entity(list), [Write(.with, .text("nobody"))])
    script.write(a, .alias, .entity(list), [Write(.with, .reference(list))])
    script.edit(a, EventKey(log: .max, sequence: .max), [Write(name, .other([0xF7]))])
    script.delete(a, EventKey(log: 78, sequence: 0))
    #expect(script.records.digest() == before)
  }
}
