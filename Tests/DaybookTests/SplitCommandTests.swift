import Bytes
import Crypto
import Domain
import Journaling
import Platform
import ReadModel
import Testing

@testable import Daybook

/// Commands whose events happened at different times, as in imports.
struct SplitCommandTests {
  private static let list = Body(.add, .kind(.list), [Write(Field.List.name, .text("Home"))])
  private static let todo = Body(
    .add, .kind(.todo),
    [
      Write(Field.Todo.title, .text("Milk")),
      Write(Field.Todo.list, .reference(EventKey(log: 0, sequence: 2))),
    ])
  private static let delete = Body(.delete, .entity(EventKey(log: 0, sequence: 2)), [])

  /// A book with one command of three events at different times.
  private func book() throws -> Book {
    let office = Office(seed: 951)
    let book = try office.found("one")
    let log = try #require(book.file.writers.values.first)
    let keys = try #require(try book.core.localDevice.keys(of: log))
    let events = [(Self.list, 1_000), (Self.todo, 2_000), (Self.delete, 3_000)].map {
      NewEvent(when: $1, body: $0.encode { _ in nil })
    }
    var journal = try Journal(at: Office.folder, on: office.places[0].machine)
    let command = Journaling::Command(time: 1_704_067_200_000, events: events)
    _ = try journal.append([command], to: log, keys: keys)
    return try office.places[0].open()
  }

  private func shown(_ model: ReadModel) throws -> [String] {
    try model.lists.lists().compactMap(\.name) + model.todos.todos().compactMap(\.title)
  }

  @Test func `Past view: a time can fall between the events of one command`() throws {
    let book = try book()
    let moments: [Int64] = [999, 1_000, 1_999, 2_000, 2_999, 3_000]
    let seen = try moments.map { try shown(book.view(at: $0)) }
    #expect(seen == [[], ["Home"], ["Home"], ["Home", "Milk"], ["Home", "Milk"], []])
    #expect(try moments.map { try book.statusReader.status(at: $0).events } == [0, 1, 1, 2, 2, 3])
    #expect(try book.statusReader.status(at: 3_000).digest == book.statusReader.digest())
  }
}
