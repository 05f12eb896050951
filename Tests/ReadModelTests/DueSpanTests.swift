import Bytes
import Domain
import ReadModel
import Testing

/// Filters by due times, which are stored as the clocks of their zones show them.
struct DueSpanTests {
  /// To-dos due on 20 November at any time, at 9:00, at 17:00, and at 17:00 in two zones; and in November.
  private static func log() throws -> OneLog {
    var log = try OneLog()
    func todo(_ title: String, _ due: String, _ minute: Int64?, _ zone: String? = nil) throws {
      try log.todo(
        title, on: nil,
        [
          (Field.Todo.due, .date(try .parse(due))), (Field.Todo.dueTime, .optional(minute)),
          (Field.Todo.zone, zone.map(Value.text) ?? .null),
        ].filter { $0.1 != .null })
    }
    try todo("any", "2026-11-20", nil)
    try todo("morning", "2026-11-20", 540)
    try todo("evening", "2026-11-20", 1020)
    try todo("east", "2026-11-20", 1020, "Z/East")
    try todo("west", "2026-11-20", 1020, "Z/West")
    try todo("month", "2026-11", nil)
    try todo("old", "2026-11-19", 1439)
    try todo("zone alone", "2026-11-20", nil, "Z/East")
    return log
  }

  /// 20 November 2026, as in events.
  private static let day: Int64 = 2026 * 512 + 11 * 32 + 20

  private static func span(
    _ zone: String, _ start: (Int64, Int64), _ end: (Int64, Int64)
  ) -> DueSpan {
    DueSpan(
      zone: zone, start: .init(day: day + start.0, minute: start.1),
      end: .init(day: day + end.0, minute: end.1))
  }

  @Test func `Due times: overdue are earlier days, and this day at an earlier minute`() throws {
    let log = try Self.log()
    func titles(_ minute: Int64) throws -> Set<String> {
      Set(
        try log.titles(
          TodoFilter(due: .overdue(try #require(CivilDate(packed: Self.day)), minute: minute)),
          by: .due
        )
        .compactMap(\.self))
    }
    #expect(try titles(0) == ["old"])
    #expect(try titles(540) == ["old"])
    #expect(try titles(541) == ["old", "morning"])
    #expect(try titles(1439) == ["old", "morning", "evening", "east", "west"])
  }

  @Test(arguments: [TodoOrder.due, .priority])
  func `Due times: in a zone, times that its clocks have passed are overdue`(
    order: TodoOrder
  ) throws {
    let log = try Self.log()
    let zones = [
      Self.span("Z/East", (-100, 0), (1, 60)), Self.span("Z/West", (-100, 0), (0, 300)),
    ]
    let day = try #require(CivilDate(packed: Self.day))
    let due = TodoFilter.Due.overdue(day, minute: 900, zones: zones)
    #expect(
      Set(try log.titles(TodoFilter(due: due), by: order)) == ["old", "morning", "east"])
    #expect(try log.model.todos.count(of: TodoFilter(due: due), upTo: 9) == 3)
  }

  @Test func `Due times: a day here covers the times of a zone that fall on it`() throws {
    let log = try Self.log()
    let days = Self.day...Self.day
    let zones = [
      Self.span("Z/East", (0, 1080), (1, 1080)), Self.span("Z/West", (-1, 600), (0, 1021)),
    ]
    #expect(
      Set(try log.titles(TodoFilter(due: .within(days, zones: zones)), by: .due))
        == ["any", "morning", "evening", "west", "zone alone"])
    let before = [Self.span("Z/East", (0, 0), (0, 1021))]
    let yesterday = (Self.day - 1)...(Self.day - 1)
    #expect(
      Set(try log.titles(TodoFilter(due: .within(yesterday, zones: before)), by: .due))
        == ["old", "east"])
  }

  @Test func `Due times: the zones of timed to-dos near a day are found`() throws {
    let log = try Self.log()
    #expect(
      try log.model.todos.zones(ofTodosDue: Self.day...Self.day).sorted()
        == ["Z/East", "Z/West"])
    #expect(try log.model.todos.zones(ofTodosDue: 0...Self.day - 1) == [])
  }

  @Test func `Due times: a day is sorted by time, with the untimed last`() throws {
    let titles = try Self.log().titles(by: .due)
    #expect(
      titles == ["month", "old", "morning", "evening", "east", "west", "any", "zone alone"])
  }
}
