import Domain
import Journaling
import ReadModel
import SimulatedPlatform
import Testing

@testable import Daybook

/// To fold the logs as they are read comes to the same as to read them twice.
struct FoldAtOnceTests {
  /// Three machines that have written beside each other, and know all of it.
  private func office(seed: UInt64) throws -> Office {
    let office = Office(seed: seed)
    let one = try office.found("one")
    _ = try one.perform(.addList(name: "Garden", colour: nil))
    let list = try #require(try one.view().lists().first).head.id
    let added = try one.perform(
      .addTodo(title: "rake", list: .existing(list), priority: nil, due: nil))
    let id = try #require(added.changes.first).document.id
    _ = try one.sync(with: Office.directory)
    for name in ["two", "three"] { _ = try office.join(name) }
    try office.exchange()
    for (place, book) in office.books.enumerated() {
      let title = Value.text("rake \(place)")
      _ = try book.perform(.edit(id, [Request.Assignment(Field.Todo.title, .value(title))]))
      _ = try book.perform(
        .addBirthday(firstName: "Ada \(place)", lastName: nil, birthdate: nil))
    }
    return office
  }

  @Test func `it is what two readings come to`() throws {
    let office = try office(seed: 71)
    for isExchanged in [false, true] {
      if isExchanged { try office.exchange() }
      for book in office.books {
        let once = try #require(try book.foldAtOnce())
        let twice = try book.foldAll { _, _ in true }
        #expect(once.records.entities == twice.records.entities)
        #expect(once.records.digest() == twice.records.digest())
        #expect(once.change.settings == twice.change.settings)
        #expect(once.change.positions == twice.change.positions)
        #expect(once.change.seen == twice.change.seen)
      }
    }
  }

  @Test func `where something is erased it is not enough`() throws {
    let office = try office(seed: 72)
    let book = office.books[0]
    let id = try #require(try book.view().birthdays().first).head.id
    _ = try book.erase(id)
    #expect(try book.foldAtOnce() == nil)
    #expect(try book.foldAll().records.documents(.birthday) == [])
  }

  @Test func `where a device is revoked it is not enough`() throws {
    let office = try office(seed: 73)
    try office.exchange()
    let book = office.books[0]
    let other = try #require(try book.devices().first { $0.name == "two" })
    _ = try office.books[1].perform(
      .addBirthday(firstName: "Late", lastName: nil, birthdate: nil))
    _ = try book.revoke(other)
    _ = try office.books[1].sync(with: Office.directory)
    _ = try book.sync(with: Office.directory)
    #expect(try book.foldAtOnce() == nil)
    #expect(try book.foldAll().records.documents(.birthday).count == 3)
  }

  @Test func `the digest kept by a rebuild grows with the read model`() throws {
    let office = try office(seed: 74)
    try office.exchange()
    let book = office.books[0]
    try book.rebuild()
    #expect(try book.digest() == book.records().digest())
    let name = Value.text("Grace")
    let ada = try #require(try book.view().birthdays().first).head.id
    _ = try book.perform(.edit(ada, [Request.Assignment(Field.Birthday.firstName, .value(name))]))
    _ = try book.perform(.addBirthday(firstName: "Alan", lastName: nil, birthdate: nil))
    #expect(try book.digest() == book.records().digest())
  }
}
