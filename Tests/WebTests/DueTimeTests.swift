import Bytes
import Daybook
import Domain
import Platform
import ReadModel
import SimulatedPlatform
import Testing

@testable import Web

/// Due times on the page, on Friday, 20 November 2026.
struct DueTimeTests {
  private func add(
    _ desk: Desk, _ title: String, _ day: Int, _ minute: Int64?, _ zone: String? = nil
  ) throws -> UniqueID {
    var others = [
      Request.Assignment(
        Field.Todo.due, .value(.date(try CivilDate(year: 2026, month: 11, day: day))))
    ]
    if let minute { others.append(.init(Field.Todo.dueTime, .value(.integer(minute)))) }
    if let zone { others.append(.init(Field.Todo.zone, .value(.text(zone)))) }
    return try desk.perform(
      .addTodo(title: title, list: .none, priority: nil, due: nil, others: others))
  }

  private func rows(_ desk: Desk) throws -> [String] {
    let sections = try desk.get("view/today")["sections"]?.array ?? []
    let todos = sections.filter {
      ["Overdue", "Today", "Next 7 days"].contains($0["title"]?.string)
    }
    return todos.flatMap { $0["rows"]?.array ?? [] }.map { row in
      [row["title"], row["when"]?["text"], row["when"]?["tone"]].map { $0?.string ?? "" }
        .joined(separator: " | ")
    }
  }

  @Test func `Page: the time is shown next to the due date, and a past time is late`() throws {
    let desk = try Desk()
    _ = try add(desk, "Later", 20, 1020)
    _ = try add(desk, "Any", 20, nil)
    _ = try add(desk, "Soon", 20, 510)
    _ = try add(desk, "Week", 27, 1020)
    _ = try add(desk, "Mars", 21, 1020, "Mars/Olympus")
    _ = try add(desk, "Old", 18, 600)
    #expect(
      try rows(desk) == [
        "Old | 2 d late 10:00 | late", "Soon | today 08:30 | late", "Later | today 17:00 | today",
        "Any | today | today", "Mars | Sat 21 17:00 Mars/Olympus | soon",
        "Week | 27 Nov 17:00 | plain",
      ])
  }

  @Test func `Page: to-dos of other zones are under their local days`() throws {
    let desk = try Desk()
    desk.machine.timekeeper.setLocalZone(named: "Pacific/Honolulu")
    // Here it is still 19 November.
    _ = try add(desk, "Call", 21, 540, "Pacific/Auckland")
    _ = try add(desk, "Far", 27, 540, "Pacific/Auckland")
    _ = try add(desk, "Here", 20, 540)
    #expect(
      try rows(desk) == [
        "Here | Fri 20 09:00 | soon", "Call | Fri 20 10:00 | soon", "Far | 26 Nov 10:00 | plain",
      ])
  }

  private func fields(_ desk: Desk, _ id: UniqueID) throws -> [String: String] {
    let fields = try desk.get("item/\(id.uuid)")["fields"]?.array ?? []
    return Dictionary(
      fields.compactMap { field in
        guard let name = field["name"]?.string, let value = field["value"]?.string else {
          return nil
        }
        return (name, value)
      }, uniquingKeysWith: { first, _ in first })
  }

  @Test func `Page: the sheet saves the time, the zone and the reminders`() throws {
    let desk = try Desk()
    let id = try add(desk, "Call", 27, nil)
    let edit = { (name: String, value: String) in
      try desk.wish(
        "edit", ("id", .string(id.uuid)),
        ("fields", .object([JSON.Member(name, .string(value))])))
    }
    _ = try edit("dueTime", "17:00")
    _ = try edit("zone", "europe/berlin")
    _ = try edit("remind", "1D, 2h")
    var saved = try fields(desk, id)
    #expect(saved["dueTime"] == "17:00" && saved["zone"] == "Europe/Berlin")
    #expect(saved["remind"] == "1d, 2h")
    _ = try edit("due", "2026-11-28 18:30")
    saved = try fields(desk, id)
    #expect(saved["due"] == "2026-11-28" && saved["dueTime"] == "18:30")
    _ = try edit("dueTime", "")
    saved = try fields(desk, id)
    #expect(saved["dueTime"] == "" && saved["zone"] == nil && saved["due"] == "2026-11-28")
  }

  @Test func `Page: contradictory fields are refused in the words of the page`() throws {
    let desk = try Desk()
    let id = try desk.addTodo("Call")
    func refusal(_ name: String, _ value: String) throws -> String {
      let (status, json) = try desk.post(
        "do",
        .object(
          ("request", .string("\(name)-\(value)")), ("command", "edit"), ("id", .string(id.uuid)),
          ("fields", .object([JSON.Member(name, .string(value))]))))
      #expect((400..<500).contains(status), "\(status)")
      return json.text()
    }
    #expect(
      try refusal("dueTime", "17:00").contains("without a complete due date cannot have a time"))
    #expect(try refusal("zone", "Mars/Olympus").contains("time zone cannot be"))
    #expect(try refusal("remind", "soon").contains("reminders cannot be 'soon'"))
  }
}
