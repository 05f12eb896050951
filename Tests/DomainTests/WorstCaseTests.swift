import Bytes
import TestDice
import Testing

@testable import Domain

/// Input that only a hostile device would write.
///
/// Each test would take minutes if every item were compared with every other.
@Suite(.timeLimit(.minutes(1))) struct WorstCaseTests {
  private static let many = 40_000

  private var script = Script()

  private mutating func todo(_ log: UInt32, _ writes: [Write] = []) -> EventKey {
    script.add(log, .todo, writes)
  }

  private mutating func join(_ log: UInt32, _ one: EventKey, _ two: EventKey) -> EventKey {
    script.write(log, .alias, .entity(one), [Write(.with, .reference(two))])
  }

  /// The only document; the digest must cover the same documents.
  private func only(_ records: Records) -> Document? {
    let documents = records.documents { _ in true }
    #expect(documents.count == 1)
    #expect(records.documentDigests().map(\.document.id) == documents.map(\.id))
    return documents.first
  }

  @Test mutating func `Worst case: a chain of aliases gives one document`() {
    let log = script.log()
    var todos = [todo(log)]
    for _ in 1..<Self.many {
      todos.append(todo(log))
      _ = join(log, todos[todos.count - 2], todos[todos.count - 1])
    }
    let records = script.history.folded()
    #expect(only(records)?.members == todos)
    #expect(todos.allSatisfy { records.shownMember(of: $0) == todos[0] })
  }

  @Test mutating func `Worst case: a star of aliases, deleted and restored, gives one document`() {
    let log = script.log()
    let first = todo(log)
    var todos = [first]
    for _ in 1..<Self.many {
      todos.append(todo(log))
      let alias = join(log, first, todos[todos.count - 1])
      script.write(log, .delete, .entity(alias))
      script.write(log, .restore, .entity(alias))
    }
    #expect(only(script.history.folded())?.members == todos)
  }

  @Test mutating func `Worst case: to-dos of one source are one document`() {
    let log = script.log()
    let source = Write(.source, Source(uidText: "one").value)
    let todos = (0..<Self.many).map { _ in todo(log, [source]) }
    #expect(only(script.history.folded())?.members == todos)
  }

  @Test mutating func `Worst case: joined entities of different kinds stay separate documents`() {
    let log = script.log()
    var last = script.add(log, Kind(rawValue: 100))
    for number in 1..<UInt64(Self.many) {
      let next = script.add(log, Kind(rawValue: 100 + number))
      _ = join(log, last, next)
      last = next
    }
    let documents = script.history.folded().documents { _ in true }
    #expect(documents.count == Self.many)
    #expect(documents.allSatisfy { $0.members.count == 1 })
  }

  @Test mutating func `Worst case: aliases applied in order touch every entity once`() {
    let log = script.log()
    var todos = [todo(log)]
    for _ in 1..<Self.many {
      todos.append(todo(log))
      _ = join(log, todos[todos.count - 2], todos[todos.count - 1])
    }
    var records = Records(causality: script.history.causality)
    #expect(records.apply(script.history.facts) == script.history.facts.map(\.key).sorted())
    #expect(records.takeTouched().count == script.history.facts.count)
  }

  @Test mutating func `Worst case: concurrent values of 10,000 logs all survive`() {
    let todo = todo(script.log())
    for number in 0..<10_000 {
      let log = script.log()
      script.edit(log, todo, [Write(Field.Todo.title, .text("\(number)"))], saw: [todo])
    }
    let document = only(script.history.folded())
    #expect(document?.shown(Field.Todo.title)?.survivors.count == 10_000)
    #expect(document?.conflicts.map(\.field) == [Field.Todo.title])
  }

  @Test mutating func `Worst case: a write that has seen 10,000 others replaces them all`() {
    let todo = todo(script.log())
    var edits: [EventKey] = []
    for number in 0..<10_000 {
      let log = script.log()
      edits.append(
        script.edit(log, todo, [Write(Field.Todo.done, .boolean(number % 2 == 0))], saw: [todo]))
    }
    let last = script.edit(
      script.log(), todo, [Write(Field.Todo.done, .null)], saw: edits)
    let shown = only(script.history.folded())?.shown(Field.Todo.done)
    #expect(shown?.survivors.map(\.key) == [last])
  }

  @Test mutating func `Worst case: fields written in reverse order are all kept`() {
    let log = script.log()
    let todo = todo(log)
    // All fields except those of a to-do.
    for number in (100..<Field.disputed.rawValue).reversed() {
      script.edit(log, todo, [Write(Field(rawValue: number), .integer(1))])
    }
    let fields = only(script.history.folded())?.fields.map(\.field.rawValue) ?? []
    #expect(fields == [10] + (100..<Field.disputed.rawValue))
  }

  @Test mutating func `Worst case: deletes and restores that are all kept leave the last one`() {
    let (log, other) = (script.log(), script.log())
    let todo = todo(log)
    script.add(other, .list, saw: [EventKey(log: log, sequence: 3)], time: nil)
    script.history.notes[0].except = [2...2]
    for _ in 0..<Self.many { script.delete(log, todo) }
    for number in 0..<Self.many {
      script.write(log, number % 2 == 0 ? .restore : .delete, .entity(todo))
    }
    let records = script.history.folded()
    #expect(records.entities[todo]?.deletes.count == Self.many + Self.many / 2)
    #expect(records.document(of: todo)?.isAlive == false)
  }

  @Test func `Worst case: gaps filled one by one are tracked exactly`() {
    var sight = SeenRanges()
    let count = UInt64(Self.many)
    sight.note(1, upTo: 2 * count, except: (1...count).map { 2 * $0 - 1...2 * $0 - 1 })
    for number in 1...count { sight.note(1 + number, upTo: 2 * number - 1, except: []) }
    #expect(sight.includes(2 * count, at: 1))
    #expect((1...count).allSatisfy { sight.includes(2 * $0 - 1, at: 1 + $0) })
    #expect((1...count).allSatisfy { !sight.includes(2 * $0 - 1, at: $0) })
    #expect(sight.covers(2 * count, except: []))
  }
}
