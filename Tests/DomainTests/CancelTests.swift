import Domain
import Testing

@Suite struct CancelTests {
  private func day(_ words: String) throws -> CivilDate { try .parse(words) }

  private func state(_ story: Story, _ key: EventKey) throws -> [Bool] {
    let todo = try #require(story.document(key).flatMap(Todo.init))
    return [todo.isDone, todo.isCancelled, todo.isClosed]
  }

  @Test func `Cancel: an open to-do is closed without being done, and keeps its day`() throws {
    var story = Story()
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    let facts = try story.run(.cancel([key, key], on: day("2026-11-26")))
    #expect(
      facts.map(\.body) == [
        Body(
          .edit, .entity(key),
          [
            Write(Field.Todo.closedOn, .date(try day("2026-11-26"))),
            Write(Field.Todo.cancelled, .boolean(true)),
          ])
      ])
    #expect(try state(story, key) == [false, true, true])
    #expect(story.document(key).flatMap(Todo.init)?.completedAt == nil)
    #expect(try story.run(.cancel([key], on: day("2026-11-27"))).isEmpty)
  }

  @Test func `Cancel: without a trustworthy clock, no day is written`() throws {
    var story = Story()
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    let facts = try story.run(.cancel([key], on: nil))
    #expect(
      facts.map(\.body) == [
        Body(.edit, .entity(key), [Write(Field.Todo.cancelled, .boolean(true))])
      ])
  }

  @Test func `Cancel: a done to-do that is cancelled is no longer done`() throws {
    var story = Story()
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    try story.run(.setDone([key], true))
    try story.run(.cancel([key], on: day("2026-11-26")))
    #expect(try state(story, key) == [false, true, true])
    #expect(story.document(key).flatMap(Todo.init)?.completedAt == nil)
  }

  @Test(arguments: [true, false])
  func `Cancel: done and undone end the cancellation and its day`(isDone: Bool) throws {
    var story = Story()
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    try story.run(.cancel([key], on: day("2026-11-26")))
    let facts = try story.run(.setDone([key], isDone))
    let done = isDone ? [Write(Field.Todo.done, .boolean(true))] : []
    #expect(
      facts.map(\.body) == [
        Body(
          .edit, .entity(key),
          done + [Write(Field.Todo.closedOn, .null), Write(Field.Todo.cancelled, .null)])
      ])
    #expect(try state(story, key) == [isDone, false, isDone])
    #expect(story.document(key)?.value(Field.Todo.closedOn) == .null)
  }

  @Test func `Cancel: only to-dos can be cancelled`() throws {
    var story = Story()
    let todo = try story.run(.addTodo(title: "Milk"))[0].key
    let list = try story.run(.addList(name: "Home"))[0].key
    #expect(throws: Refusal.notOfKind(expected: .todo, found: .list)) {
      try story.run(.cancel([todo, list], on: nil))
    }
    #expect(try state(story, todo) == [false, false, false])
  }

  @Test(arguments: [[0, 1], [1, 0]])
  func `Cancel: a completion on another device wins, and reopening ends both`(
    order: [Int]
  ) throws {
    var story = Story(devices: 2)
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    story.sync()
    try story.run(.setDone([key], true), by: order[0])
    try story.run(.cancel([key], on: day("2026-11-26")), by: order[1])
    story.sync()
    #expect(try state(story, key) == [true, false, true])
    #expect(story.document(key)?.conflicts.isEmpty == true)
    try story.run(.setDone([key], false))
    #expect(try state(story, key) == [false, false, false])
  }

  @Test func `Cancel: two devices that cancel on different days are not in conflict`() throws {
    var story = Story(devices: 2)
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    story.sync()
    try story.run(.cancel([key], on: day("2026-11-26")), by: 0)
    try story.run(.cancel([key], on: day("2026-11-27")), by: 1)
    story.sync()
    #expect(try state(story, key) == [false, true, true])
    #expect(story.document(key)?.conflicts.isEmpty == true)
    #expect(story.document(key)?.value(Field.Todo.closedOn).date == (try day("2026-11-27")))
  }
}
