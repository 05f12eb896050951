import Daybook
import Domain
import Platform
import ReadModel
import Testing

/// Receipts of syncs between two copies of a book that have written to the same log.
struct ForkedReceiptTests {
  private static let added = [Tally(kind: .todo, added: 1)]

  private func add(_ title: String, on book: Book) throws {
    _ = try book.commands.perform(.addTodo(title: title, list: .none, priority: nil, due: nil))
  }

  /// A copy of a machine that cannot detect that it is a copy.
  private func twin(of original: String, as name: String, in office: Office) throws -> Book {
    _ = try office.clone(original, as: name)
    let mark = Path("/etc/machine-id")
    let bytes = try office.place(original).machine.disk.contents(of: mark, limit: 1_000)
    try office.place(name).machine.disk.replace(mark, with: bytes)
    return try office.place(name).open()
  }

  @Test func `Receipt: both sides of a forked log report what they sent and received once`() throws
  {
    let office = Office(seed: 821)
    let one = try office.found("one")
    try add("both", on: one)
    _ = try one.replicator.sync(with: Office.directory)
    let two = try twin(of: "one", as: "two", in: office)
    try add("left", on: one)
    try add("right", on: two)
    let first = try one.replicator.sync(with: Office.directory)
    #expect(first.came.isEmpty)
    #expect(first.went.map(\.tallies) == [Self.added])
    let second = try two.replicator.sync(with: Office.directory)
    #expect(second.came.map(\.tallies) == [Self.added])
    #expect(second.came.first?.few.map(\.title) == ["left"])
    #expect(second.went.map(\.tallies) == [Self.added])
    #expect(second.went.first?.few.map(\.title) == ["right"])
    let third = try one.replicator.sync(with: Office.directory)
    #expect(third.came.map(\.tallies) == [Self.added])
    #expect(third.came.first?.few.map(\.title) == ["right"])
    #expect(third.went.isEmpty)
  }
}
