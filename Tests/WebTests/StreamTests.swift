import Bytes
import Daybook
import Domain
import ReadModel
import SimulatedPlatform
import Testing

@testable import Web

/// Event streams of open pages.
struct StreamTests {
  /// Returns the names of the first events of a stream.
  private func begin(_ desk: Desk, _ name: ViewAddress.Name, since: String?) throws -> [String] {
    try desk.site.begin(ViewAddress(name), since: since, on: 1).map(\.name)
  }

  @Test func `Event stream: a returning page gets the steps it missed`() throws {
    let desk = try Desk()
    let first = try desk.get("view/today")["revision"]?.string
    try desk.wish("add", ("kind", "todo"), ("text", "Sweep today"))
    try desk.wish("add", ("kind", "todo"), ("text", "Mop today"))
    let second = try desk.get("view/today")["revision"]?.string
    #expect(try begin(desk, .today, since: first) == ["hello", "steps", "rest", "steps", "rest"])
    #expect(try begin(desk, .today, since: second) == ["hello"])
  }

  @Test func `Event stream: a page that missed too many steps must reload`() throws {
    let desk = try Desk()
    let first = try desk.get("view/lists")["revision"]?.string
    for _ in 0...256 {
      try desk.perform(.addList(name: "L", colour: nil))
      try desk.site.refresh(saying: false)
    }
    #expect(try begin(desk, .lists, since: first) == ["hello", "reload"])
    for name in [nil, "", "other-1", "\(desk.site.name(of: 0))x"] {
      #expect(try begin(desk, .lists, since: name) == ["hello", "reload"], "\(name ?? "none")")
    }
  }

  @Test func `Event stream: the steps lead from the earlier view to the current one`() throws {
    let desk = try Desk()
    let list = try desk.perform(.addList(name: "Home", colour: nil))
    for title in ["A", "B", "C", "D"] { _ = try desk.addTodo(title, list: list) }
    var address = ViewAddress(.list(list))
    address.showsAll = true
    var sections = try desk.site.view(address, on: try desk.site.page(at: nil)).sections
    _ = try desk.site.answer(address)
    let rows = try desk.get("view/list/\(list.uuid)").rows
    let ids = try rows.map { try #require($0["id"]?.string) }
    try desk.wish("done", ("id", .string(ids[1])), ("done", true))
    try desk.wish("edit", ("id", .string(ids[3])), ("fields", .object(("priority", "high"))))
    try desk.wish("delete", ("id", .string(ids[0])))
    let now = try desk.site.view(address, on: try desk.site.page(at: nil)).sections
    ChangeSet(from: sections, to: now).apply(to: &sections)
    #expect(sections == now)
    #expect(now.flatMap(\.rows).map(\.title) == ["D", "C", "B"])
  }

  @Test func `Event stream: a new day is announced even if nothing was written`() throws {
    let desk = try Desk()
    _ = try desk.addTodo("Sweep", due: try CivilDate(year: 2026, month: 11, day: 21))
    let view = try desk.get("view/today")
    #expect(view.rows.first?["when"]?["text"] == "Sat 21")
    desk.site.attendToDay()
    let revision = view["revision"]?.string
    #expect(try begin(desk, .today, since: revision) == ["hello"])
    desk.machine.timekeeper.advance(milliseconds: 86_400_000)
    desk.site.attendToDay()
    #expect(try begin(desk, .today, since: revision) == ["hello", "steps", "rest"])
    #expect(try desk.get("view/today").rows.first?["when"]?["text"] == "today")
  }

  @Test func `Event stream: a past view gets the greeting and no steps`() throws {
    let desk = try Desk()
    _ = try desk.addTodo("Sweep")
    var address = ViewAddress(.today)
    address.moment = 1_795_165_200_000
    #expect(try desk.site.begin(address, since: nil, on: 1).map(\.name) == ["hello"])
    #expect(!desk.site.openViews.isKnown(address))
  }

  @Test func `Event stream: a view of a deleted record is closed`() throws {
    let desk = try Desk()
    let list = try desk.perform(.addList(name: "Home", colour: nil))
    _ = try desk.get("view/list/\(list.uuid)")
    #expect(desk.site.openViews.addresses.count == 1)
    try desk.wish("delete", ("id", .string(list.uuid)))
    #expect(desk.site.openViews.addresses.isEmpty)
  }
}
