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
}
