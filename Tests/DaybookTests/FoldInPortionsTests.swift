import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing

@testable import Daybook

/// A read model built in portions equals a read model that is built at once.
struct FoldInPortionsTests {
  /// Machines after concurrent writes, an erasure and a revocation.
  private func office(seed: UInt64) throws -> Office {
    let office = Office(seed: seed)
    let one = try office.found("one")
    _ = try one.commands.perform(.addList(name: "Garden", colour: nil))
    let list = try #require(try one.view().lists.lists().first).head.id
    for number in 0..<20 {
      _ = try one.commands.perform(
        .addTodo(title: "rake \(number)", list: .existing(list), priority: nil, due: nil))
    }
    _ = try one.replicator.sync(with: Office.directory)
    for name in ["two", "three"] { _ = try office.join(name) }
    try office.exchange()
    for (place, book) in office.books.enumerated() {
      for todo in try book.view().todos.todos().prefix(9) {
        let title = Value.text("\(todo.title ?? "") by \(place)")
        _ = try book.commands.perform(
          .edit(todo.head.id, [Request.Assignment(Field.Todo.title, .value(title))]))
      }
      _ = try book.commands.perform(
        .addBirthday(firstName: "Ada \(place)", lastName: nil, birthdate: nil))
    }
    try office.exchange()
    let erased = try #require(try one.view().birthdays.birthdays().first).head.id
    _ = try one.eraser.erase(erased)
    let other = try #require(try one.deviceList.devices().first { $0.name == "three" })
    _ = try one.revoker.revoke(other)
    try office.exchange()
    return office
  }

  @Test(arguments: [1, 2, 7, 13])
  func `Fold in portions: the read model equals that of a fold at once`(events: UInt64) throws {
    let office = try office(seed: 81)
    for book in office.books {
      let whole = try book.core.projector.rebuild()
      // Computing the digest also stores its parts.
      let (digest, rows) = (try book.statusReader.digest(), try book.view().tableDump.dump())
      book.core.projector.memoryLimit = events << 14
      #expect(
        book.core.store.heldEventCount
          > Quota.foldable(within: book.core.projector.memoryLimit).events)
      let portions = try book.core.projector.rebuild()
      #expect(portions.events == whole.events)
      #expect(try book.statusReader.digest() == digest)
      #expect(try book.view().tableDump.dump() == rows)
    }
  }

  @Test func `Fold in portions: a serving process uses the smaller memory limit`() throws {
    let office = Office(seed: 82)
    _ = try office.found("one")
    let base = try office.place("one").machine
    let machine = Machine(
      disk: base.disk, timekeeper: base.timekeeper, dice: base.dice, network: base.network,
      memory: MemoryBudget(command: 1 << 30, serving: 1 << 20))
    let book = try Book(at: Office.folder, on: machine, view: .memory)
    #expect(book.core.projector.memoryLimit == 1 << 30)
    _ = try LiveSync(book, admission: .never, letsIn: { _ in false }) { _ in }
    #expect(book.core.projector.memoryLimit == 1 << 20)
  }
}
