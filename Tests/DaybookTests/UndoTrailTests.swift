import Bytes
import Domain
import Platform
import ReadModel
import SimulatedPlatform
import TestDice
import Testing

@testable import Daybook

/// Undos by the trail in the read model, compared with undos by a fold of all logs.
@Suite struct UndoTrailTests {
  /// The living documents and their fields.
  private func shown(_ book: Book) throws -> [String] {
    let model = try book.view()
    let records = try model.records.hydrateAll(causality: try model.logs.causality())
    return [Kind.list, .todo, .birthday].flatMap(records.documents).filter(\.isAlive).map {
      document in
      let fields = document.fields.filter { $0.value != .null }.map { field in
        let id = field.value.reference.flatMap { records.document(of: $0)?.id.hex }
        return "\(field.field) \(id ?? "\(field.value)")"
      }
      return "\(document.id.hex) \(fields)"
    }
  }

  /// The changes that an undo reports.
  private func told(_ undone: [Undone]) -> [String] {
    undone.flatMap { step in
      step.changes.map { "\($0.verb) \($0.document.id.hex) \($0.fields)" }
        + step.left.map { "left \($0)" }
    }
  }

  private func undo(_ book: Book) throws -> [String] {
    let undone: [Undone]
    do throws(DaybookError) {
      undone = try book.undoEngine.undo(pastDevices: true)
    } catch .nothingToUndo {
      return []
    } catch {
      throw error
    }
    return told(undone) + (try shown(book))
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `Undo trail: an undo by the trail equals one by a fold of all logs`(seed: UInt64) throws {
    let desk = try Desk(seed: 9_100 + seed)
    let book = try desk.found()
    var deeds = Deeds(seed: seed)
    var dice = Dice(seed: seed)
    var quick = 0
    for deed in 0..<160 {
      desk.simulated.timekeeper.advance(milliseconds: 1_000)
      try deeds.perform(on: book)
      guard dice.chance(40) else { continue }
      for _ in 0...dice.number(3) {
        // A book that has never been posted has no trail.
        let other = try Desk.open(desk.copied().machine)
        #expect(try other.undoEngine.trails.trail(of: other.view()) == nil)
        let expected = try undo(other)
        let byTrail = try book.access.withLock { () throws(DaybookError) in
          try book.undoEngine.undoByTrail(because: nil)
        }
        if let byTrail {
          quick += 1
          #expect(try told([byTrail]) + shown(book) == expected, "deed \(deed)")
        } else {
          #expect(try undo(book) == expected, "deed \(deed)")
        }
      }
    }
    #expect(quick > 20)
  }

  @Test func `Undo trail: a record restored after its add was undone survives undoing an edit`()
    throws
  {
    let desk = try Desk(seed: 9_300)
    let book = try desk.found()
    let added = try book.commands.perform(
      .addTodo(title: "Milk", list: .none, priority: nil, due: nil))
    let id = try #require(added.changes.first).document.id
    _ = try book.undoEngine.undo()
    _ = try book.commands.perform(.restore([id]))
    let restored = desk.copied().machine
    let title = Request.Assignment(Field.Todo.title, .value(.text("Soymilk")))
    _ = try book.commands.perform(.edit(id, [title]))
    let edited = desk.copied().machine
    _ = try book.commands.perform(.delete([id]))
    let deleted = desk.copied().machine
    func titles(_ book: Book) throws -> [String?] { try book.view().todos.todos().map(\.title) }
    // The trail does not contain the command, so all logs are folded.
    var other = try Desk.open(edited)
    #expect(try undo(other).contains { $0.hasPrefix("edit") })
    #expect(try titles(other) == ["Milk"])
    other = try Desk.open(deleted)
    #expect(try undo(other).contains { $0.hasPrefix("restore") })
    #expect(try titles(other) == ["Soymilk"])
    other = try Desk.open(restored)
    #expect(try undo(other).contains { $0.hasPrefix("delete") })
    #expect(try titles(other) == [])
  }

  @Test func `Undo trail: it supports half as many undos as it has marks`() throws {
    let book = try Desk(seed: 9_300).found()
    for number in 1...70 {
      _ = try book.commands.perform(
        .addTodo(title: "\(number)", list: .none, priority: nil, due: nil))
    }
    func next() throws -> UInt64? { try book.undoEngine.trails.trail(of: book.view())?.next?.first }
    let last = try #require(try next())
    for number in 0..<32 as Range<UInt64> {
      #expect(try next() == last - number)
      _ = try book.undoEngine.undo()
    }
    #expect(try next() == nil)
    #expect(try book.view().todos.todos().count == 38)
  }

  @Test
  func `Undo trail: large commands displace the oldest marks, and an oversized one displaces all`()
    throws
  {
    let book = try Desk(seed: 9_400).found()
    let todo = try book.commands.perform(
      .addTodo(title: "x", list: .none, priority: nil, due: nil)
    ).changes[0].document.id
    func edit(_ letters: Int) throws -> Int {
      let note = Value.text(String(repeating: "x", count: letters))
      _ = try book.commands.perform(.edit(todo, [.init(.note, .value(note))]))
      return try book.undoEngine.trails.trail(of: book.view())?.marks.count ?? 0
    }
    #expect(try edit(5_000) == 2)
    #expect(try edit(4_999) == 3)
    #expect(try edit(4_998) == 4)
    #expect(try edit(4_997) == 5)
    // Three of the earlier marks fit together, and four do not.
    #expect(try edit(20_000) == 3)
    #expect(try edit(4_996) == 0)
    #expect(try edit(4_995) == 1)
  }

  @Test func `Undo trail: it grows to its limit and is cleared by other events`() throws {
    let desk = try Desk(seed: 9_200)
    let book = try desk.found()
    func count() throws -> Int {
      try book.undoEngine.trails.trail(of: book.view())?.marks.count ?? 0
    }
    #expect(try count() == 0)
    for number in 1...70 {
      _ = try book.commands.perform(
        .addTodo(title: "\(number)", list: .none, priority: nil, due: nil))
    }
    #expect(try count() == 64)
    _ = try book.undoEngine.undo()
    let trail = try #require(try book.undoEngine.trails.trail(of: book.view()))
    #expect(trail.marks.last?.undoes == trail.next.map { $0.first + 1 })
    #expect(try UndoTrail(decoding: trail.encode()).encode() == trail.encode())
    // Another process, which has no trail, writes afterwards.
    _ = try desk.open().commands.perform(.addTodo(title: "x", list: .none, priority: nil, due: nil))
    #expect(try count() == 0)
    _ = try book.commands.perform(.addTodo(title: "y", list: .none, priority: nil, due: nil))
    #expect(try count() == 1)
    let device = try #require(try book.deviceList.devices().first(where: \.isThis))
    try book.admin.rename(device, to: "desk")
    #expect(try count() == 0)
    try book.core.projector.rebuild()
    #expect(try count() == 0)
  }
}
