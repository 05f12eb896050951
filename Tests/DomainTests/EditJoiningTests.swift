import Testing

@testable import Domain

/// Two edits of a record that become one.
struct EditJoiningTests {
  private typealias Todo = Field.Todo

  private static let day = Value.date(CivilDate(valid: 2026, 11, 26))
  private static let morrow = Value.date(CivilDate(valid: 2026, 11, 27))

  private func joined(_ earlier: [Field: Value], _ later: [Field: Value]) -> [Field: Value] {
    Command.joining(earlier, with: later)
  }

  @Test func `Joined edits: the later value of a field counts, and other fields stay`() {
    let earlier: [Field: Value] = [Todo.title: .text("a"), .note: .text("n"), Todo.due: Self.day]
    let later: [Field: Value] = [Todo.title: .text("b"), Todo.priority: .integer(2)]
    #expect(
      joined(earlier, later) == [
        Todo.title: .text("b"), .note: .text("n"), Todo.due: Self.day, Todo.priority: .integer(2),
      ])
  }

  @Test func `Joined edits: setting all tags replaces earlier changes to single tags`() {
    let changes: [Field: Value] = [
      Field(tag: "a"): .boolean(false), Field(tag: "c"): .text("c"),
    ]
    let all: [Field: Value] = [.tags: .texts(["a", "b"])]
    #expect(joined(changes, all) == all)
    #expect(joined(all, changes) == all.merging(changes) { $1 })
  }

  @Test func `Joined edits: a later state replaces one that it excludes`() {
    let done: [Field: Value] = [Todo.done: .boolean(true)]
    let cancelled: [Field: Value] = [Todo.cancelled: .boolean(true)]
    #expect(joined(done, cancelled) == cancelled)
    #expect(joined(cancelled, done) == done)
    let open: [Field: Value] = [Todo.cancelled: .boolean(false)]
    #expect(joined(done, open) == done.merging(open) { $1 })
  }

  @Test func `Joined edits: without a due day there is no time, and without a time no zone`() {
    let timed: [Field: Value] = [
      Todo.due: Self.day, Todo.dueTime: .integer(600), Todo.zone: .text("Europe/Berlin"),
    ]
    #expect(joined(timed, [Todo.due: .null]) == [Todo.due: .null])
    #expect(joined(timed, [Todo.dueTime: .null]) == [Todo.due: Self.day, Todo.dueTime: .null])
    #expect(
      joined(timed, [Todo.due: Self.morrow]) == [
        Todo.due: Self.morrow, Todo.dueTime: .integer(600), Todo.zone: .text("Europe/Berlin"),
      ])
  }

  @Test
  func `Joined edits: a new rule has no earlier end, and a later end replaces an earlier one`() {
    let ended: [Field: Value] = [Todo.repeat: .text("FREQ=DAILY"), Todo.until: Self.day]
    let weekly: [Field: Value] = [Todo.repeat: .text("FREQ=WEEKLY")]
    #expect(joined(ended, weekly) == weekly)
    #expect(joined([Todo.repeat: .null], [Todo.until: Self.day]) == [Todo.until: Self.day])
    #expect(joined(weekly, [Todo.until: Self.day]) == weekly.merging([Todo.until: Self.day]) { $1 })
  }
}
