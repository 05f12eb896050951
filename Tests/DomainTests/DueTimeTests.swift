import Domain
import Testing

/// The due date, its time and the zone of the time, which are separate fields.
struct DueTimeTests {
  private static let day = Value.integer(2026 * 512 + 11 * 32 + 27)
  private static let month = Value.integer(2026 * 512 + 11 * 32)
  private static let (due, time, zone) = (Field.Todo.due, Field.Todo.dueTime, Field.Todo.zone)

  private static func fields(_ more: [Field: Value]) -> [Field: Value] {
    more.merging([Field.Todo.title: .text("Call")]) { first, _ in first }
  }

  /// The due date, time and zone after an edit of a to-do that is due on a day at 17:00 in Berlin, and its events.
  private func edited(_ edit: [Field: Value]) throws -> (values: [Value], events: Int) {
    var story = Story()
    let all = Self.fields([
      Self.due: Self.day, Self.time: .integer(1020), Self.zone: .text("Europe/Berlin"),
    ])
    let key = try story.run(.add(.todo, all))[0].key
    let events = try story.run(.edit(key, edit)).count
    let document = try #require(story.document(key))
    return ([Self.due, Self.time, Self.zone].map(document.value), events)
  }

  @Test func `Due time: clearing the due date clears its time and zone in one event`() throws {
    let (values, events) = try edited([Self.due: .null])
    #expect(values == [.null, .null, .null])
    #expect(events == 1)
  }

  @Test func `Due time: clearing the time clears its zone and keeps the date`() throws {
    #expect(try edited([Self.time: .null]).values == [Self.day, .null, .null])
  }

  @Test func `Due time: clearing the zone keeps the time`() throws {
    #expect(try edited([Self.zone: .null]).values == [Self.day, .integer(1020), .null])
  }

  @Test func `Due time: another day keeps the time, and a month drops it`() throws {
    let next = Value.date(try CivilDate(year: 2026, month: 11, day: 28))
    #expect(
      try edited([Self.due: next]).values == [next, .integer(1020), .text("Europe/Berlin")])
    #expect(try edited([Self.due: Self.month]).values == [Self.month, .null, .null])
  }

  @Test func `Due time: a day, a time and a zone are written in one event`() throws {
    let next = Value.date(try CivilDate(year: 2026, month: 11, day: 28))
    let (values, events) = try edited(
      [Self.due: next, Self.time: .integer(0), Self.zone: .text("Asia/Tokyo")])
    #expect(values == [next, .integer(0), .text("Asia/Tokyo")])
    #expect(events == 1)
  }

  @Test func `Due time: a time needs a day, and a zone needs a time`() {
    var story = Story()
    func refusal(_ fields: [Field: Value]) -> Refusal? {
      #expect(throws: Refusal.self) { try story.run(.add(.todo, Self.fields(fields))) }
    }
    #expect(refusal([Self.time: .integer(1020)]) == .timeWithoutDay)
    #expect(refusal([Self.due: Self.month, Self.time: .integer(1020)]) == .timeWithoutDay)
    #expect(refusal([Self.zone: .text("Europe/Berlin")]) == .zoneWithoutTime)
    #expect(refusal([Self.due: Self.day, Self.zone: .text("Europe/Berlin")]) == .zoneWithoutTime)
  }

  @Test func `Due time: an edit that leaves no day for a new time is refused`() {
    #expect(throws: Refusal.timeWithoutDay) {
      try edited([Self.due: .null, Self.time: .integer(60)])
    }
    #expect(throws: Refusal.zoneWithoutTime) {
      try edited([Self.time: .null, Self.zone: .text("Asia/Tokyo")])
    }
  }

  @Test func `Due time: a time that a concurrent edit left without a day does not return`() throws {
    var story = Story(devices: 2)
    let key = try story.run(.add(.todo, Self.fields([Self.due: Self.day])))[0].key
    story.sync()
    try story.run(.edit(key, [Self.due: .null]), by: 0)
    try story.run(.edit(key, [Self.time: .integer(1020)]), by: 1)
    story.sync()
    #expect(story.records(of: 0).document(of: key).flatMap(Todo.init)?.dueTime == nil)
    try story.run(.edit(key, [Self.due: Self.day]), by: 0)
    let todo = story.records(of: 0).document(of: key).flatMap(Todo.init)
    #expect(todo?.due != nil && todo?.dueTime == nil)
  }

  @Test func `Due time: values without a meaning are dropped on import`() {
    let (time, zone) = (Value.integer(1020), Value.text("Asia/Tokyo"))
    func kept(_ fields: [Field: Value]) -> Set<Field> {
      Set(droppingStrayDue(fields, of: .todo, before: nil).keys)
    }
    #expect(kept([Self.due: Self.day, Self.time: time, Self.zone: zone]).count == 3)
    #expect(kept([Self.due: Self.month, Self.time: time, Self.zone: zone]) == [Self.due])
    #expect(kept([Self.due: Self.day, Self.zone: zone]) == [Self.due])
    #expect(kept([Self.time: time, Self.zone: .null]) == [Self.zone])
  }

  @Test func `Due time: the later of two concurrent changes sets day, time and zone`() throws {
    var story = Story(devices: 2)
    let key = try story.run(.add(.todo, Self.fields([Self.due: Self.day])))[0].key
    story.sync()
    let days = try (28...29).map { Value.date(try CivilDate(year: 2026, month: 11, day: $0)) }
    try story.run(
      .edit(key, [Self.due: days[0], Self.time: .integer(60), Self.zone: .text("Asia/Tokyo")]),
      by: 0)
    try story.run(
      .edit(key, [Self.due: days[1], Self.time: .integer(90), Self.zone: .text("Asia/Kolkata")]),
      by: 1)
    story.sync()
    let document = try #require(story.document(key))
    #expect(
      [Self.due, Self.time, Self.zone].map(document.value)
        == [days[1], .integer(90), .text("Asia/Kolkata")])
  }
}
