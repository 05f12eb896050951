import Bytes
import Daybook
import Domain
import ReadModel
import SimulatedPlatform
import Testing

/// Concurrent writes are all kept, reported with all sides, and settled on one machine for all.
struct ConflictTests {
  private let title = Field.Todo.title

  /// Machines that all hold one to-do.
  private func office(
    _ names: [String] = ["one", "two"], seed: UInt64
  ) throws -> (office: Office, books: [Book], todo: UniqueID) {
    let office = Office(seed: seed)
    let founder = try office.found(names[0])
    let added = try founder.commands.perform(
      .addTodo(title: "Milk", list: .none, priority: nil, due: nil))
    _ = try founder.replicator.sync(with: Office.directory)
    for name in names.dropFirst() { _ = try office.join(name) }
    try office.exchange()
    return (office, office.books, try #require(added.changes.first).document.id)
  }

  private func rename(_ id: UniqueID, _ words: String, on book: Book) throws {
    _ = try book.commands.perform(.edit(id, [.init(title, .value(.text(words)))]))
  }

  private func contents(_ conflict: Conflict) -> [Conflict.Content] {
    conflict.sides.map(\.content)
  }

  @Test func `Conflict: each side lists its devices and times, the shown value first`() throws {
    let (office, books, todo) = try office(["one", "two", "three"], seed: 801)
    try rename(todo, "Oats", on: books[0])
    try rename(todo, "Rice", on: books[1])
    office.places[2].simulated.timekeeper.advance(milliseconds: 60_000)
    try rename(todo, "Oats", on: books[2])
    try office.exchange()
    for (place, book) in books.enumerated() {
      let conflicts = try book.conflictReader.conflicts()
      #expect(conflicts.map(\.document.id) == [todo])
      #expect(conflicts.map(\.subject) == [.field(title)])
      let conflict = try #require(conflicts.first)
      #expect(contents(conflict) == [.value(.text("Oats")), .value(.text("Rice"))])
      #expect(conflict.sides.map { $0.writers.map(\.device) } == [["three", "one"], ["two"]])
      let own = conflict.sides.map { $0.writers.map(\.isThis) }
      #expect(own == [[place == 2, place == 0], [place == 1]])
      let times = conflict.sides.flatMap(\.writers).map(\.time)
      #expect(times[0] > times[1])
      #expect(
        conflict.sides(of: "mine", among: try book.deviceList.devices()) == [place == 1 ? 1 : 0])
      #expect(
        conflict.sides(of: "theirs", among: try book.deviceList.devices()) == [place == 1 ? 0 : 1])
      #expect(conflict.sides(of: "two", among: try book.deviceList.devices()) == [1])
      #expect(conflict.sides(of: "four", among: try book.deviceList.devices()) == nil)
    }
  }

  @Test func `Conflict: equal values and latest-write fields cause none`() throws {
    let (office, books, todo) = try office(seed: 802)
    for (place, book) in books.enumerated() {
      try rename(todo, "Oats", on: book)
      let position = Value.integer(Int64(place))
      _ = try book.commands.perform(.edit(todo, [.init(Field.Todo.position, .value(position))]))
      _ = try book.commands.perform(.setDone([todo], true))
    }
    try office.exchange()
    for book in books {
      #expect(try book.conflictReader.conflicts().isEmpty)
      #expect(try book.view().conflicts.unsettled().isEmpty)
    }
  }

  @Test(arguments: [0, 1])
  func `Conflict: settling on one device settles everywhere, and its undo reopens it everywhere`(
    side: Int
  ) throws {
    let (office, books, todo) = try office(["one", "two", "three"], seed: 803)
    try rename(todo, "Oats", on: books[0])
    try rename(todo, "Rice", on: books[1])
    try office.exchange()
    let conflict = try #require(try books[2].conflictReader.conflicts().first)
    let (shown, taken) = (conflict.sides[0], conflict.sides[side])
    let done = try books[2].commands.perform(.settle(todo, title, .written(by: taken.writers[0])))
    #expect(done.changes.map(\.fields) == [[title]])
    try office.exchange()
    for book in books {
      #expect(try book.conflictReader.conflicts().isEmpty)
      #expect(
        try book.view().todos.todos().map { $0.title.map { .value(.text($0)) } } == [taken.content])
    }
    _ = try books[2].undoEngine.undo()
    try office.exchange()
    for book in books {
      let again = try #require(try book.conflictReader.conflicts().first)
      #expect(again.sides.map(\.content) == conflict.sides.map(\.content))
      #expect(
        try book.view().todos.todos().map { $0.title.map { .value(.text($0)) } } == [shown.content])
    }
    // Both were written by one event, and each can still be taken.
    let again = try #require(try books[0].conflictReader.conflicts().first?.sides[side])
    _ = try books[0].commands.perform(.settle(todo, title, .written(by: again.writers[0])))
    try office.exchange()
    for book in books {
      #expect(try book.conflictReader.conflicts().isEmpty)
      #expect(
        try book.view().todos.todos().map { $0.title.map { .value(.text($0)) } } == [taken.content])
    }
  }

  @Test(arguments: [true, false])
  func `Conflict: a delete against an edit has two sides, and one device settles it`(
    isKept: Bool
  ) throws {
    let (office, books, todo) = try office(seed: 804)
    _ = try books[0].commands.perform(.delete([todo]))
    try rename(todo, "Oats", on: books[1])
    try office.exchange()
    for book in books {
      let conflict = try #require(try book.conflictReader.conflicts().first)
      #expect(conflict.subject == .life)
      #expect(contents(conflict) == [.edited, .deleted])
      #expect(conflict.sides.map { $0.writers.map(\.device) } == [["two"], ["one"]])
    }
    _ = try books[1].commands.perform(.settleLife(todo, isKept: isKept))
    try office.exchange()
    for book in books {
      #expect(try book.conflictReader.conflicts().isEmpty)
      #expect(try book.view().todos.todos().map(\.title) == (isKept ? ["Oats"] : []))
    }
    _ = try books[1].undoEngine.undo()
    try office.exchange()
    for book in books { #expect(try book.view().todos.todos().map(\.title) == ["Oats"]) }
  }

  @Test func `Conflict: a to-do moved to two lists at once is a conflict until settled`() throws {
    let (office, books, todo) = try office(seed: 805)
    var lists: [UniqueID] = []
    for (book, name) in zip(books, ["Home", "Work"]) {
      let added = try book.commands.perform(.addList(name: name, colour: nil)).changes
      lists.append(try #require(added.first).document.id)
      _ = try book.commands.perform(
        .edit(todo, [.init(Field.Todo.list, .record(lists[lists.count - 1]))]))
    }
    try office.exchange()
    let conflict = try #require(try books[0].conflictReader.conflicts().first)
    #expect(conflict.subject == .field(Field.Todo.list))
    _ = try books[0].commands.perform(.settle(todo, Field.Todo.list, .content(.value(.null))))
    try office.exchange()
    for book in books {
      #expect(try book.conflictReader.conflicts().isEmpty)
      #expect(try book.view().todos.todos().map(\.listID) == [nil])
    }
    _ = try books[1].commands.perform(.merge(lists[0], lists[1], keepsBoth: true))
    try office.exchange()
    let names = try books.map { try $0.conflictReader.conflicts().map(\.subject) }
    #expect(names == [[.field(Field.List.name)], [.field(Field.List.name)]])
    _ = try books[1].undoEngine.undo()
    try office.exchange()
    #expect(try books.map { try $0.conflictReader.conflicts().count } == [0, 0])
    for book in books { #expect(try book.view().lists.lists().map(\.name) == ["Home", "Work"]) }
  }
}
