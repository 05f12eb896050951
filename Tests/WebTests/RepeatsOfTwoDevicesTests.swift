import Bytes
import Daybook
import Domain
import Platform
import ReadModel
import SimulatedPlatform
import Testing

@testable import Web

/// Repeating to-dos that two devices changed concurrently, on the page, on Friday, 20 November 2026.
struct RepeatsOfTwoDevicesTests {
  /// Creates a desk and a second device of its book, and returns a function that syncs both.
  private func pair() throws -> (desk: Desk, phone: Book, sync: () throws -> Void) {
    let desk = try Desk()
    let stick = Path("/media/stick")
    try desk.machine.disk.makeDirectories(stick)
    _ = try desk.book.replicator.sync(with: .directory(stick))
    let (phone, _) = try BookFactory.join(
      at: Path("/home/ada/phone"), from: .directory(stick), on: desk.machine.machine,
      deviceName: "phone", view: .memory, confirm: { _ in true })
    return (
      desk, phone,
      {
        for _ in 0..<2 {
          _ = try phone.replicator.sync(with: .directory(stick))
          _ = try desk.book.replicator.sync(with: .directory(stick), admission: .always)
        }
      }
    )
  }

  @Test func `Page: undoing a date that another device has also closed reports it as still done`()
    throws
  {
    let (desk, phone, sync) = try pair()
    let id = try desk.addBins()
    try sync()
    let key = try #require(UniqueID(uuid: id))
    desk.machine.timekeeper.advance(milliseconds: 60_000)
    _ = try phone.commands.perform(.setDone([key], true))
    try desk.wish("done", ("id", .string(id)), ("done", true))
    try sync()
    let said = try desk.wish("undo")["said"]
    #expect(
      said?.string
        == "Undid: “Bins of Mon 2026-11-23”. "
        + "It is still done, because it was also marked as done on phone.")
    #expect(try desk.get("view/list/none").rows.map { $0["when"]?["text"] } == ["30 Nov"])
  }

  @Test func `Page: a conflict about one date shows the date, and marks the to-do`() throws {
    let (desk, phone, sync) = try pair()
    let id = try desk.addBins()
    try sync()
    let key = try #require(UniqueID(uuid: id))
    desk.machine.timekeeper.advance(milliseconds: 60_000)
    let due = Request.Assignment(Field.Todo.due, .value(.date(try CivilDate.parse("2026-11-25"))))
    _ = try phone.commands.perform(.edit(key, [due]))
    try desk.wish(
      "edit", ("id", .string(id)), ("fields", .object(("due", "2026-11-24"))))
    try sync()
    let conflicts = try desk.get("view/conflicts").rows
    #expect(conflicts.map { $0["title"] } == ["Bins of Mon 2026-11-23"])
    #expect(
      try desk.get("view/today").rows.first?["note"] == "Bins of Mon 2026-11-23")
    #expect(try desk.get("view/list/none").rows.map { $0["conflict"] } == [true])
    #expect(try desk.get("item/\(id)")["conflict"] == true)
  }

  @Test func `Page: a conflict of two rules offers only these rules`() throws {
    let (desk, phone, sync) = try pair()
    let id = try desk.addBins()
    try sync()
    let key = try #require(UniqueID(uuid: id))
    desk.machine.timekeeper.advance(milliseconds: 60_000)
    let daily = Request.Assignment(Field.Todo.repeat, .value(.text("FREQ=DAILY")))
    _ = try phone.commands.perform(.edit(key, [daily]))
    try desk.wish(
      "edit", ("id", .string(id)), ("fields", .object(("repeat", "every 2 weeks"))))
    try sync()
    let rule = try #require(
      try desk.get("view/conflicts").rows.first { $0["field"]?.string == "repeat" })
    #expect(rule["subject"] == "repeat" && rule["type"] == .null)
    #expect(
      Set(rule["sides"]?.array?.compactMap { $0["value"]?.string } ?? [])
        == ["every day", "every 2 weeks"])
  }
}

extension Desk {
  /// Adds a to-do that repeats every Monday.
  fileprivate func addBins() throws -> String {
    let added = try wish("add", ("kind", "todo"), ("text", "Bins repeat:mon"))
    return try #require(added["id"]?.string)
  }
}
