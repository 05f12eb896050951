import Daybook
import Testing

/// Changes of several records through the public interface.
struct LibrarySeveralTests {
  private struct House {
    let place = LibraryFolder()
    let book: Book
    let home, mop, sweep: Book.RecordID

    init() throws {
      book = try place.open("laptop")
      home = try book.addList("Home")
      mop = try book.addTodo("Mop")
      sweep = try book.addTodo("Sweep")
    }

    /// The title, list, note and priority of each to-do.
    func todos() throws -> [String] {
      try book.todos().map { todo in
        "\(todo.title) \(todo.listName ?? "-") \(todo.note ?? "-") \(todo.priority)"
      }.sorted()
    }
  }

  @Test func `Library: the same fields of several records are edited in one step`() throws {
    let house = try House()
    let before = try house.todos()
    try house.book.edit(
      [house.mop, house.sweep, house.mop], .list(house.home), .note("first"), .note("wet"))
    #expect(try house.todos() == ["Mop Home wet normal", "Sweep Home wet normal"])
    try house.book.undoLast()
    #expect(try house.todos() == before)
    try house.book.redoLast()
    #expect(try house.todos() == ["Mop Home wet normal", "Sweep Home wet normal"])
  }

  @Test func `Library: different fields of several records are edited in one step`() throws {
    let house = try House()
    let before = try house.todos()
    try house.book.edit([
      (house.mop, [.priority(.high)]), (house.sweep, [.list(house.home)]),
      (house.home, [.listName("House")]), (house.mop, [.note("wet")]),
    ])
    #expect(try house.todos() == ["Mop - wet high", "Sweep House - normal"])
    try house.book.undoLast()
    #expect(try house.todos() == before)
    #expect(try house.book.lists().map(\.name) == ["Home"])
  }

  @Test func `Library: if one of several records cannot be edited, none is`() throws {
    let house = try House()
    let before = try house.todos()
    let count = try house.book.events().count
    func reason(_ edits: [(record: Book.RecordID, edits: [RecordEdit])]) -> Book.Failure.Reason? {
      do throws(Book.Failure) { try house.book.edit(edits) } catch { return error.reason }
      return nil
    }
    let nobody = try #require(Book.RecordID("11111111-2222-8333-8444-555555555555"))
    #expect(reason([(house.mop, [.note("x")]), (nobody, [.note("x")])]) == .unknownRecord)
    #expect(reason([(house.mop, [.priority(.high)]), (house.home, [.priority(.low)])]) == .refused)
    #expect(reason([]) == nil)
    #expect(try house.todos() == before)
    #expect(try house.book.events().count == count)
  }
}
