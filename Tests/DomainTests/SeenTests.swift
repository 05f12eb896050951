import Bytes
import TestDice
import Testing

@testable import Domain

/// Compares queries for many events at once with single queries.
@Suite struct SeenTests {
  @Test(arguments: 0..<300 as Range<UInt64>)
  func `Causality: a query for many events equals single queries`(seed: UInt64) {
    let history = RandomHistory.make(seed: seed, steps: 60)
    let causality = history.causality
    var dice = Dice(seed: seed)
    for _ in 0..<20 {
      let events = (0..<dice.number(40)).compactMap { _ in dice.pick(history.facts)?.key }
      let observers = (0..<dice.number(40)).compactMap { _ in dice.pick(history.facts)?.key }
      let expected = events.map { event in
        observers.contains { causality.past(of: $0, includes: event) }
      }
      #expect(causality.areSeen(events, by: observers) == expected)
    }
  }

  @Test func `Causality: a query for many events ignores notes about an event's own log`() {
    var causality = Causality()
    let id = UniqueID(high: 1, low: 1)
    let log = causality.number(of: id, replica: id)
    causality.note(EventKey(log: log, sequence: 2), saw: log, upTo: 99)
    let events = (1...9).map { EventKey(log: log, sequence: $0) }
    let expected = (1...9).map { $0 < 9 }
    #expect(causality.areSeen(events, by: events) == expected)
    #expect(causality.areSeen([events[8]], by: [events[8]]) == [false])
  }

  /// Compares seen ranges with a list of all notes.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func `Seen ranges: notes in any order give the union of their ranges`(seed: UInt64) {
    var dice = Dice(seed: seed)
    var notes: [(event: UInt64, upTo: UInt64, except: [ClosedRange<UInt64>])] = []
    var sight = SeenRanges()
    for _ in 0..<12 {
      let except = (0..<dice.number(4)).map { _ in
        let first = UInt64(1 + dice.number(20))
        return first...first + UInt64(dice.number(3))
      }
      let note = (UInt64(1 + dice.number(9)), UInt64(dice.number(24)), except)
      notes.append(note)
      sight.note(note.0, upTo: note.1, except: note.2)
      for sequence in 1...25 as ClosedRange<UInt64> {
        for event in 1...10 as ClosedRange<UInt64> {
          let isSeen = notes.contains { note in
            note.event <= event && sequence <= note.upTo
              && !note.except.contains { $0.contains(sequence) }
          }
          #expect(sight.includes(sequence, at: event) == isSeen)
          #expect(sight.ranges(seenBy: event).contains { $0.contains(sequence) } == isSeen)
        }
        let isCovered = (1...sequence).allSatisfy { sight.includes($0, at: .max) }
        #expect(sight.covers(sequence, except: []) == isCovered)
        let left = (1...sequence).filter { $0 != 3 && $0 != 4 && $0 != 9 }
        let isCoveredButFor = left.allSatisfy { sight.includes($0, at: .max) }
        #expect(sight.covers(sequence, except: [9...9, 3...4]) == isCoveredButFor)
      }
    }
  }

  @Test func `Records: a copy keeps its state when the original changes`() {
    var script = Script()
    let log = script.log()
    let todos = (0..<3).map { _ in script.add(log, .todo) }
    script.write(log, .alias, .entity(todos[0]), [Write(.with, .reference(todos[1]))])
    var records = script.history.folded()
    let before = records
    let alias = script.write(log, .alias, .entity(todos[1]), [Write(.with, .reference(todos[2]))])
    records.apply(script.history.facts[4])
    #expect(before.document(of: todos[1])?.members == Array(todos.prefix(2)))
    #expect(records.document(of: todos[1])?.members == todos)
    #expect(before.document(of: todos[2])?.members == [todos[2]])
    script.write(log, .delete, .entity(alias))
    let joined = records
    records.apply(script.history.facts[5])
    #expect(records.document(of: todos[1])?.members == Array(todos.prefix(2)))
    #expect(joined.document(of: todos[1])?.members == todos)
  }

  @Test func `Dispute: only the latest sixteen logs of deletes and edits count`() {
    var script = Script()
    let (log, other) = (script.log(), script.log())
    let todo = script.add(log, .todo)
    let edit = script.edit(other, todo, [Write(Field.Todo.done, .null)], saw: [todo])
    var deletes: [EventKey] = []
    for number in 0..<17 {
      let writer = script.log()
      // All deletes except the first have seen the edit.
      deletes.append(script.delete(writer, todo, saw: number == 0 ? [todo] : [todo, edit]))
    }
    // The restore revives the to-do and is in conflict with none of the deletes.
    script.write(script.log(), .restore, .entity(todo), saw: [todo] + deletes.dropFirst())
    func dispute(_ facts: [Fact]) -> EventKey? {
      Records.fold(facts, causality: script.history.causality).document(of: todo)?
        .deleteAgainstEdit?.delete.key
    }
    #expect(dispute(script.history.facts) == nil)
    let fewer = script.history.facts.filter { $0.key != deletes[16] }
    #expect(dispute(fewer) == deletes[0])
  }
}
