import Bytes
import Domain
import TestDice
import Testing

@Suite struct CausalityTests {
  private let author: UInt32 = 0
  private let other: UInt32 = 1

  private func event(_ sequence: UInt64) -> EventKey { EventKey(log: author, sequence: sequence) }
  private func there(_ sequence: UInt64) -> EventKey { EventKey(log: other, sequence: sequence) }

  private func seen(_ causality: Causality, by sequence: UInt64, upTo last: UInt64) -> [UInt64] {
    (1...last).filter { causality.past(of: event(sequence), includes: there($0)) }
  }

  @Test func `Causality: a log keeps its number when it is named again`() {
    var causality = Causality()
    let one = UniqueID(high: 1, low: 1)
    let two = UniqueID(high: 2, low: 2)
    let numbers = [one, two, one].map { causality.number(of: $0, replica: one) }
    #expect(numbers == [0, 1, 0])
    #expect(causality.number(of: two) == 1)
    #expect(causality.number(of: UniqueID(high: 3, low: 3)) == nil)
    #expect(causality.logs.map(\.id) == [one, two])
  }

  @Test func `Causality: an event has seen only the earlier events of its log`() {
    let causality = Causality()
    let past = (1...3).map { causality.past(of: event(2), includes: event($0)) }
    #expect(past == [true, false, false])
  }

  @Test func `Causality: a seen event also counts as seen by all later events of the log`() {
    var causality = Causality()
    causality.note(event(3), saw: other, upTo: 2)
    causality.note(event(7), saw: other, upTo: 5)
    #expect(seen(causality, by: 2, upTo: 6) == [])
    #expect(seen(causality, by: 3, upTo: 6) == [1, 2])
    #expect(seen(causality, by: 6, upTo: 6) == [1, 2])
    #expect(seen(causality, by: 9, upTo: 6) == [1, 2, 3, 4, 5])
  }

  @Test func `Causality: the past of a seen event is not inherited`() {
    var causality = Causality()
    causality.note(there(1), saw: 2, upTo: 1)
    causality.note(event(1), saw: other, upTo: 1)
    #expect(!causality.past(of: event(1), includes: EventKey(log: 2, sequence: 1)))
    #expect(causality.areConcurrent(event(1), EventKey(log: 2, sequence: 1)))
  }

  @Test func `Causality: a hole counts as unseen until a later note covers it`() {
    var causality = Causality()
    causality.note(event(1), saw: other, upTo: 6, except: [2...3, 5...5])
    causality.note(event(4), saw: other, upTo: 6, except: [5...5])
    causality.note(event(6), saw: other, upTo: 6)
    #expect(seen(causality, by: 3, upTo: 7) == [1, 4, 6])
    #expect(seen(causality, by: 4, upTo: 7) == [1, 2, 3, 4, 6])
    #expect(seen(causality, by: 6, upTo: 7) == [1, 2, 3, 4, 5, 6])
    #expect(causality.logsWithExceptions == [other])
  }

  @Test func `Causality: notes in any order give the union of their pasts`() {
    var dice = Dice(seed: 11)
    for _ in 0..<300 {
      let notes = (0..<8).map { _ in
        let start = UInt64(dice.number(14))
        let hole = start...(start + UInt64(dice.number(4)))
        return Note(
          event: event(UInt64(1 + dice.number(6))), other: other, upTo: UInt64(dice.number(12)),
          except: dice.chance(50) ? [hole, 3...4] : [])
      }
      var causality = Causality()
      for note in notes { causality.note(note) }
      for sequence: UInt64 in 1...7 {
        let expected = (1...13).filter { number in
          notes.contains { note in
            note.event.sequence <= sequence && number <= note.upTo
              && !note.except.contains { $0.contains(number) }
          }
        }
        #expect(seen(causality, by: sequence, upTo: 13) == expected)
      }
    }
  }

  @Test func `Causality: a branch has seen its trunks and their pasts, not other branches`() {
    var script = Script()
    let (other, trunk) = (script.log(), script.log())
    script.history.notes.append(
      Note(event: EventKey(log: trunk, sequence: 2), other: other, upTo: 3))
    script.add(trunk, .list)
    script.add(trunk, .list)
    let branches = [script.branch(of: trunk), script.branch(of: trunk), script.branch(of: trunk)]
    let inner = script.branch(of: branches[0])
    let causality = script.history.causality
    let event = EventKey(log: inner, sequence: 3)
    for log in [trunk, branches[0]] {
      #expect(causality.past(of: event, includes: EventKey(log: log, sequence: 2)))
      #expect(!causality.past(of: EventKey(log: log, sequence: 2), includes: event))
    }
    #expect(causality.past(of: event, includes: EventKey(log: other, sequence: 3)))
    #expect(!causality.past(of: event, includes: EventKey(log: other, sequence: 4)))
    for log in branches.dropFirst() {
      #expect(causality.areConcurrent(event, EventKey(log: log, sequence: 3)))
    }
  }

  @Test func `Causality: a log counts as fully seen once notes and exceptions cover it`() {
    var causality = Causality()
    #expect(!causality.hasSeen(other, upTo: 1, except: [], by: author))
    causality.note(event(1), saw: other, upTo: 6, except: [2...3, 5...5])
    let told = [[], [2...3], [2...3, 5...5], [2...5]].map {
      causality.hasSeen(other, upTo: 6, except: $0, by: author)
    }
    #expect(told == [false, false, true, true])
    #expect(causality.hasSeen(other, upTo: 1, except: [], by: author))
    #expect(!causality.hasSeen(other, upTo: 7, except: [2...5], by: author))
  }

  @Test func `Causality: the largest possible numbers are handled`() {
    var causality = Causality()
    causality.note(event(.max), saw: other, upTo: .max, except: [0 ... .max])
    causality.note(event(.max), saw: .max, upTo: .max, except: [.max ... .max])
    #expect(!causality.past(of: event(.max), includes: there(1)))
    #expect(causality.past(of: event(.max), includes: EventKey(log: .max, sequence: 1)))
    #expect(causality.identity(of: .max) == nil)
  }
}
