import Bytes
import Daybook
import Domain
import Platform
import ReadModel
import Testing

/// The events that a receipt reports as received and sent.
struct ReceiptTests {
  private func pair(seed: UInt64) throws -> (office: Office, one: Book, two: Book) {
    let office = Office(seed: seed)
    let one = try office.found("one")
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    try office.exchange()
    return (office, one, two)
  }

  private func add(_ titles: [String], on book: Book) throws -> [UniqueID] {
    try titles.map { title in
      let request = Request.addTodo(title: title, list: .none, priority: nil, due: nil)
      return try #require(try book.commands.perform(request).changes.first).document.id
    }
  }

  @Test func `Receipt: it counts each sent and received record once, by device and kind`() throws {
    let (_, one, two) = try pair(seed: 811)
    let old = try add(["old", "older"], on: one)
    let first = try one.replicator.sync(with: Office.directory)
    #expect(first.went.map(\.device) == ["one"])
    #expect(first.went.map(\.tallies) == [[Tally(kind: .todo, added: 2)]])
    #expect(first.came.isEmpty)
    _ = try two.replicator.sync(with: Office.directory)
    let new = try add(["new", "newer", "gone"], on: two)
    _ = try two.commands.perform(.edit(new[0], [.init(Field.Todo.title, .value(.text("newest")))]))
    _ = try two.commands.perform(.delete([new[2], old[1]]))
    _ = try two.commands.perform(.setDone([old[0]], true))
    _ = try two.commands.perform(.edit(old[0], [.init(.note, .value(.text("twice")))]))
    _ = try two.commands.perform(.addBirthday(firstName: "Ada", lastName: nil, birthdate: nil))
    let expected = [
      Tally(kind: .birthday, added: 1), Tally(kind: .todo, added: 3, changed: 1, deleted: 2),
    ]
    let sent = try two.replicator.sync(with: Office.directory)
    #expect(sent.went.map(\.tallies) == [expected])
    let received = try one.replicator.sync(with: Office.directory)
    #expect(received.came.map(\.device) == ["two"])
    #expect(received.came.map(\.tallies) == [expected])
    #expect(received.went.isEmpty && received.conflicts.isEmpty)
    #expect(received.digest == sent.digest)
    let again = try one.replicator.sync(with: Office.directory)
    #expect(again.came.isEmpty && again.went.isEmpty)
  }

  @Test func `Receipt: it lists only the conflicts that the sync caused`() throws {
    let (office, one, two) = try pair(seed: 812)
    let todos = try add(["Milk", "Bread"], on: one)
    try office.exchange()
    func rename(_ id: UniqueID, on books: [Book]) throws {
      for (place, book) in books.enumerated() {
        let value = Value.text("named by \(place)")
        _ = try book.commands.perform(.edit(id, [.init(Field.Todo.title, .value(value))]))
      }
    }
    try rename(todos[0], on: [one, two])
    _ = try one.replicator.sync(with: Office.directory)
    let first = try two.replicator.sync(with: Office.directory)
    #expect(first.conflicts.map(\.document.id) == [todos[0]])
    try rename(todos[1], on: [one])
    _ = try one.replicator.sync(with: Office.directory)
    let routine = try two.replicator.sync(with: Office.directory)
    #expect(routine.came.map(\.tallies) == [[Tally(kind: .todo, changed: 1)]])
    #expect(routine.conflicts.isEmpty)
    #expect(try two.conflictReader.conflicts().count == 1)
  }

  @Test func `Receipt: records of a waiting device count only after its admission`() throws {
    let office = Office(seed: 813)
    let one = try office.found("one")
    _ = try add(["Milk"], on: one)
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    #expect(try two.view().todos.todos().count == 1)
    _ = try add(["Oats"], on: two)
    _ = try two.replicator.sync(with: Office.directory)
    let waiting = try one.replicator.sync(with: Office.directory)
    #expect(waiting.waiting.map(\.name) == ["two"])
    #expect(waiting.received.map(\.device) == ["two"])
    #expect(waiting.came.isEmpty)
    let admitted = try one.replicator.sync(with: Office.directory, admission: .always)
    #expect(admitted.admitted.map(\.name) == ["two"])
    #expect(admitted.came.map(\.tallies) == [[Tally(kind: .todo, added: 1)]])
  }

  @Test func `Receipt: it counts joins, separations, erasures and changes of devices`() throws {
    let (_, one, two) = try pair(seed: 815)
    func bob() throws -> UniqueID {
      let request = Request.addBirthday(firstName: "Bob", lastName: nil, birthdate: nil)
      return try #require(try one.commands.perform(request).changes.first).document.id
    }
    let bobs = [try bob(), try bob(), try bob()]
    _ = try one.commands.perform(.merge(bobs[0], bobs[1]))
    _ = try one.commands.perform(.merge(bobs[0], bobs[2]))
    let sent = try one.replicator.sync(with: Office.directory)
    let merged = [Tally(kind: .birthday, added: 3, merged: 2)]
    #expect(sent.went.map(\.tallies) == [merged])
    #expect(try two.replicator.sync(with: Office.directory).came.map(\.tallies) == [merged])
    _ = try one.undoEngine.undo()
    try one.admin.rename(try one.deviceList.device(called: "one"), to: "first")
    let added = try one.commands.perform(.addList(name: "Home", colour: nil)).changes
    _ = try one.eraser.erase(try #require(added.first).document.id)
    _ = try one.revoker.revoke(try one.deviceList.device(called: "two"))
    let parted = try one.replicator.sync(with: Office.directory)
    #expect(parted.went.map(\.tallies) == [[Tally(kind: .birthday, parted: 1)]])
    #expect(parted.went.map(\.devices) == [[.named("first", now: "first"), .revoked("two")]])
    #expect(parted.went.map(\.erased) == [1])
    // Erased events have no content.
    #expect(parted.went.map(\.emptied) == [1])
    #expect(parted.went.map(\.others) == [3])
  }

  @Test func `Receipt: joining reports all records received`() throws {
    let office = Office(seed: 814)
    let one = try office.found("one")
    _ = try add(["Milk", "Oats"], on: one)
    _ = try one.commands.perform(.addList(name: "Home", colour: nil))
    _ = try one.replicator.sync(with: Office.directory)
    let place = try office.place("two")
    let (_, receipt) = try BookFactory.join(
      at: Office.folder, from: Office.directory, on: place.machine, deviceName: "two",
      view: .memory, confirm: { _ in true })
    #expect(
      receipt.came.map(\.tallies) == [[Tally(kind: .list, added: 1), Tally(kind: .todo, added: 2)]])
  }
}
