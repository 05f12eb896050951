import Bytes
import Domain
import Testing

/// Edits of the dates of a whole series, some dates of which have been moved alone.
@Suite struct SeriesDatesTests {
  private let today: CivilDate

  init() throws { today = try CivilDate.parse("2026-12-01") }

  private func date(_ text: String) throws -> Value { .date(try CivilDate.parse(text)) }

  private func story(_ rule: String, from due: String) throws -> (Story, EventKey) {
    var story = Story()
    let key = try story.run(
      .add(
        .todo,
        [
          Field.Todo.title: .text("Bins"), Field.Todo.due: try date(due),
          Field.Todo.repeat: .text(rule),
        ]))[0].key
    return (story, key)
  }

  /// The due dates that a series shows, each closed before the next.
  private func dues(_ story: inout Story, _ key: EventKey, _ count: Int) throws -> [String] {
    try (0..<count).map { _ in
      let due = story.records.recurrence(of: key)?.state.current?.due.iso ?? "none"
      try story.run(.setDone([key], true, on: today))
      return due
    }
  }

  @Test func `Edit: a new date of a series replaces a date that was moved separately`() throws {
    var (story, key) = try story("FREQ=WEEKLY;BYDAY=MO", from: "2026-12-07")
    try story.run(.editOccurrence(key, [Field.Todo.due: try date("2026-12-09")]))
    try story.run(.editSeries(key, [Field.Todo.due: try date("2026-12-08")]))
    #expect(try dues(&story, key, 3) == ["2026-12-08", "2026-12-14", "2026-12-21"])
  }

  @Test func `Edit: setting the series' own date replaces a moved date`() throws {
    var (story, key) = try story("FREQ=WEEKLY", from: "2026-12-05")
    try story.run(.editOccurrence(key, [Field.Todo.due: try date("2026-12-06")]))
    let due = [Field.Todo.due: try date("2026-12-05")]
    #expect(try !story.run(.editSeries(key, due)).isEmpty)
    #expect(try story.run(.editSeries(key, due)).isEmpty)
    #expect(try dues(&story, key, 2) == ["2026-12-05", "2026-12-12"])
  }

  @Test func `Edit: a moved date that is not current is dropped, too`() throws {
    var (story, key) = try story("FREQ=WEEKLY", from: "2026-12-08")
    try story.run(.editOccurrence(key, [Field.Todo.due: try date("2026-12-02")]))
    try story.run(.edit(key, [Field.Todo.due: try date("2026-12-03")]))
    try story.run(
      .setRepeat(
        key,
        [
          Field.Todo.repeat: .text("FREQ=WEEKLY;INTERVAL=2"),
          Field.Todo.due: try date("2026-12-03"),
        ]))
    #expect(try dues(&story, key, 2) == ["2026-12-03", "2026-12-17"])
  }

  @Test func `Edit: a date with its own note stays, without its own due date`() throws {
    var (story, key) = try story("FREQ=WEEKLY", from: "2026-12-08")
    try story.run(
      .editOccurrence(
        key, [Field.Todo.due: try date("2026-12-09"), .note: .text("with paper")]))
    try story.run(.editSeries(key, [Field.Todo.due: try date("2026-12-08")]))
    let stored = try #require(story.records.recurrence(of: key)?.stored.first)
    #expect(story.document(stored.key)?.note == "with paper")
    #expect(try dues(&story, key, 2) == ["2026-12-08", "2026-12-15"])
  }

  @Test func `Edit: a time for all dates replaces the times of dates that were moved separately`()
    throws
  {
    var (story, key) = try story("FREQ=WEEKLY", from: "2026-12-08")
    try story.run(
      .editOccurrence(
        key, [Field.Todo.due: try date("2026-12-09"), Field.Todo.dueTime: .integer(600)]))
    try story.run(.editSeries(key, [Field.Todo.dueTime: .integer(900)]))
    #expect(story.document(key)?.value(Field.Todo.dueTime) == .integer(900))
    let stored = try #require(story.records.recurrence(of: key)?.stored.first)
    #expect(story.document(stored.key)?.value(Field.Todo.dueTime) == .null)
    #expect(try dues(&story, key, 2) == ["2026-12-08", "2026-12-15"])
  }

  @Test func `Edit: a series that counts from its completion is due on the requested date`() throws
  {
    var (story, key) = try story("FREQ=DAILY;INTERVAL=3;FROM=DONE", from: "2026-12-01")
    try story.run(.setDone([key], true, on: today))
    try story.run(.editSeries(key, [Field.Todo.due: try date("2026-12-10")]))
    #expect(story.records.recurrence(of: key)?.state.current?.due.iso == "2026-12-10")
  }

  @Test func `Cancel: each date that is stored as open is closed`() throws {
    var (story, key) = try story("FREQ=DAILY;MISSED=KEEP", from: "2026-11-29")
    let first = try story.run(.setDone([key], true, on: today))[0].key
    try story.run(.setDone([key], true, on: today))
    try story.run(.setDone([key], false))
    try story.run(.setDone([first], false))
    try story.run(.cancel([key], on: today))
    #expect(story.records.recurrence(of: key)?.state.isFinished == true)
    try story.run(.setDone([key], false))
    #expect(try dues(&story, key, 2) == ["2026-11-29", "2026-11-30"])
  }
}
