import Bytes
import Daybook
import Domain
import Platform
import ReadModel
import SimulatedPlatform
import Testing

/// The local day on which a to-do was closed.
struct ClosingDayTests {
  /// 2026-11-26, 23:30 in UTC.
  private static let evening = Moment(milliseconds: 1_795_735_800_000)

  private func days(on book: Book) throws -> [String: String] {
    let closed = try book.view().todos.todos().filter(\.isCancelled)
    return Dictionary(
      uniqueKeysWithValues: closed.map { ($0.title ?? "", $0.closedOn?.iso ?? "none") })
  }

  @Test func `Cancel: every device shows the day of the device that cancelled`() throws {
    let office = Office(seed: 960)
    let london = try office.found("london")
    _ = try london.replicator.sync(with: Office.directory)
    let tokyo = try office.join("tokyo")
    for (place, zone) in zip(office.places, ["Europe/London", "Asia/Tokyo"]) {
      place.simulated.timekeeper.setLocalZone(named: zone)
      place.simulated.timekeeper.set(Self.evening)
    }
    _ = try london.replicator.sync(with: Office.directory, admission: .always)
    for (book, title) in [(london, "Milk"), (tokyo, "Rice")] {
      let added = try book.commands.perform(
        .addTodo(title: title, list: .none, priority: nil, due: nil))
      _ = try book.commands.perform(.cancel([try #require(added.changes.first).document.id]))
    }
    for book in [london, tokyo, london] {
      _ = try book.replicator.sync(with: Office.directory)
    }
    let expected = ["Milk": "2026-11-26", "Rice": "2026-11-27"]
    let reopened = try office.places.map { try $0.open() }
    for book in [london, tokyo] + reopened { #expect(try days(on: book) == expected) }
  }

  @Test func `Closing day: without a set clock, it is the date of the series, or unknown`() throws {
    let office = Office(seed: 961)
    let book = try office.found("one")
    let clock = try office.place("one").simulated.timekeeper
    // 2026-11-26, noon in UTC.
    clock.set(Moment(milliseconds: 1_795_694_400_000))
    let due = try CivilDate.parse("2026-11-23")
    let rule = Request.Assignment(Field.Todo.repeat, .value(.text("FREQ=WEEKLY")))
    func add(_ title: String, _ others: [Request.Assignment]) throws -> UniqueID {
      let request = Request.addTodo(
        title: title, list: .none, priority: nil, due: due, others: others)
      return try #require(try book.commands.perform(request).changes.first).document.id
    }
    let (bins, milk) = (try add("Bins", [rule]), try add("Milk", []))
    _ = try book.commands.perform(.setDone([bins], true))
    // 1970-01-01: the machine has no battery for its clock.
    clock.set(Moment(milliseconds: 60_000))
    _ = try book.commands.perform(.skip([bins]))
    _ = try book.commands.perform(.cancel([milk]))
    let closed = try book.view().todos.todos().filter(\.isClosed)
    let days = closed.map { "\($0.title ?? "") \($0.closedOn?.iso ?? "unknown")" }
    #expect(days.sorted() == ["Bins 2026-11-26", "Bins 2026-11-30", "Milk unknown"])
    clock.set(Moment(milliseconds: 1_795_694_400_000))
    #expect(
      try book.view().todos.todos().filter { $0.rule != nil }.map(\.due?.iso) == ["2026-12-07"])
  }
}
