import Bytes
import Daybook
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing

/// Lists and questions that one machine deletes while another adds to them, from write to read model.
struct ChildrenTests {
  private struct Pair {
    let office: Office
    let one: Book
    let two: Book

    func exchange() throws {
      for book in [one, two, one] { _ = try book.replicator.sync(with: Office.directory) }
      #expect(try one.statusReader.digest() == two.statusReader.digest())
    }

    /// The records that both books show, which must be equal.
    func shown(_ kind: Kind) throws -> [String] {
      let titles = try [one, two].map { book in
        try book.view().rankedSearch.search("", kind: kind).compactMap(\.title).sorted()
      }
      #expect(titles[0] == titles[1])
      return titles[0]
    }

    /// The records that both books list with a delete that conflicts with an edit.
    func disputed() throws -> [UniqueID] {
      let ids = try [one, two].map { book in
        try book.conflictReader.conflicts().filter { $0.subject == .life }.map(\.document.id)
      }
      #expect(ids[0] == ids[1])
      return ids[0]
    }
  }

  private func pair(seed: UInt64) throws -> Pair {
    let office = Office(seed: seed)
    let one = try office.found("one")
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    _ = try one.replicator.sync(with: Office.directory, admission: .always)
    return Pair(office: office, one: one, two: two)
  }

  private func added(_ book: Book, _ request: Request) throws -> UniqueID {
    try #require(try book.commands.perform(request).changes.first).document.id
  }

  private func todo(_ title: String, in list: UniqueID) -> Request {
    .addTodo(title: title, list: .existing(list), priority: nil, due: nil)
  }

  private func choice(_ name: String, of question: UniqueID) -> Request {
    .addChoice(question: question, name: name, weight: nil)
  }

  @Test func `Children: a to-do added to a concurrently deleted list restores it`() throws {
    let pair = try pair(seed: 1_201)
    let list = try added(pair.one, .addList(name: "Home", colour: nil))
    _ = try pair.one.commands.perform(todo("old", in: list))
    try pair.exchange()
    _ = try pair.one.commands.perform(.delete([list]))
    #expect(try pair.one.view().todos.todos().isEmpty)
    _ = try pair.two.commands.perform(todo("new", in: list))
    try pair.exchange()
    #expect(try pair.shown(.list) == ["Home"])
    #expect(try pair.shown(.todo) == ["new", "old"])
    #expect(try pair.disputed() == [list])
    // A later delete that has seen both hides the list with all its to-dos, and a restore shows them all again.
    _ = try pair.two.commands.perform(.delete([list]))
    try pair.exchange()
    #expect(try pair.shown(.todo) == [])
    #expect(try pair.disputed() == [])
    _ = try pair.one.commands.perform(.restore([list]))
    try pair.exchange()
    #expect(try pair.shown(.todo) == ["new", "old"])
    #expect(try pair.disputed() == [])
  }

  @Test func `Children: a choice added to a concurrently deleted question restores it`() throws {
    let pair = try pair(seed: 1_202)
    let question = try added(
      pair.one, .addQuestion(content: "Eat?", choices: [(name: "Rice", weight: 1)]))
    try pair.exchange()
    _ = try pair.one.commands.perform(.delete([question]))
    #expect(try pair.one.view().rankedSearch.search("", kind: .choice).isEmpty)
    _ = try pair.two.commands.perform(choice("Soup", of: question))
    try pair.exchange()
    #expect(try pair.shown(.question) == ["Eat?"])
    #expect(try pair.shown(.choice) == ["Rice", "Soup"])
    #expect(try pair.disputed() == [question])
    _ = try pair.one.commands.perform(.delete([question]))
    try pair.exchange()
    #expect(try pair.shown(.choice) == [])
    #expect(try pair.disputed() == [])
  }

  @Test func `Children: an add concurrent with the deletion of its empty parent is kept`() throws {
    let pair = try pair(seed: 1_203)
    let list = try added(pair.one, .addList(name: "Home", colour: nil))
    let question = try added(pair.one, .addQuestion(content: "Eat?", choices: []))
    try pair.exchange()
    _ = try pair.one.commands.perform(.delete([list, question], children: .deny))
    _ = try pair.two.commands.perform(todo("new", in: list))
    _ = try pair.two.commands.perform(choice("Soup", of: question))
    #expect(throws: DaybookError.self) {
      _ = try pair.two.commands.perform(.delete([list], children: .deny))
    }
    #expect(throws: DaybookError.self) {
      _ = try pair.two.commands.perform(.delete([question], children: .deny))
    }
    try pair.exchange()
    #expect(try pair.shown(.todo) == ["new"])
    #expect(try pair.shown(.choice) == ["Soup"])
    #expect(try Set(pair.disputed()) == [list, question])
  }

  @Test func `Children: kept to-dos outlive their list, and a concurrent one restores it`() throws {
    let pair = try pair(seed: 1_204)
    let list = try added(pair.one, .addList(name: "Home", colour: nil))
    _ = try pair.one.commands.perform(todo("old", in: list))
    try pair.exchange()
    _ = try pair.one.commands.perform(.delete([list], children: .keep))
    #expect(try pair.one.view().todos.todos().map(\.list) == [nil])
    _ = try pair.two.commands.perform(todo("new", in: list))
    try pair.exchange()
    #expect(try pair.shown(.list) == ["Home"])
    for book in [pair.one, pair.two] {
      let onList = try book.view().todos.todos(by: .title).map { [$0.title, $0.listName] }
      #expect(onList == [["new", "Home"], ["old", nil]])
    }
    #expect(try pair.disputed() == [list])
    // Undoing the delete puts the to-do back on its list.
    _ = try pair.one.undoEngine.undo()
    try pair.exchange()
    #expect(try pair.two.view().todos.todos().map(\.listName) == ["Home", "Home"])
    #expect(try pair.disputed() == [])
  }

  @Test func `Children: deleted to-dos that are sub-tasks of each other are restored together`()
    throws
  {
    let pair = try pair(seed: 1_607)
    func todo(_ title: String) throws -> UniqueID {
      try added(pair.one, .addTodo(title: title, list: .none, priority: nil, due: nil))
    }
    let ids = try [todo("Paint"), todo("Tidy up")]
    try pair.exchange()
    // Neither device knows of the other's edit, so the parents form a cycle.
    for (book, id, parent) in [(pair.one, ids[0], ids[1]), (pair.two, ids[1], ids[0])] {
      _ = try book.commands.perform(.edit(id, [.init(Field.Todo.parent, .record(parent))]))
    }
    try pair.exchange()
    _ = try pair.one.commands.perform(.delete(ids))
    #expect(try pair.one.view().todos.todos().isEmpty)
    _ = try pair.one.commands.perform(.restore([ids[0]]))
    #expect(try pair.one.view().todos.todos().compactMap(\.title).sorted() == ["Paint", "Tidy up"])
  }
}
