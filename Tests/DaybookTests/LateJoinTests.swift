import Bytes
import Daybook
import Domain
import ReadModel
import Testing

/// An erasure removes the members that the record had when it was shown, and no others.
struct LateJoinTests {
  private func office(seed: UInt64) throws -> (one: Book, two: Book, todos: [UniqueID]) {
    let office = Office(seed: seed)
    let one = try office.found("one")
    let todos = try ["Milk", "Oats"].map { title in
      let request = Request.addTodo(title: title, list: .none, priority: nil, due: nil)
      return try #require(try one.commands.perform(request).changes.first).document.id
    }
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    try office.exchange()
    return (one, two, todos)
  }

  private func sync(_ book: Book) throws -> [String] {
    try book.replicator.sync(with: Office.directory).survivors.map(\.document.title)
  }

  @Test func `Erasure: a record joined meanwhile survives, and each receipt names it`() throws {
    let (one, two, todos) = try office(seed: 931)
    _ = try one.eraser.erase(todos[0])
    _ = try two.commands.perform(.merge(todos[0], todos[1], keepsBoth: true))
    #expect(try sync(one) == [])
    // One device receives the erasure, then the other device receives the join. Each reports the record once.
    #expect(try sync(two) == ["Oats"])
    #expect(try sync(one) == ["Oats"])
    #expect(try sync(two) == [] && sync(one) == [])
    for book in [one, two] {
      #expect(try book.view().todos.todos().map(\.title) == ["Oats"])
      #expect(try book.finder.document(withID: todos[0]) == nil)
      #expect(try book.finder.erasedIDs() == [todos[0]])
    }
    #expect(try one.statusReader.digest() == two.statusReader.digest())
    // A device that has seen the join can also erase the other member. Then there is nothing to report.
    _ = try one.eraser.erase(todos[1])
    #expect(try sync(one) == [] && sync(two) == [])
    #expect(try two.view().todos.todos().isEmpty)
  }

  @Test func `Erasure: erasing a known join erases all its members`() throws {
    let (one, two, todos) = try office(seed: 932)
    _ = try two.commands.perform(.merge(todos[0], todos[1]))
    _ = try two.replicator.sync(with: Office.directory)
    #expect(try sync(one) == [])
    #expect(try one.eraser.erase(todos[1]).records == 2)
    #expect(try sync(one) == [] && sync(two) == [])
    #expect(try two.finder.erasedIDs() == Set(todos))
    #expect(try one.statusReader.digest() == two.statusReader.digest())
  }
}
