import Bytes
import Domain
import ReadModel
import Testing

/// To-dos that are hidden until their start, done or cancelled.
@Suite struct ClosedTodoTests {
  private static let today = "2026-11-26"
  private static let cancelled: [(Field, Value)] = [(Field.Todo.cancelled, .boolean(true))]
  private static let done: [(Field, Value)] = [(Field.Todo.done, .boolean(true))]

  private static func date(_ field: Field, _ words: String?) throws -> [(Field, Value)] {
    try words.map { [(field, .date(try .parse($0)))] } ?? []
  }

  private static let starts = [
    nil, "2026-11-25", "2026-11-26", "2026-11-27", "2026-11", "2026-12", "2026", "2027", "--12-24",
  ]
  private static let dues = [
    nil, "2026-11-25", "2026-11-26", "2026-11-27", "2026-11", "2026-12", "2026", "2027", "--12-24",
  ]
  /// The starts and due dates that are still to come.
  private static let later: Set<String?> = ["2026-11-27", "2026-12", "2027"]

  @Test(arguments: [TodoOrder.priority, .due, .title, .openFirst])
  func `Hidden to-dos: a start to come hides until the due date has begun`(
    order: TodoOrder
  ) throws {
    var log = try OneLog()
    var hidden: Set<String?> = []
    var visible: Set<String?> = []
    for start in Self.starts {
      for due in Self.dues {
        let title = "from \(start ?? "-") due \(due ?? "-")"
        try log.todo(
          title, on: nil,
          try Self.date(Field.Todo.start, start) + Self.date(Field.Todo.due, due))
        let isHidden = Self.later.contains(start) && (due == nil || Self.later.contains(due))
        if isHidden { hidden.insert(title) } else { visible.insert(title) }
      }
    }
    let day = try CivilDate.parse(Self.today)
    for (filter, expected) in [
      (TodoFilter(hidden: .only(on: day)), hidden),
      (TodoFilter(hidden: .excluded(on: day)), visible),
      (TodoFilter.visible(on: day), visible), (TodoFilter.visible(on: nil), hidden.union(visible)),
    ] {
      let rows = try log.model.todos.todos(filter, by: order)
      #expect(Set(rows.map(\.title)) == expected)
      #expect(rows == (try log.model.todos.todos(filter, by: order, page: Page(count: 1_000))))
    }
    let rows = try log.model.todos.todos()
    #expect(Set(rows.filter { $0.isHidden(on: day) }.map(\.title)) == hidden)
  }

  /// Writes one to-do of each state on a list, or on none.
  private static func addOneOfEach(_ log: inout OneLog, on list: EventKey?) throws {
    try log.todo("open", on: list)
    try log.todo("hidden", on: list, try date(Field.Todo.start, "2027"))
    try log.todo("done", on: list, try done + date(Field.Todo.start, "2027"))
    try log.todo("cancelled", on: list, cancelled)
    // If a to-do is both completed and cancelled, the completion counts.
    try log.todo("both", on: list, done + cancelled)
  }

  @Test func `Totals: a hidden to-do does not count as open or undated`() throws {
    var log = try OneLog()
    let (home, gone) = (try log.list("Home"), try log.list("Gone"))
    for list in [nil, home, gone] {
      try Self.addOneOfEach(&log, on: list)
      let dates = try Self.date(Field.Todo.start, "2027") + Self.date(Field.Todo.due, "2028")
      try log.todo("hidden and dated", on: list, dates)
    }
    try log.write(.delete, .entity(gone))
    #expect(
      try log.model.todos.totals(on: .parse(Self.today))
        == TodoTotals(open: 2, hidden: 4, undated: 2, done: 4, cancelled: 2))
    #expect(
      try log.model.todos.totals()
        == TodoTotals(open: 6, hidden: 0, undated: 4, done: 4, cancelled: 2))
  }

  @Test func `Closed to-dos: they are counted by state, except to-dos on deleted lists`() throws {
    var log = try OneLog()
    let (home, gone) = (try log.list("Home"), try log.list("Gone"))
    for list in [nil, home, gone] { try Self.addOneOfEach(&log, on: list) }
    try log.write(.delete, .entity(gone))
    let todos = log.model.todos
    var filter = TodoFilter.visible(on: try .parse(Self.today))
    #expect(try todos.rest(of: filter) == TodoRest(hidden: 2, done: 4, cancelled: 2))
    #expect(
      try todos.rest(of: .visible(on: nil)) == TodoRest(hidden: 0, done: 4, cancelled: 2))
    filter.priority = 1
    #expect(try todos.rest(of: filter) == TodoRest(hidden: 2, done: 4, cancelled: 2))
    filter.priority = 2
    #expect(try todos.rest(of: filter) == TodoRest())
    filter.priority = nil
    for place in [TodoFilter.Place.list(home), .withoutList] {
      filter.place = place
      #expect(try todos.rest(of: filter) == TodoRest(hidden: 1, done: 2, cancelled: 1))
    }
    #expect(try log.model.lists.list(home)?.openTodos == 2)
  }

  @Test func `Closed to-dos: a cancelled one is closed for filters and rows`() throws {
    var log = try OneLog()
    try Self.addOneOfEach(&log, on: nil)
    #expect(try log.titles(TodoFilter(includesClosed: false), by: .title) == ["hidden", "open"])
    #expect(
      try log.titles(TodoFilter(includesOpen: false), by: .title) == ["both", "cancelled", "done"])
    let rows = try log.model.todos.todos(by: .title)
    #expect(rows.map(\.state) == [.done, .cancelled, .done, .open, .open])
    #expect(rows.map(\.isClosed) == [true, true, true, false, false])
    #expect(rows.map(\.isCancelled) == [false, true, false, false, false])
  }

  @Test func `Closed to-dos: open ones come first, then the latest closed one`() throws {
    var log = try OneLog()
    func completed(_ time: Int64) -> [(Field, Value)] {
      Self.done + [(Field.Todo.completedAt, .integer(time))]
    }
    let midnight: Int64 = 1_795_651_200_000
    try log.todo("at 6", on: nil, completed(midnight + 21_600_000))
    try log.todo("open")
    try log.todo("unknown day", on: nil, Self.cancelled)
    try log.todo(
      "by day", on: nil, try Self.cancelled + Self.date(Field.Todo.closedOn, Self.today))
    try log.todo("at 18", on: nil, completed(midnight + 64_800_000))
    try log.todo("urgent", on: nil, [(Field.Todo.priority, .integer(2))])
    try log.todo("far", on: nil, completed(8_000_000_000_000))
    try log.todo("long ago", on: nil, completed(1))
    let closed = ["far", "at 18", "by day", "at 6", "unknown day", "long ago"]
    for filter in [TodoFilter(), TodoFilter(includesOpen: false)] {
      let open = filter.includesOpen ? ["urgent", "open"] : []
      let rows = try log.model.todos.todos(filter, by: .openFirst)
      #expect(rows.map(\.title) == open + closed)
      let page = Page(count: 100)
      #expect(rows == (try log.model.todos.todos(filter, by: .openFirst, page: page)))
    }
  }

  @Test func `To-dos: the to-dos of a day are sorted by time, with the untimed last`()
    throws
  {
    var log = try OneLog()
    func due(_ words: String, _ minute: Int64?) throws -> [(Field, Value)] {
      try Self.date(Field.Todo.due, words)
        + (minute.map { [(Field.Todo.dueTime, .integer($0))] } ?? [])
    }
    try log.todo("some time", on: nil, try due("2026-11-26", nil))
    try log.todo("17:00", on: nil, try due("2026-11-26", 1020))
    try log.todo("next day", on: nil, try due("2026-11-27", 0))
    try log.todo("midnight", on: nil, try due("2026-11-26", 0))
    try log.todo("no day", on: nil, [(Field.Todo.dueTime, .integer(60))])
    let expected = ["midnight", "17:00", "some time", "next day", "no day"]
    for order in [TodoOrder.due, .priority, .openFirst] {
      let rows = try log.model.todos.todos(by: order)
      #expect(rows.map(\.title) == expected)
      #expect(rows == (try log.model.todos.todos(by: order, page: Page(count: 100))))
    }
  }

  @Test func `Search: closed to-dos come after all others, with their state`() throws {
    var log = try OneLog()
    try log.todo("milk", on: nil, Self.done)
    try log.todo("milk run", on: nil, Self.cancelled)
    try log.todo("buy milk")
    _ = try log.list("oat milk")
    let found = try log.model.rankedSearch.search("milk")
    #expect(found.map(\.title) == ["buy milk", "oat milk", "milk", "milk run"])
    #expect(found.map(\.state) == [.open, .open, .done, .cancelled])
    let rest = try log.model.rankedSearch.search(
      "milk", page: Page(after: found[1].key, count: 1))
    #expect(rest.map(\.title) == ["milk"])
  }
}
