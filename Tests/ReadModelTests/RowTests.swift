import Domain
import ReadModel
import Testing

/// Updates of existing rows, which write only the differences.
@Suite struct RowTests {
  @Test func `Row: text that looks the same but has different bytes is rewritten`() throws {
    var log = try OneLog()
    let todo = try log.todo("Caf\u{E9}")
    let spelling = "Cafe\u{301}"
    try log.write(.edit, .entity(todo), [Write(Field.Todo.title, .text(spelling))])
    let titles = try log.titles().compactMap(\.self).map { Array($0.utf8) }
    #expect(titles == [Array(spelling.utf8)])
  }

  @Test func `Row: the counts of a list follow moved and ticked to-dos`() throws {
    var log = try OneLog()
    let (home, work) = (try log.list("Home"), try log.list("Work"))
    let todos = try ["a", "b", "c"].map { try log.todo($0, on: home) }
    func counts() throws -> [[Int64]] {
      try log.model.lists.lists().map { [$0.todos, $0.openTodos] }
    }
    #expect(try counts() == [[3, 3], [0, 0]])
    try log.write(.edit, .entity(todos[0]), [Write(Field.Todo.done, .boolean(true))])
    #expect(try counts() == [[3, 2], [0, 0]])
    try log.write(
      .edit, .entity(todos[0]),
      [Write(Field.Todo.done, .boolean(false)), Write(Field.Todo.list, .reference(work))])
    #expect(try counts() == [[2, 2], [1, 1]])
    try log.write(.edit, .entity(todos[1]), [Write(Field.Todo.list, .null)])
    #expect(try counts() == [[1, 1], [1, 1]])
    try log.write(.delete, .entity(todos[0]))
    #expect(try counts() == [[1, 1], [0, 0]])
  }
}
