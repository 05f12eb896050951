import Domain
import TestDice
import Testing

/// The values of a field that the author of an edit knew.
struct FieldPastsTests {
  /// All writes to a field before an event that its author knew, looked up one by one.
  private static func naive(
    _ fact: Fact, _ field: Field, _ facts: [Fact], _ causality: Causality
  ) -> [Value] {
    let seen = facts.compactMap { other -> (fact: Fact, values: [Value])? in
      let target: EventKey? =
        switch (other.body.verb, other.body.target) {
        case (.add, _): other.key
        case (.edit, .entity(let target)): target
        default: nil
        }
      guard .entity(target ?? other.key) == fact.body.target, target != nil,
        let first = other.body.writes.last(where: { $0.field == field })
          ?? implied(field, by: other, facts),
        causality.past(of: fact.key, includes: other.key)
      else { return nil }
      // A note has no alternatives.
      let numbers = field > .owner ? Array(1...Field.mostAlternatives) : []
      let others = numbers.compactMap { number in
        other.body.writes.last { $0.field == field.alternative(number) }?.value
      }
      return (other, [first.value] + others)
    }
    let surviving = seen.filter { write in
      !seen.contains { causality.past(of: $0.fact.key, includes: write.fact.key) }
    }
    let ordered = surviving.sorted { left, right in
      stamp(left.fact, causality) > stamp(right.fact, causality)
    }
    var values: [Value] = []
    for value in ordered.flatMap(\.values) where !values.contains(value) { values.append(value) }
    return values
  }

  /// The write to a field of a to-do that follows from the other writes of an event.
  private static func implied(_ field: Field, by fact: Fact, _ facts: [Fact]) -> Write? {
    guard [Field.Todo.completedAt, Field.Todo.createdAt].contains(field) else { return nil }
    let isOfTodo = facts.contains { other in
      other.body.target == .kind(.todo)
        && (other.key == fact.key || fact.body.target == .entity(other.key))
    }
    guard isOfTodo else { return nil }
    let time = Value.integer(fact.effectiveTime)
    if field == Field.Todo.createdAt { return fact.body.verb == .add ? Write(field, time) : nil }
    guard field == Field.Todo.completedAt,
      let done = fact.body.writes.last(where: { $0.field == Field.Todo.done })
    else { return nil }
    return Write(field, done.value == .boolean(true) ? time : .null)
  }

  private static func stamp(_ fact: Fact, _ causality: Causality) -> Stamp {
    Stamp(
      time: fact.time, replica: causality.logs[Int(fact.key.log)].replica,
      sequence: fact.key.sequence, hash: fact.hash)
  }

  @Test func `Replaced values: an edit replaces the values that its author knew`() {
    var (single, several) = (0, 0)
    for seed: UInt64 in 0..<250 {
      let history = RandomHistory.make(seed: seed, steps: 40 + Int(seed % 80))
      let facts = history.facts.sorted { $0.key < $1.key }
      let causality = history.causality
      let pasts = FieldPasts(of: facts, among: facts, causality: causality)
      for fact in facts where fact.body.verb == .edit {
        for field in Set(fact.body.writes.map(\.field.base)) {
          let replaced = pasts.replaced(by: fact, field).map(\.value)
          let naive = Self.naive(fact, field, facts, causality)
          guard replaced == naive else {
            Issue.record("seed \(seed), \(fact.key): \(replaced) and not \(naive)")
            return
          }
          if replaced.count == 1 { single += 1 }
          if replaced.count > 1 { several += 1 }
        }
      }
    }
    #expect(single > 200)
    #expect(several > 0)
  }

  @Test func `Replaced values: the shown value comes first, and equal values once`() {
    var script = Script()
    let (one, other, third) = (script.log(), script.log(), script.log())
    let title = Field.Todo.title
    let todo = script.add(one, .todo, [Write(title, .text("A"))])
    let there = script.edit(other, todo, [Write(title, .text("B"))], saw: [todo])
    let again = script.edit(third, todo, [Write(title, .text("B"))], saw: [todo])
    let here = script.edit(one, todo, [Write(title, .text("C"))])
    script.edit(one, todo, [Write(title, .text("D"))], saw: [there, again])
    script.edit(other, todo, [Write(title, .text("E"))])
    let facts = script.history.facts.sorted { $0.key < $1.key }
    let pasts = FieldPasts(of: facts, among: facts, causality: script.history.causality)
    let replaced = facts.map { pasts.replaced(by: $0, title).map(\.key) }
    #expect(replaced == [[], [todo], [here, again], [todo], [there], [todo]])
  }

  @Test func `Replaced values: adds and events outside the query replace nothing`() {
    var script = Script()
    let log = script.log()
    let todo = script.add(log, .todo, [Write(Field.Todo.title, .text("A"))])
    script.edit(log, todo, [Write(Field.Todo.title, .text("B"))])
    let facts = script.history.facts
    let causality = script.history.causality
    let none = FieldPasts(of: [facts[0]], among: facts, causality: causality)
    #expect(none.replaced(by: facts[0], Field.Todo.title).isEmpty)
    #expect(none.replaced(by: facts[1], Field.Todo.title).isEmpty)
    let all = FieldPasts(of: facts, among: facts, causality: causality)
    #expect(all.replaced(by: facts[1], Field.Todo.title).map(\.key) == [todo])
  }

  @Test func `Replaced values: the writes that other writes imply count, but only for to-dos`() {
    var script = Script()
    let (log, other) = (script.log(), script.log())
    let (done, completed) = (Field.Todo.done, Field.Todo.completedAt)
    let todo = script.add(log, .todo, [Write(Field.Todo.title, .text("A"))])
    let tick = script.edit(log, todo, [Write(done, .boolean(true))])
    script.edit(
      log, todo, [Write(completed, .integer(5)), Write(Field.Todo.createdAt, .integer(4))])
    script.edit(other, todo, [Write(completed, .integer(6))], saw: [tick])
    script.edit(log, todo, [Write(done, .boolean(false))])
    script.edit(log, todo, [Write(completed, .integer(7))])
    // Other kinds use the same numbers for other fields.
    let list = script.add(log, .list, [Write(Field.List.name, .text("B"))])
    script.edit(log, list, [Write(Field.Todo.createdAt, .integer(4))])
    let facts = script.history.facts.sorted { $0.key < $1.key }
    let pasts = FieldPasts(of: facts, among: facts, causality: script.history.causality)
    let replaced = facts.filter { $0.body.verb == .edit }.map { fact in
      pasts.replaced(by: fact, completed).map(\.value)
        + pasts.replaced(by: fact, Field.Todo.createdAt).map(\.value)
    }
    let time = { (key: EventKey) in facts.first { $0.key == key }.map(\.effectiveTime) ?? 0 }
    let (added, ticked) = (Value.integer(time(todo)), Value.integer(time(tick)))
    // The edits of the first log come first.
    #expect(
      replaced == [
        [added], [ticked, added], [.integer(5), .integer(4)], [.null, .integer(4)], [],
        [ticked, added],
      ])
  }
}
