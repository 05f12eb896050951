import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing

@testable import Daybook

/// A read model built in portions is the one that is built at once.
struct FoldInPortionsTests {
  /// Machines that have written beside each other, erased, joined twins and revoked one of them.
  private func office(seed: UInt64) throws -> Office {
    let office = Office(seed: seed)
    let one = try office.found("one")
    _ = try one.perform(.addList(name: "Garden", colour: nil))
    let list = try #require(try one.view().lists().first).head.id
    for number in 0..<20 {
      _ = try one.perform(
        .addTodo(title: "rake \(number)", list: .existing(list), priority: nil, due: nil))
    }
    _ = try one.sync(with: Office.directory)
    for name in ["two", "three"] { _ = try office.join(name) }
    try office.exchange()
    for (place, book) in office.books.enumerated() {
      for todo in try book.view().todos().prefix(9) {
        let title = Value.text("\(todo.title ?? "") by \(place)")
        _ = try book.perform(
          .edit(todo.head.id, [Request.Assignment(Field.Todo.title, .value(title))]))
      }
      _ = try book.perform(
        .addBirthday(firstName: "Ada \(place)", lastName: nil, birthdate: nil))
    }
    try office.exchange()
    let erased = try #require(try one.view().birthdays().first).head.id
    _ = try one.erase(erased)
    let other = try #require(try one.devices().first { $0.name == "three" })
    _ = try one.revoke(other)
    try office.exchange()
    return office
  }

  @Test(arguments: [1, 2, 7, 13])
  func `portions: the read model is the one of a fold at once`(events: UInt64) throws {
    let office = try office(seed: 81)
    for book in office.books {
      let whole = try book.rebuild()
      // Asking for the digest keeps what it is made of.
      let (digest, rows) = (try book.digest(), try book.view().dump())
      book.memoryLimit = events << 14
      #expect(book.heldEventCount > Quota.foldable(within: book.memoryLimit).events)
      let portions = try book.rebuild()
      #expect(portions.events == whole.events)
      #expect(try book.digest() == digest)
      #expect(try book.view().dump() == rows)
    }
  }

  @Test func `memory: a process that serves keeps to the smaller limit`() throws {
    let office = Office(seed: 82)
    _ = try office.found("one")
    let base = try office.place("one").machine
    let machine = Machine(
      disk: base.disk, timekeeper: base.timekeeper, dice: base.dice, network: base.network,
      memory: MemoryBudget(command: 1 << 30, serving: 1 << 20))
    let book = try Book(at: Office.folder, on: machine, view: .memory)
    #expect(book.memoryLimit == 1 << 30)
    _ = try LiveSync(book, admission: .never, letsIn: { _ in false }) { _ in }
    #expect(book.memoryLimit == 1 << 20)
  }
}
