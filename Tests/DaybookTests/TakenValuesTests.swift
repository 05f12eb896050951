import Domain
import Platform
import ReadModel
import SimulatedPlatform
import Testing

@testable import Daybook

struct TakenValuesTests {
  private let machine = SimulatedMachine(seed: 1)

  @Test func `History: the values that a merge took are read only on request`() throws {
    let book = try BookFactory.create(
      at: Path("/home/ada/book"), on: machine.machine, deviceName: "laptop", view: .memory)
    let due = try CivilDate(year: 2026, month: 11, day: 25)
    let told: [(due: CivilDate?, tags: [String])] = [(nil, []), (due, ["late"])]
    let ids = try told.map { due, tags in
      let request = Request.addTodo(
        title: "Paint", list: .none, priority: nil, due: due, tags: tags)
      return try #require(try book.commands.perform(request).changes.first).document.id
    }
    _ = try book.commands.perform(.merge(ids[0], ids[1]))
    let taken = { (wish: HistoryWish) in
      let entries = try book.historyReader.history(wish).entries
      return try #require(entries.first { $0.fact.body.verb == .alias }).taken
    }
    let unread = try taken(HistoryWish(id: ids[0]))
    #expect(unread.fields.isEmpty && unread.tags.isEmpty)
    let read = try taken(HistoryWish(id: ids[0], includesTaken: true))
    #expect(read.fields.map(\.field.field) == [Field.Todo.due])
    #expect(read.fields.map(\.value) == [.date(due)])
    #expect(read.tags == ["late"])
  }
}
