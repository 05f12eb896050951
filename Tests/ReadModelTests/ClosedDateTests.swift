import Bytes
import Domain
import ReadModel
import Testing

/// The rows of closed dates, which depend on their series.
struct ClosedDateTests {
  @Test func `Closed dates: their due dates follow the start of a series that counts from it`()
    throws
  {
    var log = try OneLog()
    let monday = try CivilDate(year: 2026, month: 11, day: 23)
    let friday = try CivilDate(year: 2026, month: 11, day: 27)
    let series = try log.todo(
      "Report", on: nil,
      [
        (Field.Todo.due, .date(friday)), (Field.Todo.start, .date(monday)),
        (Field.Todo.repeat, .text("FREQ=WEEKLY;FROM=START")),
      ])
    let closed = try log.add(
      .todo,
      [
        (.owner, .reference(series)), (Field.Todo.slot, .date(monday)),
        (Field.Todo.done, .boolean(true)), (Field.Todo.closedOn, .date(friday)),
      ])
    #expect(try log.model.todos.todo(closed)?.due == friday)
    try log.write(.edit, .entity(series), [Write(Field.Todo.start, .date(friday))])
    #expect(try log.model.todos.todo(closed)?.due == monday)
  }

  @Test(arguments: Inherited.changes)
  func
    `Closed dates: a change of their series while its next date has own values gives the rows of a rebuild`(
      change: Inherited
    ) throws
  {
    for ownerIsSubtask in [false, true] {
      var log = try OneLog()
      let target = try log.todo("Target", on: try log.list("Home"))
      let series = try log.todo(
        "Base", [(Field.Todo.due, Inherited.monday), (Field.Todo.repeat, .text("FREQ=DAILY"))])
      let owner =
        ownerIsSubtask
        ? try log.todo("Base", [(Field.Todo.parent, .reference(series))]) : series
      for date in ownerIsSubtask ? [series, owner] : [series] {
        try log.add(
          .todo,
          [
            (.owner, .reference(date)), (Field.Todo.slot, Inherited.monday),
            (Field.Todo.done, .boolean(true)), (Field.Todo.closedOn, Inherited.monday),
          ])
      }
      try log.add(
        .todo,
        [
          (.owner, .reference(owner)), (.note, .text("Own note")),
          (Field.Todo.title, .text("Own")), (Field.Todo.due, Inherited.friday),
          (Field.Todo.dueTime, .integer(600)), (Field.Todo.slot, Inherited.tuesday),
        ])
      try log.write(.edit, .entity(owner), [change.write(target)])
      #expect(try log.rowsUnlikeRebuilt() == [])
    }
  }

  /// A change of one field of a series.
  struct Inherited: Sendable, CustomTestStringConvertible {
    static let monday = day(23)
    static let tuesday = day(24)
    static let friday = day(27)

    let field: Field
    /// Nil stands for a reference to another record.
    let value: Value?

    /// The changes; some values are those that the next date has of its own.
    static let changes = [
      Inherited(field: Field.Todo.title, value: .text("Other")),
      Inherited(field: Field.Todo.title, value: .text("Own")),
      Inherited(field: .note, value: .text("Other note")),
      Inherited(field: .note, value: .text("Own note")),
      Inherited(field: .extra, value: .texts(["x"])),
      Inherited(field: Field(tag: "errand"), value: .text("errand")),
      Inherited(field: Field.Todo.list, value: nil),
      Inherited(field: Field.Todo.parent, value: nil),
      Inherited(field: Field.Todo.priority, value: .integer(2)),
      Inherited(field: Field.Todo.due, value: tuesday),
      Inherited(field: Field.Todo.due, value: friday),
      Inherited(field: Field.Todo.dueTime, value: .integer(540)),
      Inherited(field: Field.Todo.dueTime, value: .integer(600)),
      Inherited(field: Field.Todo.zone, value: .text("Europe/Berlin")),
      Inherited(field: Field.Todo.start, value: monday),
      Inherited(field: Field.Todo.remind, value: .texts(["1d"])),
      Inherited(field: Field.Todo.repeat, value: .text("FREQ=WEEKLY")),
      Inherited(field: Field.Todo.repeat, value: .null),
      Inherited(field: Field.Todo.until, value: friday),
      Inherited(field: Field.Todo.done, value: .boolean(true)),
    ]

    func write(_ target: EventKey) -> Write { Write(field, value ?? .reference(target)) }

    var testDescription: String { "\(field.rawValue)" }

    private static func day(_ day: Int) -> Value {
      CivilDate(epochDay: 20_757 + day).map(Value.date) ?? .null
    }
  }
}
