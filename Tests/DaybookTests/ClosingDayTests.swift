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
}
