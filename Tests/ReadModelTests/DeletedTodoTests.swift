import Bytes
import Domain
import ReadModel
import Testing

/// Deleted to-dos are filtered by the same conditions as the others.
struct DeletedTodoTests {
  private static let moreTodos: [(title: String, fields: [(Field, Value)])] = [
    ("free", [(.tags, .texts(["Élan", "a b"]))]),
    ("high", [(Field.Todo.priority, .integer(2))]),
    ("done", [(Field.Todo.done, .boolean(true)), (.tags, .texts(["x"]))]),
  ]
  private static let days = [
    "2025", "2026", "2026-10", "2026-11", "2026-10-31", "2026-11-01", "2026-11-20", "--01-01",
  ]

  private static func filters(on list: EventKey) throws -> [TodoFilter] {
    let span = try #require(try CivilDate.parse("2026-11").span)
    let dues: [TodoFilter.Due] =
      try ["2025-12-31", "2026-01-01", "2026-11-01", "2026-11-20", "2026-12-31", "2027-01-01"].map {
        .before(try .parse($0))
      } + [.whenever, .dated, .undated, .within(span)]
    return dues.map { TodoFilter(due: $0) } + [
      TodoFilter(place: .list(list)), TodoFilter(place: .withoutList),
      TodoFilter(includesClosed: false), TodoFilter(includesOpen: false),
      TodoFilter(includesClosed: false, includesOpen: false), TodoFilter(priority: 2),
      TodoFilter(priority: 1, tags: ["ELAN"]), TodoFilter(tags: ["elan", "A B"]),
      TodoFilter(tags: ["a"]), TodoFilter(fragment: "IG"),
    ]
  }

  @Test func `Deleted to-dos: each filter and order gives the same result as before the deletion`()
    throws
  {
    var log = try OneLog()
    let list = try log.list("Home")
    var todos = try Self.moreTodos.map { try log.todo($0.title, $0.fields) }
    todos.append(try log.todo("listed", on: list))
    for day in Self.days {
      todos.append(try log.todo(day, [(Field.Todo.due, .date(try .parse(day)))]))
    }
    let filters = try Self.filters(on: list)
    #expect(try log.model.deletedTodos.todos() == [])
    let before = try filters.map { filter in
      try [TodoOrder.priority, .due, .creation].map { try log.model.todos.todos(filter, by: $0) }
    }
    for todo in todos { try log.write(.delete, .entity(todo)) }
    let after = try filters.map { filter in
      try [TodoOrder.priority, .due, .creation].map {
        try log.model.deletedTodos.todos(filter, by: $0)
      }
    }
    #expect(after == before)
    #expect(try log.titles() == [])
  }

  @Test func `Deleted to-dos: one on a deleted list counts as one on no list`() throws {
    var log = try OneLog()
    let list = try log.list("Home")
    let todo = try log.todo("Mop", on: list)
    try log.write(.delete, .entity(todo))
    try log.write(.delete, .entity(list))
    let found = try log.model.deletedTodos.todos(TodoFilter(place: .withoutList))
    #expect(found.map(\.title) == ["Mop"] && found.map(\.listName) == [nil])
    #expect(try log.model.deletedTodos.todos(TodoFilter(place: .list(list))) == [])
  }
}
