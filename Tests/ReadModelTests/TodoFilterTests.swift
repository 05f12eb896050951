import Bytes
import Domain
import ReadModel
import Testing

@Suite struct TodoFilterTests {
  private static func log() throws -> OneLog {
    var log = try OneLog()
    func due(_ date: String) throws -> (Field, Value) {
      (Field.Todo.due, .date(try .parse(date)))
    }
    try log.todo("free", on: nil, [(.tags, .texts(["Élan", "a b"]))])
    try log.todo("day", on: nil, [try due("2026-11-20"), (Field.Todo.priority, .integer(2))])
    try log.todo("late", on: nil, [try due("2026-10-31"), (.tags, .texts(["ELAN", "x"]))])
    try log.todo(
      "past", on: nil, [try due("2026-11-01"), (Field.Todo.done, .boolean(true))])
    try log.todo("month", on: nil, [try due("2026-11"), (.note, .text("x\nelan"))])
    try log.todo("year", on: nil, [try due("2026"), (Field.Todo.priority, .integer(0))])
    return log
  }

  @Test func `To-do filter: to-dos are filtered by completion and priority`() throws {
    let log = try Self.log()
    #expect(try log.titles(TodoFilter(includesOpen: false)) == ["past"])
    #expect(try log.titles(TodoFilter(includesClosed: false, includesOpen: false)) == [])
    #expect(try log.titles(TodoFilter(priority: 2)) == ["day"])
    #expect(
      try log.titles(TodoFilter(priority: 1), by: .creation) == ["free", "late", "past", "month"])
  }

  @Test func `To-do filter: due dates are filtered, and a month covers its days`() throws {
    let log = try Self.log()
    func titles(_ due: TodoFilter.Due) throws -> [String?] {
      try log.titles(TodoFilter(due: due), by: .due)
    }
    let span = { (text: String) in try #require(try CivilDate.parse(text).span) }
    #expect(try titles(.dated) == ["year", "late", "month", "past", "day"])
    #expect(try titles(.undated) == ["free"])
    #expect(try titles(.within(span("2026-11"))) == ["month", "past", "day"])
    #expect(try titles(.within(span("2026-11-20"))) == ["day"])
    #expect(try titles(.within(span("2026"))) == ["year", "late", "month", "past", "day"])
    #expect(try titles(.before(.parse("2026-11-20"))) == ["late", "past"])
    #expect(try titles(.whenever) == ["year", "late", "month", "past", "day", "free"])
  }

  @Test func `To-do filter: months and years are overdue after their last day`() throws {
    var log = try OneLog()
    for due in ["2025", "2026", "2026-10", "2026-11", "2026-10-31", "2026-11-01", "--01-01"] {
      try log.todo(due, on: nil, [(Field.Todo.due, .date(try .parse(due)))])
    }
    func titles(_ day: String) throws -> [String?] {
      try log.titles(TodoFilter(due: .before(.parse(day))), by: .due)
    }
    #expect(try titles("2025-12-31") == [])
    #expect(try titles("2026-01-01") == ["2025"])
    #expect(try titles("2026-10-31") == ["2025"])
    #expect(try titles("2026-11-01") == ["2025", "2026-10", "2026-10-31"])
    #expect(try titles("2026-11-30") == ["2025", "2026-10", "2026-10-31", "2026-11-01"])
    #expect(
      try titles("2026-12-31") == ["2025", "2026-10", "2026-10-31", "2026-11", "2026-11-01"])
    #expect(
      try titles("2027-01-01")
        == ["2025", "2026", "2026-10", "2026-10-31", "2026-11", "2026-11-01"])
  }

  @Test func `To-do filter: months and years are due on their last day`() throws {
    var log = try OneLog()
    for due in ["2025", "2026", "2026-11", "2026-11-27", "2026-12", "2026-12-31", "--11-27"] {
      try log.todo(due, on: nil, [(Field.Todo.due, .date(try .parse(due)))])
    }
    func titles(_ first: String, _ last: String) throws -> [String?] {
      let days = try CivilDate.parse(first)...CivilDate.parse(last)
      return try log.titles(TodoFilter(due: .on(days)), by: .due)
    }
    #expect(try titles("2026-11-27", "2026-11-29") == ["2026-11-27"])
    #expect(try titles("2026-11-27", "2026-12-03") == ["2026-11", "2026-11-27"])
    #expect(try titles("2026-11-28", "2026-11-30") == ["2026-11"])
    #expect(try titles("2026-12-01", "2026-12-30") == [])
    #expect(try titles("2026-12-30", "2027-01-05") == ["2026", "2026-12", "2026-12-31"])
    #expect(try titles("2025-12-31", "2025-12-31") == ["2025"])
  }

  @Test func `To-do filter: times before a minute of the first day can be left out`() throws {
    var log = try OneLog()
    for (title, due, minute) in [
      ("morning", "2026-11-30", 540), ("evening", "2026-11-30", 1020),
      ("untimed", "2026-11-30", nil),
      ("month", "2026-11", nil), ("before", "2026-11-29", 1439), ("after", "2026-12-01", 0),
    ] as [(String, String, Int64?)] {
      let time: [(Field, Value)] = minute.map { [(Field.Todo.dueTime, .integer($0))] } ?? []
      try log.todo(title, [(Field.Todo.due, .date(try .parse(due)))] + time)
    }
    let day = try CivilDate.parse("2026-11-30")
    func titles(_ minute: Int64) throws -> [String?] {
      try log.titles(TodoFilter(due: .on(day...day, minute: minute)), by: .due)
    }
    #expect(try titles(540) == ["month", "morning", "evening", "untimed"])
    #expect(try titles(541) == ["month", "evening", "untimed"])
    #expect(try titles(1439) == ["month", "untimed"])
  }

  @Test func `To-do filter: each section of the agenda is read from an index, in its order`()
    throws
  {
    let log = try OneLog()
    let day = try CivilDate.parse("2026-11-26")
    let days: [TodoFilter.Due] = [
      .before(day), .on(day...day), .on(try .parse("2026-11-27")...(.parse("2026-12-03"))),
      .undated, .overdue(day, minute: 600), .on(day...day, minute: 600),
    ]
    for due in days {
      let plan = try log.model.todos.plan(
        of: .pending(due, on: day), by: .due, page: Page(count: 6))
      #expect(
        plan.first?.hasPrefix("SEARCH todo USING INDEX todo_open_by_due (undated=?") == true,
        "\(plan)")
      #expect(!plan.contains("USE TEMP B-TREE FOR ORDER BY"), "\(plan)")
    }
  }

  @Test func `To-dos: to-dos completed in a span are listed, earliest first`() throws {
    var log = try OneLog()
    let gone = try log.list("gone")
    for (title, time, list) in [
      ("c", 30, nil), ("a", 10, nil), ("b", 20, nil), ("late", 40, nil), ("hidden", 20, gone),
    ] as [(String, Int64, EventKey?)] {
      let fields: [(Field, Value)] = [
        (Field.Todo.done, .boolean(true)), (Field.Todo.completedAt, .integer(time)),
      ]
      try log.todo(title, on: list, fields)
    }
    try log.todo("open", on: nil, [(Field.Todo.completedAt, .integer(20))])
    try log.write(.delete, .entity(gone))
    #expect(try log.model.todos.todos(completedIn: 10..<40).map(\.title) == ["a", "b", "c"])
    #expect(try log.model.todos.todos(completedIn: 10..<40, upTo: 2).map(\.title) == ["a", "b"])
  }

  @Test func `To-do filter: to-dos must have all of the given tags, compared as whole tags`() throws
  {
    let log = try Self.log()
    #expect(try log.titles(TodoFilter(tags: ["élan"])) == ["late", "free"])
    #expect(try log.titles(TodoFilter(tags: ["elan", "X"])) == ["late"])
    #expect(try log.titles(TodoFilter(tags: ["a"])) == [])
    #expect(try log.titles(TodoFilter(tags: ["a b"])) == ["free"])
  }

  @Test func `To-do filter: to-dos must have at least one of several tags`() throws {
    let log = try Self.log()
    #expect(try log.titles(TodoFilter(anyTags: ["X", "a b"])) == ["late", "free"])
    #expect(try log.titles(TodoFilter(tags: ["elan"], anyTags: ["x", "y"])) == ["late"])
    #expect(try log.titles(TodoFilter(anyTags: ["y"])) == [])
  }

  @Test(arguments: [TodoOrder.priority, .due, .creation, .title, .position, .openFirst])
  func `To-do pages: together they are the whole list in every order`(order: TodoOrder) throws {
    var log = try Self.log()
    for title in ["same", "same", "Same"] {
      try log.todo(
        title, on: nil, [(Field.Todo.position, .integer(Int64(title.utf8[title.startIndex])))])
    }
    let whole = try log.model.todos.todos(by: order)
    #expect(whole.count == 9)
    for count in 1...4 {
      var pages: [TodoRow] = []
      var last = -1
      while pages.count != last {
        last = pages.count
        pages += try log.model.todos.todos(
          by: order, page: Page(after: pages.last?.head.key, count: count))
      }
      #expect(pages.map(\.head.key) == whole.map(\.head.key))
    }
  }

  @Test(arguments: [TodoOrder.priority, .due, .creation, .title, .position])
  func `To-do pages: no page needs a sort in any order`(order: TodoOrder) throws {
    var log = try OneLog()
    let key = try log.todo("first")
    let filters = [
      TodoFilter(), TodoFilter(includesClosed: false), TodoFilter(includesOpen: false),
      TodoFilter(priority: 2),
      TodoFilter(
        includesClosed: false, due: .before(try CivilDate(year: 2026, month: 11, day: 20))),
    ]
    for filter in filters {
      for page in [Page(count: 50), Page(after: key, count: 50)] {
        let plan = try log.model.todos.plan(of: filter, by: order, page: page)
        // The index of titles covers only the first of their sort keys.
        let sort =
          order == .title ? "USE TEMP B-TREE FOR ORDER BY" : "USE TEMP B-TREE"
        #expect(!plan.contains { $0.hasPrefix(sort) }, "\(plan)")
      }
    }
  }

  @Test(arguments: [TodoOrder.priority, .due, .creation, .title, .position, .openFirst])
  func `To-do list: the whole list equals one large page in every order`(order: TodoOrder) throws {
    var log = try Self.log()
    let (shown, gone) = (try log.list("shown"), try log.list("gone"))
    let (left, right) = (try log.list("left"), try log.list("right"))
    try log.write(.alias, .entity(left), [Write(.with, .reference(right))])
    for list in [shown, gone, left, right, EventKey(log: 0, sequence: 999), shown] {
      try log.todo("on \(list.sequence)", on: list)
    }
    try log.write(.delete, .entity(gone))
    let all = try log.model.todos.todos(by: order)
    #expect(all == (try log.model.todos.todos(by: order, page: Page(count: 100))))
    #expect(all.count == 11)
    #expect(Set(all.compactMap(\.listName)).count == 2)
    let open = TodoFilter(includesClosed: false, due: .dated)
    #expect(
      try log.model.todos.todos(open, by: order)
        == log.model.todos.todos(open, by: order, page: Page(count: 100)))
  }

  @Test(arguments: [TodoOrder.priority, .due, .creation, .title, .position, .openFirst])
  func `To-do list: sorting in memory gives the same list as sorting by index`(
    order: TodoOrder
  ) throws {
    var log = try Self.log()
    for number in 0..<250 as Range<Int64> {
      // Some to-dos have no day, no position or no creation time, and many are equal in the first sort keys.
      let day = try CivilDate(year: 2026, month: Int(number % 3) + 1, day: Int(number % 5) + 1)
      let fields: [(Field, Value)?] = [
        number % 4 == 0 ? nil : (Field.Todo.due, .date(day)),
        number % 3 == 0 ? nil : (Field.Todo.position, .integer(number * 37 % 50)),
        (Field.Todo.createdAt, number % 6 == 0 ? .null : .integer(number * 11 % 7 - 3)),
        (Field.Todo.priority, .integer(number % 3)),
        (Field.Todo.done, .boolean(number % 7 == 0)),
      ]
      try log.todo("\(number * 53 % 250)", on: nil, fields.compactMap { $0 })
    }
    for filter in [
      TodoFilter(), TodoFilter(includesClosed: false), TodoFilter(includesOpen: false),
    ] {
      let all = try log.model.todos.todos(filter, by: order)
      #expect(all == (try log.model.todos.todos(filter, by: order, page: Page(count: 1_000))))
    }
  }

  @Test func `To-do filter: to-dos are counted up to a limit`() throws {
    var log = try Self.log()
    let gone = try log.list("gone")
    try log.todo("hidden", on: gone, [(Field.Todo.due, .date(try .parse("2026-10-01")))])
    try log.write(.delete, .entity(gone))
    let late = TodoFilter(includesClosed: false, due: .before(try .parse("2026-11-20")))
    #expect(try log.model.todos.count(of: late, upTo: 100) == 1)
    let open = TodoFilter(includesClosed: false)
    #expect(try log.model.todos.count(of: open, upTo: 100) == 5)
    #expect(try log.model.todos.count(of: open, upTo: 3) == 3)
  }

  @Test(arguments: [TodoOrder.priority, .due, .creation, .title, .position, .openFirst])
  func `To-do list: ties are broken by id in every order`(
    order: TodoOrder
  ) throws {
    var causality = Causality()
    var facts: [Fact] = []
    var positions: [LogPosition] = []
    // The event of the first log has the last id.
    for (number, high) in [(UInt32(0), UInt64(2)), (1, 1)] {
      let id = UniqueID(high: 0, low: UInt64(number) + 1)
      _ = causality.number(of: id, replica: id)
      let hash = UniqueID(high: high << 56, low: 0)
      let body = Body(.add, .kind(.todo), [Write(Field.Todo.title, .text("same"))])
      facts.append(
        Fact(
          key: EventKey(log: number, sequence: 1), time: 10, when: nil, hash: hash, body: body))
      positions.append(
        LogPosition(number: number, id: id, replica: id, sequence: 1, hash: hash))
    }
    let records = Records.fold(facts, causality: causality)
    let model = try ReadModel.inMemory(from: records, change: Change(positions: positions))
    let whole = try model.todos.todos(by: order)
    #expect(whole.map(\.head.key.log) == [1, 0])
    for count in 2...3 {
      #expect(whole == (try model.todos.todos(by: order, page: Page(count: count))))
    }
    // Both pages end or begin between to-dos that differ only in their ids.
    let first = try model.todos.todos(by: order, page: Page(count: 1))
    #expect(first == [whole[0]])
    let page = Page(after: first.last?.head.key, count: 1)
    #expect(try model.todos.todos(by: order, page: page) == [whole[1]])
  }

  @Test
  func `To-do pages: a page after a filtered row continues, and one after a deleted row ends`()
    throws
  {
    var log = try OneLog()
    var keys: [EventKey] = []
    for title in ["b", "d", "f"] { keys.append(try log.todo(title)) }
    try log.todo("a")
    try log.todo("e")
    try log.write(.edit, .entity(keys[1]), [Write(Field.Todo.done, .boolean(true))])
    let page = Page(after: keys[1], count: 1)
    #expect(
      try log.model.todos.todos(TodoFilter(includesClosed: false), by: .title, page: page).map(
        \.title)
        == ["e"])
    try log.write(.delete, .entity(keys[1]))
    #expect(try log.model.todos.todos(by: .title, page: page) == [])
  }

  @Test func `Pages: pages of lists, questions and birthdays form the whole result`() throws {
    var log = try OneLog()
    for name in ["x", "x", "y"] {
      _ = try log.list(name)
      try log.add(.question, [(Field.Question.content, .text(name))])
      try log.add(.birthday, [(Field.Birthday.lastName, .text(name))])
    }
    let model = log.model
    let lists = try model.lists.lists().map(\.head)
    #expect(
      try model.lists.lists(page: Page(after: lists[0].key, count: 5)).map(\.head)
        == Array(lists[1...]))
    let questions = try model.questions.questions().map(\.head)
    #expect(
      try model.questions.questions(page: Page(after: questions[1].key, count: 1)).map(\.head)
        == [questions[2]])
    for order in [BirthdayOrder.name, .date, .next(from: try .parse("2026-11-20"))] {
      let birthdays = try model.birthdays.birthdays(by: order).map(\.head)
      let rest = try model.birthdays.birthdays(
        by: order, page: Page(after: birthdays[0].key, count: nil))
      #expect(rest.map(\.head) == Array(birthdays[1...]))
    }
  }

  @Test func `Birthdays: the next birthdays are in order, and 29 February follows its rule`() throws
  {
    var log = try OneLog()
    func add(_ name: String, _ date: String, _ rule: Int64? = nil) throws {
      var writes = [
        (Field.Birthday.firstName, Value.text(name)),
        (Field.Birthday.birthdate, .date(try .parse(date))),
      ]
      if let rule { writes.append((Field.Birthday.leapRule, .integer(rule))) }
      try log.add(.birthday, writes)
    }
    try add("June", "--06-01")
    try add("leap", "2000-02-29")
    try add("late leap", "2000-02-29", 1)
    try add("March", "1950-03-01")
    try add("none", "1950-03")
    func names(_ day: String) throws -> [String?] {
      try log.model.birthdays.birthdays(by: .next(from: .parse(day))).map(\.firstName)
    }
    #expect(try names("2027-02-28") == ["leap", "late leap", "March", "June", "none"])
    #expect(try names("2027-03-01") == ["late leap", "March", "June", "leap", "none"])
    #expect(try names("2028-03-01") == ["March", "June", "late leap", "leap", "none"])
    #expect(try names("2026-11-20") == ["leap", "late leap", "March", "June", "none"])
  }
}
