import Bytes
import Domain
import Testing

/// Commands on repeating to-dos, and the dates that devices show after they exchange them.
@Suite struct SeriesDecisionTests {
  private let today: CivilDate

  init() throws { today = try CivilDate.parse("2026-11-26") }

  private func day(_ text: String) throws -> CivilDate { try CivilDate.parse(text) }

  /// A story in which the first device has added a series that all devices know.
  private func story(
    _ rule: String, from due: String = "2026-11-23", devices: Int = 2
  ) throws -> (Story, EventKey) {
    var story = Story(devices: devices)
    let key = try story.run(
      .add(
        .todo,
        [
          Field.Todo.title: .text("Bins"), Field.Todo.due: .date(try day(due)),
          Field.Todo.repeat: .text(rule),
        ]))[0].key
    story.sync()
    return (story, key)
  }

  /// The slots that a series shows as closed, and the current slot.
  private func slots(_ story: Story, _ key: EventKey) throws -> [String] {
    let state = try #require(story.records.recurrence(of: key)?.state)
    let closed = state.stored.filter { $0.closing != nil }.map {
      "\($0.slot.iso) \($0.closing == .done ? "done" : "skipped")"
    }
    return closed + [state.current?.slot.iso ?? "finished"]
  }

  // MARK: The worked examples

  @Test func `Series: two devices that complete one slot close it once`() throws {
    var (story, key) = try story("FREQ=WEEKLY")
    for device in 0...1 { try story.run(.setDone([key], true, on: today), by: device) }
    story.sync()
    #expect(try slots(story, key) == ["2026-11-23 done", "2026-11-30"])
    #expect(story.records.documents(.todo).count == 2)
  }

  @Test func `Series: the undo of one of two completions leaves the slot closed`() throws {
    var (story, key) = try story("FREQ=WEEKLY")
    let own = try story.run(.setDone([key], true, on: today), by: 0)
    try story.run(.setDone([key], true, on: today), by: 1)
    story.sync()
    #expect(story.undo(own, by: 0).left == [])
    story.sync()
    #expect(try slots(story, key) == ["2026-11-23 done", "2026-11-30"])
  }

  @Test func `Series: the undo of a completion leaves a completion that its device did not know`()
    throws
  {
    var (story, key) = try story("FREQ=WEEKLY")
    // Both devices know the occurrence, so each writes to it and adds no other.
    try story.run(.editOccurrence(key, [Field.Todo.due: .date(try day("2026-11-25"))]))
    story.sync()
    try story.run(.setDone([key], true, on: today), by: 1)
    let own = try story.run(.setDone([key], true, on: today), by: 0)
    story.undo(own, by: 0)
    story.sync()
    #expect(try slots(story, key) == ["2026-11-23 done", "2026-11-30"])
    #expect(story.records.documents(.todo).count == 2)
  }

  @Test func `Series: a completion of a series and of its current date is written once`() throws {
    var (story, key) = try story("FREQ=WEEKLY")
    let moved = try story.run(
      .editOccurrence(key, [Field.Todo.due: .date(try day("2026-11-25"))]))
    let done = try story.run(.setDone([key, moved[0].key, key], true, on: today))
    #expect(done.map(\.body.target) == [.entity(moved[0].key)])
    #expect(try slots(story, key) == ["2026-11-23 done", "2026-11-30"])
    let opened = try story.run(.setDone([moved[0].key, key], false))
    #expect(opened.map(\.body.target) == [.entity(moved[0].key)])
    #expect(try slots(story, key) == ["2026-11-23"])
  }

  @Test func `Series: the undo of a lone completion opens the slot again`() throws {
    var (story, key) = try story("FREQ=WEEKLY")
    let own = try story.run(.setDone([key], true, on: today))
    let undo = story.undo(own).facts
    #expect(try slots(story, key) == ["2026-11-23"])
    story.undo(undo)
    #expect(try slots(story, key) == ["2026-11-23 done", "2026-11-30"])
  }

  @Test func `Series: an untouched daily series passes over missed dates`() throws {
    var (story, key) = try story("FREQ=DAILY", from: "2026-11-01")
    try story.run(.setDone([key], true, on: today))
    let state = try #require(story.records.recurrence(of: key)?.state)
    #expect(state.current?.slot.iso == "2026-11-26")
    #expect(state.passedOver(after: try day("2026-11-01")) == 24)
  }

  @Test func `Series: a rule that keeps missed dates shows the next of them`() throws {
    var (story, key) = try story("FREQ=MONTHLY;MISSED=KEEP", from: "2026-10-01")
    try story.run(.setDone([key], true, on: today))
    #expect(try slots(story, key) == ["2026-10-01 done", "2026-11-01"])
  }

  @Test func `Series: a rule that counts from the completion continues from it`() throws {
    var (story, key) = try story("FREQ=DAILY;INTERVAL=3;FROM=DONE", from: "2026-11-20")
    try story.run(.setDone([key], true, on: today))
    #expect(try slots(story, key) == ["2026-11-20 done", "2026-11-29"])
  }

  // MARK: Commands

  @Test func `Done: the first write adds an occurrence with a computed source`() throws {
    var (story, key) = try story("FREQ=WEEKLY")
    let facts = try story.run(.setDone([key], true, on: today))
    let id = try #require(story.document(key)?.id)
    let slot = try day("2026-11-23")
    #expect(
      facts.map(\.body) == [
        Body(
          .add, .kind(.todo),
          [
            Write(.source, Source(occurrence: slot, of: nil, id: id).value),
            Write(.owner, .reference(key)), Write(Field.Todo.done, .boolean(true)),
            Write(Field.Todo.slot, .date(slot)), Write(Field.Todo.closedOn, .date(today)),
          ])
      ])
  }

  @Test func `Done: without a trustworthy clock, the slot is the day of closing`() throws {
    var (story, key) = try story("FREQ=DAILY;INTERVAL=3;FROM=DONE")
    try story.run(.setDone([key], true, on: nil))
    #expect(try slots(story, key) == ["2026-11-23 done", "2026-11-26"])
  }

  @Test func `Skip: the current slot is closed, and done takes precedence`() throws {
    var (story, key) = try story("FREQ=WEEKLY")
    try story.run(.skip([key], on: today), by: 0)
    #expect(try slots(story, key) == ["2026-11-23 skipped", "2026-11-30"])
    try story.run(.setDone([key], true, on: today), by: 1)
    story.sync()
    #expect(try slots(story, key) == ["2026-11-23 done", "2026-11-30"])
  }

  @Test func `Skip: a to-do that does not repeat is refused`() throws {
    var story = Story()
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    let id = try #require(story.document(key)?.id)
    #expect(throws: Refusal.noSeries(id)) { try story.run(.skip([key], on: today)) }
  }

  @Test func `Undone: the slot that was closed last, or a given one, is opened`() throws {
    var (story, key) = try story("FREQ=WEEKLY;MISSED=KEEP", from: "2026-11-02")
    var added: [EventKey] = []
    for _ in 0..<3 { added.append(try story.run(.setDone([key], true, on: today))[0].key) }
    try story.run(.setDone([key], false))
    #expect(try slots(story, key) == ["2026-11-02 done", "2026-11-09 done", "2026-11-16"])
    try story.run(.setDone([added[0]], false))
    #expect(try slots(story, key) == ["2026-11-09 done", "2026-11-02"])
  }

  @Test func `Edit: a moved date is closed with its own due date`() throws {
    var (story, key) = try story("FREQ=WEEKLY")
    let due = Value.date(try day("2026-11-28"))
    try story.run(.editOccurrence(key, [Field.Todo.due: due]), by: 0)
    let current = story.records.recurrence(of: key)?.state.current
    #expect(current?.due.iso == "2026-11-28")
    #expect(current?.slot.iso == "2026-11-23")
    try story.run(.setDone([key], true, on: today), by: 1)
    story.sync()
    #expect(try slots(story, key) == ["2026-11-23 done", "2026-11-30"])
    let stored = story.records.recurrence(of: key)?.state.stored.first
    #expect(stored?.due?.iso == "2026-11-28")
  }

  @Test func `Edit: a time of one date is written with the date`() throws {
    var (story, key) = try story("FREQ=WEEKLY")
    let fact = try story.run(.editOccurrence(key, [Field.Todo.dueTime: .integer(600)]))[0]
    #expect(
      fact.body.writes.filter { [Field.Todo.due, Field.Todo.dueTime].contains($0.field) } == [
        Write(Field.Todo.due, .date(try day("2026-11-23"))),
        Write(Field.Todo.dueTime, .integer(600)),
      ])
  }

  @Test func `Edit: values that a date has from its series anyway are not written`() throws {
    var (story, key) = try story("FREQ=WEEKLY")
    let start = Value.date(try day("2026-11-20"))
    try story.run(.edit(key, [Field.Todo.start: start, .note: .text("blue")]))
    for fields: [Field: Value] in [
      [Field.Todo.dueTime: .null], [Field.Todo.title: .text("Bins")], [Field.Todo.start: start],
      [.note: .text("blue")],
    ] { #expect(try story.run(.editOccurrence(key, fields)).isEmpty) }
    for field in [Field.Todo.start, .note] {
      #expect(throws: Refusal.ofSeries(field)) {
        try story.run(.editOccurrence(key, [field: .null]))
      }
    }
    // Its own value can be cleared.
    let added = try story.run(.editOccurrence(key, [.note: .text("green")]))[0].key
    #expect(story.document(added)?.note == "green")
    try story.run(.editOccurrence(key, [.note: .null]))
    #expect(story.document(added)?.note == nil)
  }

  @Test func `Edit: an occurrence given by its own id is edited instead of the current one`() throws
  {
    var (story, key) = try story("FREQ=WEEKLY")
    let closed = try story.run(.setDone([key], true, on: today))[0].key
    let fact = try story.run(.editOccurrence(closed, [.note: .text("late")]))[0]
    #expect(fact.body == Body(.edit, .entity(closed), [Write(.note, .text("late"))]))
    #expect(throws: Refusal.ofSeries(Field.Todo.priority)) {
      try story.run(.editOccurrence(closed, [Field.Todo.priority: .integer(2)]))
    }
  }

  @Test func `Edit: a date without a due date, or with a field of its series, is refused`() throws {
    var (story, key) = try story("FREQ=WEEKLY")
    #expect(throws: Refusal.ofSeries(Field.Todo.priority)) {
      try story.run(.editOccurrence(key, [Field.Todo.priority: .integer(2)]))
    }
    #expect(throws: Refusal.repeatsWithoutDue) {
      try story.run(.editOccurrence(key, [Field.Todo.due: .null]))
    }
  }

  @Test func `Edit: two moves of one date are in conflict, and two completions are not`() throws {
    var (story, key) = try story("FREQ=WEEKLY")
    for (device, due) in ["2026-11-27", "2026-11-28"].enumerated() {
      try story.run(
        .editOccurrence(key, [Field.Todo.due: .date(try day(due))]), by: device)
    }
    story.sync()
    let occurrence = try #require(story.records.recurrence(of: key)?.stored.first?.key)
    #expect(story.document(occurrence)?.conflicts.map(\.field) == [Field.Todo.due])
    try story.run(.setDone([key], true, on: today), by: 0)
    try story.run(.skip([key], on: try day("2026-11-27")), by: 1)
    story.sync()
    #expect(story.document(occurrence)?.conflicts.map(\.field) == [Field.Todo.due])
    #expect(try slots(story, key) == ["2026-11-23 done", "2026-11-30"])
  }

  @Test func `Repeat: a new rule and its first date are written together`() throws {
    var (story, key) = try story("FREQ=WEEKLY")
    try story.run(.editOccurrence(key, [Field.Todo.due: .date(try day("2026-11-28"))]))
    let due = Value.date(try day("2026-11-23"))
    let facts = try story.run(
      .setRepeat(key, [Field.Todo.repeat: .text("FREQ=DAILY"), Field.Todo.due: due]))
    #expect(
      facts[0].body
        == Body(
          .edit, .entity(key),
          [Write(Field.Todo.due, due), Write(Field.Todo.repeat, .text("FREQ=DAILY"))]))
    // The date that was moved is dropped.
    #expect(story.records.recurrence(of: key)?.state.current?.due.iso == "2026-11-23")
  }

  @Test func `Repeat: after it is ended, the current date is the last one`() throws {
    var (story, key) = try story("FREQ=WEEKLY")
    try story.run(.endRepeat(key), by: 0)
    #expect(try slots(story, key) == ["2026-11-23"])
    try story.run(.setDone([key], true, on: today), by: 1)
    story.sync()
    #expect(try slots(story, key) == ["2026-11-23 done", "finished"])
    #expect(try story.run(.setDone([key], true, on: today)).isEmpty)
  }

  @Test func `Cancel: a series ends before its current date`() throws {
    var (story, key) = try story("FREQ=WEEKLY")
    try story.run(.setDone([key], true, on: today))
    try story.run(.cancel([key], on: today))
    #expect(try slots(story, key) == ["2026-11-23 done", "finished"])
  }

  @Test func `Undone: a cancelled series continues, even with a date that was moved`() throws {
    for due in [nil, "2026-12-02"] {
      var (story, key) = try story("FREQ=WEEKLY")
      try story.run(.setDone([key], true, on: today))
      if let due { try story.run(.editOccurrence(key, [Field.Todo.due: .date(try day(due))])) }
      try story.run(.cancel([key], on: today))
      let skipped = due == nil ? [] : ["2026-11-30 skipped"]
      #expect(try slots(story, key) == ["2026-11-23 done"] + skipped + ["finished"])
      try story.run(.setDone([key], false))
      #expect(try slots(story, key) == ["2026-11-23 done", "2026-11-30"])
      #expect(story.document(key)?.value(Field.Todo.until) == .null)
      let current = story.records.recurrence(of: key)?.state.current
      #expect(current?.due.iso == due ?? "2026-11-30")
    }
  }

  @Test func `Undone: a date that was closed as the last one is opened before the series`() throws {
    var (story, key) = try story("FREQ=DAILY", from: "2026-11-25")
    try story.run(.edit(key, [Field.Todo.until: .date(try day("2026-11-26"))]))
    for _ in 0..<2 { try story.run(.setDone([key], true, on: try day("2026-11-25"))) }
    #expect(try slots(story, key) == ["2026-11-25 done", "2026-11-26 done", "finished"])
    try story.run(.setDone([key], false))
    #expect(try slots(story, key) == ["2026-11-25 done", "2026-11-26"])
    #expect(story.document(key)?.value(Field.Todo.until) == .date(try day("2026-11-26")))
  }

  @Test func `Delete: an occurrence cannot be deleted by a user`() throws {
    var (story, key) = try story("FREQ=WEEKLY")
    let occurrence = try story.run(.setDone([key], true, on: today))[0].key
    let id = try #require(story.document(occurrence)?.id)
    #expect(throws: Refusal.deletesOccurrence(id)) {
      try checkOccurrences(in: .delete([occurrence]), on: story.records)
    }
  }

  @Test func `Series: a completion revives it despite a concurrent delete`() throws {
    var (story, key) = try story("FREQ=WEEKLY")
    try story.run(.delete([key]), by: 0)
    try story.run(.setDone([key], true, on: today), by: 1)
    story.sync()
    #expect(story.isAlive(key))
    #expect(story.document(key)?.deleteAgainstEdit != nil)
  }

  @Test func `Series: a completion of the to-do before it repeated closes its first slot`() throws {
    var story = Story(devices: 2)
    let key = try story.run(.addTodo(title: "Bins", due: try day("2026-11-23")))[0].key
    story.sync()
    try story.run(.setDone([key], true), by: 1)
    try story.run(
      .setRepeat(
        key,
        [
          Field.Todo.repeat: .text("FREQ=WEEKLY"),
          Field.Todo.due: .date(try day("2026-11-23")),
        ]), by: 0)
    story.sync()
    #expect(try slots(story, key) == ["2026-11-23 done", "2026-11-30"])
  }

  // MARK: Sub-tasks

  @Test func `Sub-task: it is closed for the current date of its series only`() throws {
    var (story, key) = try story("FREQ=WEEKLY")
    let parent = [Field.Todo.title: Value.text("Paper"), Field.Todo.parent: .reference(key)]
    let child = try story.run(.add(.todo, parent))[0].key
    try story.run(.setDone([child], true, on: today))
    #expect(story.records.recurrence(of: child)?.closing?.kind == .done)
    #expect(try slots(story, key) == ["2026-11-23"])
    try story.run(.setDone([key], true, on: today))
    #expect(story.records.recurrence(of: child)?.slot?.iso == "2026-11-30")
    #expect(story.records.recurrence(of: child)?.closing == nil)
    try story.run(.setDone([child], true, on: today))
    try story.run(.setDone([child], false))
    #expect(story.records.recurrence(of: child)?.closing == nil)
  }
}
