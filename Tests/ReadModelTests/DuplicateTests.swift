import Domain
import ReadModel
import Testing

struct DuplicateTests {
  private func birthday(
    _ log: inout OneLog, _ first: String, _ last: String?, _ date: String?
  ) throws -> EventKey {
    let date = try date.map { Value.date(try .parse($0)) }
    return try log.add(
      .birthday,
      [
        (Field.Birthday.firstName, Value.text(first)),
        (Field.Birthday.lastName, last.map(Value.text) ?? .null),
        (Field.Birthday.birthdate, date ?? .null),
      ])
  }

  private func pairs(_ log: OneLog) throws -> [[EventKey]] {
    try log.model.duplicates.duplicates().map { [$0.first, $0.second] }
  }

  @Test func `Duplicates: birthdays with the same name and compatible dates are a pair`() throws {
    var log = try OneLog()
    let ada = try birthday(&log, "Ada", "Lovelace", "1815-12-10")
    let yearless = try birthday(&log, "ADA", "Lovelàce", "--12-10")
    let unknown = try birthday(&log, "ada", "lovelace", nil)
    _ = try birthday(&log, "Ada", "Lovelace", "1816-12-10")
    _ = try birthday(&log, "Ada", nil, "1815-12-10")
    _ = try birthday(&log, "AdaL", "ovelace", "1815-12-10")
    let last = EventKey(log: 0, sequence: 4)
    #expect(try pairs(log) == [[ada, yearless], [ada, unknown], [yearless, last]])
  }

  @Test func `Duplicates: a query for one record returns only pairs with its name`() throws {
    var log = try OneLog()
    let ada = try birthday(&log, "Ada", nil, nil)
    _ = try birthday(&log, "Bob", nil, nil)
    let (bob, other) = (try birthday(&log, "Bob", nil, nil), try birthday(&log, "ada", nil, nil))
    let (home, work) = (try log.list("Home"), try log.list("home"))
    func pairs(of key: EventKey) throws -> [[EventKey]] {
      try log.model.duplicates.duplicates(of: key).map { [$0.first, $0.second] }
    }
    #expect(try pairs(of: other) == [[ada, other]])
    #expect(try pairs(of: ada) == [[ada, other]])
    #expect(try pairs(of: work) == [[home, work]])
    #expect(try pairs(of: bob).count == 1)
    #expect(try log.model.duplicates.duplicates().count == 3)
  }

  @Test func `Namesake: the oldest open record with the same title and list is found`() throws {
    var log = try OneLog()
    let (home, work) = (try log.list("Home"), try log.list("Work"))
    func todo(_ title: String, on list: EventKey?, isDone: Bool = false) throws -> EventKey {
      try log.add(
        .todo,
        [
          (Field.Todo.title, .text(title)), (Field.Todo.done, .boolean(isDone)),
          (Field.Todo.list, list.map(Value.reference) ?? .null),
        ])
    }
    let todos = [
      try todo("Milk", on: home), try todo("Milk", on: work, isDone: true),
      try todo("Milk", on: nil), try todo("mílk", on: home), try todo("MILK", on: work),
      try todo("milk", on: nil), try todo("milk", on: home), try todo("", on: nil),
      try todo("", on: nil),
    ]
    let namesakes = try todos.map { try log.model.duplicates.namesake(of: $0, .todo) }
    let ids = try todos.map { try log.model.todos.todo($0)?.head.id }
    #expect(
      namesakes == [ids[3], ids[4], ids[5], ids[0], nil, ids[2], ids[0], nil, nil])
  }

  @Test func `Duplicates: open to-dos with the same title, list, parent and due date are a pair`()
    throws
  {
    var log = try OneLog()
    let home = try log.list("Home")
    let trip = try log.todo("Trip", on: home)
    func todo(_ title: String, _ more: [(Field, Value)]) throws -> EventKey {
      try log.todo(title, on: home, more)
    }
    let due: [(Field, Value)] = [(Field.Todo.due, .date(try .parse("2026-12-24")))]
    let milk = try todo("Milk", due)
    let same = try todo("mílk", [])
    _ = try todo("Milk", [(Field.Todo.due, .date(try .parse("2026-12-25")))])
    let later = EventKey(log: 0, sequence: 5)
    _ = try todo("Milk", [(Field.Todo.parent, .reference(trip))])
    _ = try todo("Milk", due + [(Field.Todo.done, .boolean(true))])
    _ = try log.todo("Milk", on: nil, due)
    for _ in 0..<2 { _ = try todo("", []) }
    func pairs() throws -> [[EventKey]] {
      try log.model.duplicates.todosAlike().map { [$0.first, $0.second] }
    }
    #expect(try pairs() == [[milk, same], [same, later]])
    try log.write(.delete, .entity(same))
    #expect(try pairs() == [])
  }

  @Test func `Duplicates: records without a name form no pairs`() throws {
    var log = try OneLog()
    for _ in 0..<2 {
      try log.add(.birthday, [(Field.Birthday.birthdate, .date(try .parse("1815-12-10")))])
      try log.add(.list, [])
    }
    #expect(try pairs(log) == [])
  }

  @Test func `Duplicates: lists with the same name are a pair until joined or deleted`() throws {
    var log = try OneLog()
    let home = try log.list("Home")
    let other = try log.list("Work")
    #expect(try pairs(log) == [])
    try log.write(.edit, .entity(other), [Write(Field.List.name, .text("ＨÖME"))])
    let third = try log.list("home")
    #expect(try pairs(log) == [[home, other], [home, third]])
    try log.write(.alias, .entity(home), [Write(.with, .reference(other))])
    #expect(try pairs(log) == [[home, third]])
    try log.write(.delete, .entity(third))
    #expect(try pairs(log) == [])
  }
}
