import Bytes
import Domain
import ReadModel
import Testing

/// Parents and sub-tasks in the tables, and the tree of a list.
@Suite struct SubtaskTests {
  private static func under(_ key: EventKey) -> [(Field, Value)] {
    [(Field.Todo.parent, .reference(key))]
  }

  /// Returns each row of the tree as its title, indented.
  private func tree(_ log: OneLog, _ rows: [TodoRow]) throws -> [String] {
    try TodoTree(rows, log.model.subtasks).nodes.map { node in
      String(repeating: "  ", count: node.depth) + (rows[node.place].title ?? "")
    }
  }

  @Test func `Sub-tasks: descendants are found at any depth, and deleted ones are not`() throws {
    var log = try OneLog()
    let trip = try log.todo("Trip")
    let passport = try log.todo("Passport", on: nil, Self.under(trip))
    let photo = try log.todo("Photo", on: nil, Self.under(passport))
    let gone = try log.todo("Gone", on: nil, Self.under(trip))
    try log.write(.delete, .entity(gone))
    let subtasks = log.model.subtasks
    #expect(try subtasks.descendants(of: [trip]) == [passport, photo])
    #expect(try subtasks.descendants(of: [trip, passport]) == [photo])
    #expect(try subtasks.children(of: trip) == [passport])
    #expect(try subtasks.ancestors(of: photo) == [photo, passport, trip])
    #expect(try subtasks.parents(of: [photo, trip]) == [photo: passport])
    #expect(try subtasks.rows(under: trip).map(\.title) == ["Passport"])
    try log.write(.delete, .entity(passport))
    #expect(try subtasks.descendants(of: [trip]) == [])
    #expect(try subtasks.parents(of: [photo]) == [:])
  }

  @Test func `Sub-tasks: a sub-task of an occurrence or on a deleted list repeats with its series`()
    throws
  {
    var log = try OneLog()
    let day = try CivilDate(year: 2026, month: 11, day: 23)
    let rule: [(Field, Value)] = [
      (Field.Todo.due, .date(day)), (Field.Todo.repeat, .text("FREQ=WEEKLY")),
    ]
    let rake = try log.todo("Rake", on: nil, rule)
    let mow = try log.todo("Mow", on: nil, rule + Self.under(rake))
    let named = try log.add(
      .todo, [(.owner, .reference(mow)), (Field.Todo.slot, .date(day))] + Self.under(rake))
    let unnamed = try log.add(.todo, [(.owner, .reference(mow)), (Field.Todo.slot, .date(day))])
    let garden = try log.list("Garden")
    let cart = try log.todo("Cart", on: garden, Self.under(mow))
    try log.write(.delete, .entity(garden))
    let parents = [named, unnamed, cart]
    let subtasks = try parents.map { try log.todo("Part", on: nil, Self.under($0)) }
    #expect(
      try log.model.subtasks.parents(of: subtasks + parents) == [
        subtasks[0]: named, subtasks[1]: unnamed, subtasks[2]: cart, named: rake, cart: mow,
      ])
    let above = try subtasks.map {
      try log.model.repeats.recurrence(of: $0, causality: log.causality)?.state.series.rule.text
    }
    #expect(above == ["FREQ=WEEKLY", nil, "FREQ=WEEKLY"])
    // Their occurrences are closed with the slot of that series.
    let records = try log.model.records.hydrateAll(causality: log.causality)
    #expect(subtasks.map { records.recurrence(of: $0)?.state.series.rule.text } == above)
  }

  /// A series, its sub-task, and a closed occurrence of the sub-task.
  private struct Garden {
    var log: OneLog
    let day: CivilDate
    let series: EventKey
    let mow: EventKey
    let done: EventKey

    init() throws {
      log = try OneLog()
      day = try CivilDate(year: 2026, month: 11, day: 23)
      let rule: [(Field, Value)] = [
        (Field.Todo.due, .date(day)), (Field.Todo.repeat, .text("FREQ=WEEKLY")),
      ]
      series = try log.todo("Garden", on: nil, rule)
      mow = try log.todo("Mow", on: nil, SubtaskTests.under(series))
      done = try log.add(
        .todo,
        [
          (.owner, .reference(mow)), (Field.Todo.slot, .date(day)),
          (Field.Todo.done, .boolean(true)),
        ])
    }

    /// The row of a to-do in the tables, and in tables that are built at once.
    func rows(_ key: EventKey) throws -> [TodoRow?] {
      let records = try log.model.records.hydrateAll(causality: log.causality)
      let whole = try ReadModel.inMemory(from: records, change: Change(positions: []))
      return try [log.model, whole].map { try $0.todos.todo(key) }
    }
  }

  @Test func `Sub-tasks: a row shows the date of its series while it has occurrences`() throws {
    var garden = try Garden()
    func slots() throws -> [CivilDate?] { try garden.rows(garden.mow).map { $0?.slot } }
    #expect(try slots() == [garden.day, garden.day])
    try garden.log.write(.delete, .entity(garden.done))
    #expect(try slots() == [nil, nil])
    try garden.log.write(.edit, .entity(garden.mow), [Write(.note, .text("Short"))])
    #expect(try slots() == [nil, nil])
  }

  @Test func `Sub-tasks: a closed date has a separate row once its series is deleted`() throws {
    var garden = try Garden()
    #expect(try garden.rows(garden.done).map { $0?.title } == [nil, nil])
    try garden.log.write(.delete, .entity(garden.series))
    #expect(try garden.rows(garden.done).map { $0?.title } == ["Mow", "Mow"])
    var other = try Garden()
    // The commit also writes the row of the sub-task itself.
    try other.log.write([
      (.delete, .entity(other.series), []),
      (.edit, .entity(other.mow), [Write(Field.Todo.priority, .integer(3))]),
    ])
    #expect(try other.rows(other.done).map { $0?.title } == ["Mow", "Mow"])
  }

  @Test func `Sub-tasks: a row has the id of its parent, even in a live query`() throws {
    var log = try OneLog()
    let trip = try log.todo("Trip")
    let photo = try log.todo("Photo", on: nil, Self.under(trip))
    let row = try #require(try log.model.todos.todo(photo))
    let id = try #require(try log.model.todos.todo(trip)).head.id
    #expect([row.parentID, row.withoutKeys.parentID] == [id, id])
    #expect(row.withoutKeys.parent == nil)
  }

  @Test func `Sub-tasks: the parent of a row is the shown member of the joined to-do`() throws {
    var log = try OneLog()
    let keys = try ["Trip", "Journey"].map { try log.todo($0) }
    let children = try keys.map { try log.todo("Photo", on: nil, Self.under($0)) }
    try log.write(.alias, .entity(keys[0]), [Write(.with, .reference(keys[1]))])
    let shown = try #require(try log.model.documents.document(keys[0])).id
    #expect(try children.map { try log.model.todos.todo($0)?.parentID } == [shown, shown])
  }

  @Test func `Tree: sub-tasks follow their parent, and keep the order of the list`() throws {
    var log = try OneLog()
    let trip = try log.todo("Trip")
    let passport = try log.todo("Passport", on: nil, Self.under(trip))
    try log.todo("Bins", on: nil, [(Field.Todo.priority, .integer(2))])
    try log.todo("Photo", on: nil, Self.under(passport))
    try log.todo(
      "Tickets", on: nil, Self.under(trip) + [(Field.Todo.priority, .integer(2))])
    let rows = try log.model.todos.todos()
    #expect(rows.map(\.title) == ["Bins", "Tickets", "Trip", "Passport", "Photo"])
    #expect(
      try tree(log, rows) == ["Bins", "Trip", "  Tickets", "  Passport", "    Photo"])
    // Without the row of its parent, a sub-task is a root.
    #expect(
      try tree(log, rows.filter { $0.title != "Passport" })
        == ["Bins", "Trip", "  Tickets", "Photo"])
  }

  @Test func `Tree: a closed parent has no rows below it, and closed rows are roots`() throws {
    var log = try OneLog()
    let done: [(Field, Value)] = [(Field.Todo.done, .boolean(true))]
    let trip = try log.todo("Trip", on: nil, done)
    try log.todo("Passport", on: nil, Self.under(trip))
    let party = try log.todo("Party")
    try log.todo("Cake", on: nil, Self.under(party) + done)
    let rows = try log.model.todos.todos(by: .creation)
    #expect(try tree(log, rows) == ["Trip", "Passport", "Party", "Cake"])
  }

  @Test func `Tree: of a cycle, the parent written last is ignored, and nothing is hidden`() throws
  {
    var log = try OneLog()
    let keys = try ["A", "B", "C"].map { try log.todo($0) }
    for (child, parent) in [(2, 0), (0, 1), (1, 2)] {
      try log.write(
        .edit, .entity(keys[child]), [Write(Field.Todo.parent, .reference(keys[parent]))])
    }
    let rows = try log.model.todos.todos(by: .creation)
    #expect(try tree(log, rows) == ["B", "  A", "    C"])
    #expect(try log.model.subtasks.descendants(of: [keys[1]]) == [keys[0], keys[2]])
    #expect(try log.model.subtasks.descendants(of: [keys[2]]) == [])
    // The cycle also counts if one of its to-dos is not in the list.
    #expect(try tree(log, rows.filter { $0.title != "C" }) == ["B", "  A"])
    #expect(try tree(log, rows.filter { $0.title != "A" }) == ["B", "C"])
  }

  @Test func `Tree: parents that come later in the list are shown first`() {
    let nodes = TodoTree(parents: [2, nil, 1, nil]).nodes
    #expect(
      nodes == [
        .init(place: 1, depth: 0), .init(place: 2, depth: 1), .init(place: 0, depth: 2),
        .init(place: 3, depth: 0),
      ])
  }
}
