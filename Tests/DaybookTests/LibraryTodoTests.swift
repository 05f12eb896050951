import Daybook
import Testing

/// Cancelled and hidden to-dos through the public interface of the library.
struct LibraryTodoTests {
  @Test func `Library: a to-do is cancelled, and opened again`() throws {
    let place = LibraryFolder()
    let book = try place.open("laptop")
    let (eggos, sweep) = (try book.addTodo("Buy Eggos"), try book.addTodo("Sweep"))
    try book.setDone(sweep)
    try book.cancel(eggos, sweep)
    let todos = try book.todos()
    #expect(todos.map(\.isDone) == [false, false])
    #expect(todos.map(\.isCancelled) == [true, true])
    #expect(todos.map(\.isClosed) == [true, true])
    #expect(try book.todos(includesClosed: false) == [])
    try book.setDone(eggos)
    try book.setDone(sweep, to: false)
    #expect(try book.todos().map(\.isClosed) == [true, false])
    #expect(try book.todos().map(\.isCancelled) == [false, false])
    let list = try book.addList("Home")
    #expect(reason { () throws(Book.Failure) in try book.cancel(sweep, list) } == .refused)
  }

  @Test func `Library: to-dos that are hidden or closed are not visible`() throws {
    let place = LibraryFolder()
    let book = try place.open("laptop")
    let home = try book.addList("Home")
    let paint = try book.addTodo("Paint", on: home, start: Book.Day("2226-12-01"))
    try book.addTodo("Sweep")
    try book.setDone(try book.addTodo("Mop"))
    #expect(try book.visibleTodos().map(\.title) == ["Sweep"])
    #expect(try book.visibleTodos(on: home) == [])
    #expect(try book.visibleTodos(day: Book.Day("2226-12-01")).map(\.title) == ["Paint", "Sweep"])
    #expect(try book.todos(on: home).map(\.start) == [Book.Day("2226-12-01")])
    try book.edit(paint, .start(nil))
    #expect(try book.visibleTodos(on: home).map(\.title) == ["Paint"])
  }

  @Test func `Library: sub-tasks are on the list of their parent, and change with it`() throws {
    let place = LibraryFolder()
    let book = try place.open("laptop")
    let home = try book.addList("Home")
    let trip = try book.addTodo("Trip", on: home)
    let photo = try book.addTodo("Photo", under: trip)
    #expect(try book.todos(on: home).map(\.parent) == [nil, trip])
    try book.setDone(trip)
    #expect(try book.todos().map(\.isDone) == [true, true])
    try book.setDone(trip, to: false)
    #expect(try book.todos().map(\.isDone) == [false, false])
    let cycle = reason { () throws(Book.Failure) in try book.edit(trip, .parent(photo)) }
    #expect(cycle == .refused)
    try book.edit(photo, .parent(nil))
    #expect(try book.todos().map(\.parent) == [nil, nil])
    try book.edit(photo, .parent(trip))
    try book.delete(trip)
    #expect(try book.todos() == [])
  }

  @Test func `Library: a conflict about the start has its days`() throws {
    let pair = try LibraryPair(seed: 4_111)
    let sweep = try pair.laptop.addTodo("Sweep")
    try pair.exchange()
    try pair.laptop.edit(sweep, .start(Book.Day("2026-12-01")))
    _ = try pair.advance("phone", milliseconds: 60_000)
    try pair.phone.edit(sweep, .start(Book.Day("2026-12-02")))
    try pair.exchange()
    let conflict = try #require(try pair.laptop.conflicts().first)
    let days = try ["2026-12-02", "2026-12-01"].map { try #require(Book.Day($0)) }
    #expect(conflict.field == "start")
    #expect(conflict.sides.map(\.content) == days.map(BookConflict.Content.day))
  }
}
