import Domain
import Journaling
import ReadModel
import SimulatedPlatform
import Testing

@testable import Daybook

/// Folding the logs in one reading gives the same result as in two readings.
struct FoldAtOnceTests {
  /// Three machines with concurrent writes.
  private func office(seed: UInt64) throws -> Office {
    let office = Office(seed: seed)
    let one = try office.found("one")
    _ = try one.commands.perform(.addList(name: "Garden", colour: nil))
    let list = try #require(try one.view().lists.lists().first).head.id
    let added = try one.commands.perform(
      .addTodo(title: "rake", list: .existing(list), priority: nil, due: nil))
    let id = try #require(added.changes.first).document.id
    _ = try one.replicator.sync(with: Office.directory)
    for name in ["two", "three"] { _ = try office.join(name) }
    try office.exchange()
    for (place, book) in office.books.enumerated() {
      let title = Value.text("rake \(place)")
      _ = try book.commands.perform(
        .edit(id, [Request.Assignment(Field.Todo.title, .value(title))]))
      _ = try book.commands.perform(
        .addBirthday(firstName: "Ada \(place)", lastName: nil, birthdate: nil))
    }
    return office
  }

  @Test func `Fold at once: it equals a fold with two readings`() throws {
    let office = try office(seed: 71)
    for isExchanged in [false, true] {
      if isExchanged { try office.exchange() }
      for book in office.books {
        let once = try #require(try book.core.projector.replayer.foldAtOnce())
        let twice = try book.core.projector.replayer.foldAll { _, _ in true }
        let projector = book.core.projector
        let (one, other) = (
          projector.change(for: once.posting), projector.change(for: twice.posting)
        )
        #expect(once.records.entities == twice.records.entities)
        #expect(once.records.digest() == twice.records.digest())
        #expect(one.settings == other.settings)
        #expect(one.positions == other.positions)
        #expect(one.seen == other.seen)
      }
    }
  }

  @Test func `Fold at once: an erasure requires a second reading`() throws {
    let office = try office(seed: 72)
    let book = office.books[0]
    let id = try #require(try book.view().birthdays.birthdays().first).head.id
    _ = try book.eraser.erase(id)
    #expect(try book.core.projector.replayer.foldAtOnce() == nil)
    #expect(try book.core.projector.replayer.foldAll().records.documents(.birthday) == [])
  }

  @Test func `Fold at once: a revocation requires a second reading`() throws {
    let office = try office(seed: 73)
    try office.exchange()
    let book = office.books[0]
    let other = try #require(try book.deviceList.devices().first { $0.name == "two" })
    _ = try office.books[1].commands.perform(
      .addBirthday(firstName: "Late", lastName: nil, birthdate: nil))
    _ = try book.revoker.revoke(other)
    _ = try office.books[1].replicator.sync(with: Office.directory)
    _ = try book.replicator.sync(with: Office.directory)
    #expect(try book.core.projector.replayer.foldAtOnce() == nil)
    #expect(try book.core.projector.replayer.foldAll().records.documents(.birthday).count == 3)
  }

  @Test func `Fold at once: the digest that a rebuild keeps follows later commands`() throws {
    let office = try office(seed: 74)
    try office.exchange()
    let book = office.books[0]
    try book.core.projector.rebuild()
    #expect(try book.statusReader.digest() == book.core.projector.records().digest())
    let name = Value.text("Grace")
    let ada = try #require(try book.view().birthdays.birthdays().first).head.id
    _ = try book.commands.perform(
      .edit(ada, [Request.Assignment(Field.Birthday.firstName, .value(name))]))
    _ = try book.commands.perform(.addBirthday(firstName: "Alan", lastName: nil, birthdate: nil))
    #expect(try book.statusReader.digest() == book.core.projector.records().digest())
  }
}
