import Bytes
import Domain
import Testing

/// Occurrences have the title of their series.
struct SeriesTitleTests {
  private static let fields: [Field: Value] = [
    Field.Todo.title: .text("Bins"), Field.Todo.repeat: .text("FREQ=WEEKLY"),
  ]

  /// Returns a book with a series, its key, and the completion of its first date.
  private func story() throws -> (Story, series: EventKey, done: [Fact]) {
    let due = try CivilDate(year: 2026, month: 11, day: 23)
    var story = Story()
    let fields = Self.fields.merging([Field.Todo.due: .date(due)]) { $1 }
    let series = try #require(try story.run(.add(.todo, fields)).first).key
    let done = try story.run(.setDone([series], true, on: due))
    return (story, series, done)
  }

  @Test func `Occurrence: it has the title of its series, even after the title has changed`() throws
  {
    var (story, series, done) = try story()
    let occurrence = try #require(done.first).key
    #expect(story.document(occurrence)?.seriesTitle == "Bins")
    #expect(story.document(series)?.seriesTitle == nil)
    try story.run(.edit(series, [Field.Todo.title: .text("Paper")]))
    #expect(story.document(occurrence)?.seriesTitle == "Paper")
    story.undo(done)
    #expect(!story.isAlive(occurrence))
    #expect(story.document(occurrence)?.seriesTitle == "Paper")
  }

  @Test func `Occurrence: occurrences that name each other as their series are read`() {
    var story = Story()
    let keys = [1, 2].map { EventKey(log: 0, sequence: $0) }
    story.write([
      Draft(.add, .kind(.todo), [Write(.owner, .reference(keys[1]))]),
      Draft(.add, .kind(.todo), [Write(.owner, .reference(keys[0]))]),
    ])
    let records = story.records
    for key in keys {
      #expect(
        records.document(of: key).map { [$0.isOccurrence, records.isShown($0)] } == [true, false])
      #expect(records.document(of: key)?.seriesTitle == nil)
    }
  }

  @Test func `Series: its due date can be moved, but not cleared`() throws {
    let (story, series, _) = try story()
    let later = try CivilDate(year: 2026, month: 12, day: 1)
    let month = try CivilDate.parse("2026-12")
    let records = story.records
    #expect(throws: Never.self) {
      try checkOccurrences(in: .edit(series, [Field.Todo.due: .date(later)]), on: records)
    }
    for due in [Value.null, .date(month)] {
      for command in [
        Command.edit(series, [Field.Todo.due: due]), .setRepeat(series, [Field.Todo.due: due]),
      ] {
        #expect(throws: Refusal.repeatsWithoutDue) {
          try checkOccurrences(in: command, on: records)
        }
      }
    }
  }
}
