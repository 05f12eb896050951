import Domain
import Journaling
import ReadModel
import Testing

@testable import Daybook

/// Requests with more events than fit into one command.
struct LargeRequestTests {
  private static let deletes = (1...20_000).map { number in
    Draft(.delete, .entity(EventKey(log: 0, sequence: UInt64(number))))
  }

  @Test func `Command division: drafts are divided by number and size, in order`() {
    let commands = CommandDivision.ofRequests.commands(of: Self.deletes)
    #expect(commands.map(\.drafts.count) == [Limit.commandEvents, 20_000 - Limit.commandEvents])
    #expect(commands.flatMap(\.drafts) == Self.deletes)
    let note = Value.text(String(repeating: "x", count: 100 << 10))
    let notes = (1...5).map { number in
      Draft(
        .edit, .entity(EventKey(log: 0, sequence: UInt64(number))), [Write(.note, note)])
    }
    #expect(CommandDivision.ofRequests.commands(of: notes).map(\.drafts.count) == [2, 2, 1])
    #expect(CommandDivision.ofRequests.commands(of: []).isEmpty)
  }

  @Test func `Command division: drafts that may refer to each other stay together`() {
    let list = Draft(.add, .kind(.list), [Write(Field.List.name, .text("Home"))])
    let todo = Draft(
      .add, .kind(.todo),
      [
        Write(Field.Todo.title, .text("Mop")),
        Write(Field.Todo.list, .reference(Draft.entity(addedBy: 0))),
      ])
    let commands = CommandDivision(mostEvents: 1).commands(of: [list, todo])
    #expect(commands.map(\.drafts) == [[list, todo]])
  }

  @Test func `Request: a request that is too large for a command is still one step`() throws {
    let office = Office(seed: 2_501)
    let book = try office.found("one")
    let ids = try HeldErasureTests.add(5, to: book)
    var commands = book.commands
    commands.division.mostEvents = 2
    let performed = try commands.perform(.delete(ids), because: "moved house")
    #expect(performed.changes.map(\.document.id) == ids)
    #expect(performed.changes.map(\.verb) == Array(repeating: .delete, count: 5))
    #expect(performed.changes.map(\.document.isAlive) == Array(repeating: false, count: 5))
    #expect(try TrustingTests.names(book) == [])
    #expect(try book.historyReader.entries().count == 6)

    let log = try #require(try book.core.localDevice.ownLog)
    let fold = try book.undoEngine.undoReader.foldToUndo([log])
    let step = try #require(fold.ownSteps.last)
    #expect(step.events.map(\.count) == [2, 2, 1])
    #expect(step.run?.done == 3 && step.undoes == nil && step.undoesElsewhere == nil)

    #expect(try book.undoEngine.undo().map(\.changes.count) == [5])
    #expect(try TrustingTests.names(book).count == 5)
    #expect(try book.undoEngine.redo().map(\.changes.count) == [5])
    #expect(try TrustingTests.names(book) == [])
    try book.core.projector.rebuild()
    #expect(try TrustingTests.names(book) == [])
    #expect(try book.undoEngine.undo(2).map(\.changes.count) == [5, 1])
  }

  @Test func `Undo: a small command that cleared large values is undone as one step`() throws {
    let office = Office(seed: 2_504)
    let book = try office.found("one")
    let ids = try HeldErasureTests.add(12, to: book)
    func edit(_ note: Value) throws {
      let assignment = Request.Assignment(.note, .value(note))
      _ = try book.commands.perform(.editEach(ids.map { ($0, [assignment]) }))
    }
    func sizes() throws -> [Int] {
      try book.view().lists.lists().map { $0.head.note?.utf8.count ?? 0 }
    }
    // The notes together do not fit into one command.
    try edit(.text(String(repeating: "x", count: 60 << 10)))
    #expect(try sizes() == Array(repeating: 60 << 10, count: 12))
    try edit(.null)
    #expect(try sizes() == Array(repeating: 0, count: 12))
    #expect(try book.undoEngine.undo().map(\.changes.count) == [12])
    #expect(try sizes() == Array(repeating: 60 << 10, count: 12))
    #expect(try book.undoEngine.undo().map(\.changes.count) == [12])
    #expect(try sizes() == Array(repeating: 0, count: 12))
  }

  @Test func `Request: one that is made under the lock sees the records at that time`() throws {
    let office = Office(seed: 2_502)
    let book = try office.found("one")
    let ids = try HeldErasureTests.add(2, to: book)
    let other = try office.places[0].open()
    _ = try other.commands.perform(.delete([ids[0]]))
    let performed = try book.commands.perform { model throws(ReadModelError) in
      .delete(try model.lists.lists().map(\.head.id))
    }
    #expect(performed.changes.map(\.document.id) == [ids[1]])
  }

  @Test func `Request: several edits of one record are one, and the last value counts`() throws {
    let office = Office(seed: 2_503)
    let book = try office.found("one")
    let id = try HeldErasureTests.add(1, to: book)[0]
    let note = Request.Assignment(.note, .value(.text("a")))
    let later = Request.Assignment(.note, .value(.text("b")))
    let performed = try book.commands.perform(
      .editEach([
        (id, [note, .tag("x"), .tag("y")]), (id, [later, .untag("x"), .tag("y")]),
      ]))
    #expect(performed.changes.map(\.document.note) == ["b"])
    #expect(performed.changes.map(\.document.tags) == [["y"]])
    let again = try book.commands.perform(.edit(id, [.tag("y"), .untag("z")]))
    #expect(again.isNothing)
  }

  @Test func `Request: if two edits change a to-do, the later one counts for everything it sets`()
    throws
  {
    let office = Office(seed: 2_505)
    let book = try office.found("one")
    let added = try book.commands.perform(
      .addTodo(title: "Milk", list: .none, priority: nil, due: nil, tags: ["a", "b"]))
    let id = try #require(added.changes.first).document.id
    func edit(_ edits: [[Request.Assignment]]) throws -> Document {
      let performed = try book.commands.perform(.editEach(edits.map { (id, $0) }))
      return try #require(performed.changes.first).document
    }
    let all = Request.Assignment(.tags, .value(.texts(["a", "c"])))
    #expect(try edit([[.untag("a"), .tag("d")], [all]]).tags == ["a", "c"])
    #expect(try edit([[all], [.untag("a"), .tag("d")]]).tags == ["c", "d"])
    let due = Value.date(try CivilDate(year: 2026, month: 11, day: 26))
    let timed: [Request.Assignment] = [
      .init(Field.Todo.due, .value(due)), .init(Field.Todo.dueTime, .value(.integer(600))),
      .init(Field.Todo.priority, .value(.integer(2))),
    ]
    let document = try edit([timed, [.init(Field.Todo.due, .value(.null))]])
    #expect(document.value(Field.Todo.due) == .null)
    #expect(document.value(Field.Todo.dueTime) == .null)
    #expect(document.value(Field.Todo.priority) == .integer(2))
  }
}
