import Bytes
import Daybook
import Domain
import ReadModel
import TestDice
import Testing

/// Three devices write at random, sync, and undo everything.
@Suite struct UndoEverythingTests {
  /// The documents of a book: whether they are alive, and the shown values of the living documents.
  private func shown(_ book: Book) throws -> [String] {
    let model = try book.view()
    let records = try model.records.hydrateAll(causality: try model.logs.causality())
    return [Kind.list, .todo, .birthday].flatMap(records.documents).map { document in
      guard document.isAlive else { return "\(document.id.hex) is dead" }
      let fields = document.fields.filter { $0.value != .null }.map { field in
        let id = field.value.reference.flatMap { records.document(of: $0)?.id.hex }
        return "\(field.field) \(id ?? "\(field.value)")"
      }
      return "\(document.id.hex) \(fields)"
    }
  }

  private func living(_ book: Book) throws -> [String] {
    try shown(book).filter { !$0.hasSuffix(" is dead") }
  }

  private func meet(_ books: [Book]) throws {
    for _ in 1...2 {
      for book in books { _ = try book.replicator.sync(with: Office.directory, admission: .always) }
    }
  }

  private func names(_ book: Book) throws -> Set<String> {
    Set(
      try book.historyReader.history().entries.map { "\($0.replica.hex) \($0.fact.key.sequence)" })
  }

  private func books(seed: UInt64, deeds count: Int) throws -> [Book] {
    let office = Office(seed: seed)
    var books = [try office.found("one")]
    _ = try books[0].commands.perform(.addList(name: "Home", colour: nil))
    try meet(books)
    for name in ["two", "three"] { books.append(try office.join(name)) }
    try meet(books)
    var dice = Dice(seed: seed)
    var deeds = Deeds(seed: seed)
    for _ in 0..<count {
      try deeds.perform(on: books[dice.number(3)])
      if dice.chance(12) { try meet(books) }
    }
    try meet(books)
    return books
  }

  /// Undoes everything that a device has done.
  private func undoAll(_ book: Book) throws -> Int {
    let error = #expect(throws: DaybookError.self) {
      _ = try book.undoEngine.undo(1000, pastDevices: true, care: .forcing)
    }
    guard case .fewerCommands(let count) = error else { return 0 }
    return try book.undoEngine.undo(count, pastDevices: true, care: .forcing).count
  }

  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func `Undo: undoing everything on each device removes all records, and redo restores them`(
    seed: UInt64
  ) throws {
    let books = try books(seed: seed, deeds: 24)
    let before = try books.map(shown)
    #expect(Set(before).count == 1)
    #expect(try !living(books[0]).isEmpty)
    let logged = try names(books[0])
    var counts: [Int] = []
    for book in books {
      counts.append(try undoAll(book))
      try meet(books)
    }
    for book in books { #expect(try living(book) == []) }
    #expect(try names(books[0]).isSuperset(of: logged))
    for (book, count) in zip(books, counts).reversed() {
      #expect(try book.undoEngine.redo(count, care: .forcing).count == count)
      try meet(books)
    }
    let after = try shown(books[0])
    #expect(after.filter { !before[0].contains($0) } == before[0].filter { !after.contains($0) })
    #expect(try Set(books.map(shown)) == [after])
  }
}
