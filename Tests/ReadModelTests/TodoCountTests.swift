import Domain
import ReadModel
import Testing

/// Counts of to-dos, which are taken from other columns and indexes than lists.
struct TodoCountTests {
  private static let dues = [
    nil, "2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21", "2026-11", "2026-10", "2026",
    "--11-20",
  ]
  private static let times: [(Int64, String?)?] = [
    nil, (540, nil), (1020, nil), (1020, "Z/East"), (1020, "Z/West"),
  ]
  private static let starts = [nil, nil, "2026-11-01", "2026-11-21", "2027-01-01"]

  /// To-dos with all combinations of due dates, times and starts, on four lists and without a list.
  ///
  /// The second list is deleted, and the last list has never been folded.
  private static func log() throws -> (log: OneLog, list: EventKey) {
    var log = try OneLog()
    let (shown, gone, other) = (try log.list("shown"), try log.list("gone"), try log.list("other"))
    let lists = [nil, shown, gone, other, EventKey(log: 0, sequence: 9_999)]
    var number = 0
    for due in dues {
      for time in times {
        for start in starts {
          number += 1
          let fields: [(Field, Value)?] = [
            try due.map { (Field.Todo.due, .date(try .parse($0))) },
            time.map { (Field.Todo.dueTime, .integer($0.0)) },
            time?.1.map { (Field.Todo.zone, .text($0)) },
            try start.map { (Field.Todo.start, .date(try .parse($0))) },
            number % 7 == 0 ? (Field.Todo.done, .boolean(true)) : nil,
            number % 11 == 0 ? (Field.Todo.cancelled, .boolean(true)) : nil,
          ]
          try log.todo("\(number)", on: lists[number % 5], fields.compactMap(\.self))
        }
      }
    }
    try log.write(.delete, .entity(gone))
    return (log, shown)
  }

  private static func filters(on list: EventKey) throws -> [TodoFilter] {
    let today = try CivilDate.parse("2026-11-20")
    let week = today...(try CivilDate.parse("2026-11-27"))
    let zones = [
      DueSpan(
        zone: "Z/East", start: .init(day: today.packed, minute: 300),
        end: .init(day: today.packed + 1, minute: 300))
    ]
    let dues: [TodoFilter.Due] = [
      .whenever, .dated, .undated, .before(today), .overdue(today, minute: 700),
      .overdue(today, minute: 700, zones: zones), .on(week), .on(today...today, minute: 700),
      .on(week, zones: zones), .within(today.packed - 2...today.packed),
      .within(today.packed - 2...today.packed, zones: zones),
    ]
    var filters: [TodoFilter] = []
    for due in dues {
      for place in [TodoFilter.Place.anywhere, .list(list), .withoutList] {
        for hidden in [TodoFilter.Hidden.included, .excluded(on: today), .only(on: today)] {
          for includesClosed in [false, true] {
            filters.append(
              TodoFilter(place: place, includesClosed: includesClosed, due: due, hidden: hidden))
          }
        }
      }
    }
    return filters
  }

  @Test func `To-do counts: a count is the number of to-dos on a list, for every filter`() throws {
    let (log, list) = try Self.log()
    let todos = log.model.todos
    var sizes: Set<Int> = []
    for filter in try Self.filters(on: list) {
      let listed = try todos.todos(filter, by: .due, page: Page(count: 1_000)).count
      #expect(try todos.count(of: filter, upTo: .max) == listed, "\(filter)")
      #expect(try todos.count(of: filter, upTo: 3) == min(listed, 3), "\(filter)")
      sizes.insert(listed)
    }
    #expect(sizes.count > 20)
  }

  @Test func `To-do counts: open to-dos are counted by due date without reading their rows`() throws
  {
    let log = try OneLog()
    let today = try CivilDate.parse("2026-11-20")
    for due in [TodoFilter.Due.overdue(today, minute: 700), .on(today...today), .whenever] {
      let plan = try log.model.todos.plan(ofCounting: .pending(due, on: today))
      #expect(plan.first?.contains("USING COVERING INDEX todo_due") == true, "\(plan)")
    }
  }

  @Test func `To-do counts: hidden to-dos without a date are found by their start`() throws {
    let today = try CivilDate.parse("2026-11-20")
    let plan = try OneLog().model.todos.plan(ofCountingUndatedHiddenOn: today)
    #expect(plan.first?.contains("USING INDEX todo_by_start") == true, "\(plan)")
  }
}
