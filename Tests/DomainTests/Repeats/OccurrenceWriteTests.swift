import Bytes
import Domain
import Testing

/// The entities that commands on an occurrence write to.
@Suite struct OccurrenceWriteTests {
  private let today: CivilDate
  private let slot: CivilDate

  init() throws {
    today = try CivilDate.parse("2026-11-26")
    slot = try CivilDate.parse("2026-11-23")
  }

  /// A story in which the first of two devices has added a weekly to-do that both know.
  private func story() throws -> (Story, EventKey) {
    var story = Story(devices: 2)
    let key = try add(&story)
    story.sync()
    return (story, key)
  }

  private func add(_ story: inout Story) throws -> EventKey {
    try story.run(
      .add(
        .todo,
        [
          Field.Todo.title: .text("Bins"), Field.Todo.due: .date(slot),
          Field.Todo.repeat: .text("FREQ=WEEKLY"),
        ]))[0].key
  }

  @Test func `Occurrence: a skipped one is added with its owner, its slot and the day`() throws {
    var (story, key) = try story()
    let id = try #require(story.document(key)?.id)
    let facts = try story.run(.skip([key], on: today))
    #expect(
      facts.map(\.body) == [
        Body(
          .add, .kind(.todo),
          [
            Write(.source, Source(occurrence: slot, of: nil, id: id).value),
            Write(.owner, .reference(key)), Write(Field.Todo.slot, .date(slot)),
            Write(Field.Todo.closedOn, .date(today)),
            Write(Field.Todo.cancelled, .boolean(true)),
          ])
      ])
  }

  @Test func `Occurrence: a field is written to each member that has it, or else to the oldest`()
    throws
  {
    var (story, key) = try story()
    let members = try (0...1).map { device in
      try story.run(.setDone([key], true, on: today), by: device)[0].key
    }
    story.sync()
    let noted = try story.run(.editOccurrence(members[1], [.note: .text("late")]), by: 1)
    #expect(noted.map(\.body.target) == [.entity(members[0])])
    let reopened = try story.run(.setDone([key], false), by: 1)
    #expect(reopened.map(\.body.target) == members.map(Body.Target.entity))
    for fact in reopened {
      #expect(
        fact.body.writes == [
          Write(Field.Todo.done, .boolean(false)), Write(Field.Todo.closedOn, .null),
        ])
    }
  }

  @Test func `Occurrence: once all members are dead, a new one is added with the same source`()
    throws
  {
    var (story, key) = try story()
    let first = try story.run(.setDone([key], true, on: today))
    story.undo(first)
    let again = try story.run(.setDone([key], true, on: today))
    #expect(again.map(\.body) == first.map(\.body))
    #expect(again.map(\.key) != first.map(\.key))
    let stored = try #require(story.records.recurrence(of: key)?.state.stored)
    #expect(stored.map(\.slot) == [slot] && stored.map(\.closing) == [.done])
    let document = try #require(stored[0].keys.first.flatMap { story.document($0) })
    #expect(document.members == again.map(\.key))
  }

  @Test func `Occurrence: in a joined series, the occurrences of all members count`() throws {
    var (story, key) = try story()
    let other = try add(&story)
    try story.run(.setDone([key], true, on: today))
    for _ in 0..<2 { try story.run(.setDone([other], true, on: today)) }
    try story.run(.join(key, other))
    for key in [key, other] {
      let state = try #require(story.records.recurrence(of: key)?.state)
      #expect(state.stored.map(\.slot.iso) == ["2026-11-23", "2026-11-30"])
      #expect(state.stored.map(\.keys.count) == [2, 1])
      #expect(state.current?.slot.iso == "2026-12-07")
    }
  }
}
