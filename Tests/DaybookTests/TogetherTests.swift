import Bytes
import Daybook
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing
import Verifying

/// Two machines, or two processes of one machine, that write at the same time.
struct TogetherTests {
  private typealias Pair = (office: Office, one: Book, two: Book, list: UniqueID)

  /// Two machines that both hold one list.
  private func pair(seed: UInt64) throws -> Pair {
    let office = Office(seed: seed)
    let one = try office.found("one")
    let added = try one.commands.perform(.addList(name: "Home", colour: nil)).changes
    let list = try #require(added.first).document.id
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    _ = try one.replicator.sync(with: Office.directory, admission: .always)
    _ = try two.replicator.sync(with: Office.directory)
    return (office, one, two, list)
  }

  private func exchange(_ pair: Pair) throws {
    for book in [pair.one, pair.two, pair.one] {
      _ = try book.replicator.sync(with: Office.directory)
    }
    #expect(try pair.one.statusReader.digest() == pair.two.statusReader.digest())
  }

  private func rename(_ book: Book, _ id: UniqueID, _ name: String) throws {
    _ = try book.commands.perform(
      .edit(id, [Request.Assignment(Field.List.name, .value(.text(name)))]))
  }

  private func names(_ book: Book) throws -> [String] {
    try book.view().lists.lists().compactMap(\.name)
  }

  // The seed determines the order of the logs' ids, which must have no influence.
  @Test(arguments: 621...626 as ClosedRange<UInt64>)
  func `Concurrency: each machine's undo reports what it changed`(seed: UInt64) throws {
    let pair = try pair(seed: seed)
    for (book, name) in [(pair.one, "House"), (pair.two, "Hut")] {
      try rename(book, pair.list, name)
      let changes = try book.undoEngine.undo().flatMap(\.changes)
      #expect(changes.map(\.document.id) == [pair.list])
      #expect(changes.map(\.fields) == [[Field.List.name]])
    }
  }

  @Test func `Concurrency: undoing an edit overwritten elsewhere keeps the newer value`() throws {
    let pair = try pair(seed: 612)
    try rename(pair.two, pair.list, "House")
    try rename(pair.two, pair.list, "Hut")
    _ = try pair.two.replicator.sync(with: Office.directory)
    _ = try pair.one.replicator.sync(with: Office.directory)
    try rename(pair.one, pair.list, "Tent")
    _ = try pair.one.replicator.sync(with: Office.directory)
    _ = try pair.two.replicator.sync(with: Office.directory)
    // By default, an undo is refused if another device has edited the field since. Here it leaves the field.
    #expect(throws: DaybookError.self) { try pair.two.undoEngine.undo() }
    for _ in 1...2 {
      let undone = try #require(try pair.two.undoEngine.undo(care: .leaving).first)
      #expect(undone.changes.isEmpty)
      #expect(undone.left.map(\.reason) == [.shownAnyway])
    }
    #expect(throws: DaybookError.self) { try pair.two.undoEngine.undo() }
    #expect(try names(pair.two) == ["Tent"])
    _ = try pair.two.undoEngine.redo(2)
    #expect(throws: DaybookError.self) { try pair.two.undoEngine.redo() }
    #expect(try names(pair.two) == ["Tent"])
    #expect(try pair.two.verifier.verify().faults == [])
  }

  @Test(arguments: [true, false])
  func `Concurrency: of two edits the later one is shown on both machines`(isOneLater: Bool) throws
  {
    let pair = try pair(seed: 601)
    let later = try pair.office.place(isOneLater ? "one" : "two")
    later.simulated.timekeeper.advance(milliseconds: 60_000)
    try rename(pair.one, pair.list, "by one")
    try rename(pair.two, pair.list, "by two")
    try exchange(pair)
    let expected = [isOneLater ? "by one" : "by two"]
    #expect(try names(pair.one) == expected)
    #expect(try names(pair.two) == expected)
    let document = try #require(try pair.two.finder.document(withID: pair.list))
    #expect(document.shown(Field.List.name)?.survivors.count == 2)
  }

  @Test(arguments: [true, false])
  func `Concurrency: an edit revives a record that was deleted at the same time`(
    isDeleteLater: Bool
  ) throws {
    let pair = try pair(seed: 602)
    let later = try pair.office.place(isDeleteLater ? "one" : "two")
    later.simulated.timekeeper.advance(milliseconds: 60_000)
    _ = try pair.one.commands.perform(.delete([pair.list]))
    try rename(pair.two, pair.list, "kept")
    try exchange(pair)
    for book in [pair.one, pair.two] {
      #expect(try names(book) == ["kept"])
      #expect(try book.view().lists.lists().map(\.head.isDisputed) == [true])
    }
    // A delete that has seen the edit takes effect.
    _ = try pair.one.commands.perform(.delete([pair.list]))
    try exchange(pair)
    #expect(try names(pair.two) == [])
  }

  @Test func `Concurrency: two processes that write in turn see each other's records`() throws {
    let desk = try Desk(seed: 603)
    let books = [try desk.found(), try desk.open()]
    var expected: [String] = []
    for turn in 0..<12 {
      let book = books[turn % 2]
      let name = "list \(turn + 10)"
      let added = try #require(
        try book.commands.perform(.addList(name: name, colour: nil)).changes.first?.document)
      expected.append(name)
      #expect(try names(book) == expected)
      // The other process finds the record by its id with its next command.
      try rename(books[(turn + 1) % 2], added.id, "\(name)!")
      expected[turn] = "\(name)!"
      #expect(try names(books[(turn + 1) % 2]) == expected)
    }
    #expect(try names(try desk.open()) == expected)
    #expect(try books[0].verifier.verify().faults == [])
    _ = try books[1].undoEngine.undo()
    #expect(try names(books[1]).last == "list 21")
  }

  @Test func `Concurrency: an unadmitted device shows its changes and agrees on the rest`() throws {
    let office = Office(seed: 604)
    let one = try office.found("one")
    _ = try one.commands.perform(.addList(name: "Home", colour: nil))
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    _ = try two.commands.perform(.addList(name: "Mine", colour: nil))
    let receipt = try two.replicator.sync(with: Office.directory, admission: .always)
    #expect(!receipt.isAdmitted)
    #expect(receipt.admitted.isEmpty)
    #expect(try names(two) == ["Home", "Mine"])
    let met = try one.replicator.sync(with: Office.directory)
    #expect(met.waiting.map(\.name) == ["two"])
    #expect(try names(one) == ["Home"])
    #expect(try one.statusReader.digest() == two.statusReader.digest())
    #expect(try one.statusReader.status().isAdmitted)
    #expect(try !two.statusReader.status().isAdmitted)
    _ = try one.replicator.sync(with: Office.directory, admission: .ask { $0.name == "two" })
    #expect(try names(one) == ["Home", "Mine"])
    #expect(try two.replicator.sync(with: Office.directory).isAdmitted)
    #expect(try one.statusReader.digest() == two.statusReader.digest())
  }

  @Test func `Concurrency: an unadmitted device cannot admit others, and reports it`() throws {
    let office = Office(seed: 605)
    _ = try office.found("one").replicator.sync(with: Office.directory)
    let (two, three) = (try office.join("two"), try office.join("three"))
    _ = try three.replicator.sync(with: Office.directory)
    let receipt = try two.replicator.sync(with: Office.directory, admission: .always)
    #expect(receipt.couldNotAdmit)
    #expect(receipt.waiting.map(\.name) == ["three"])
  }
}
