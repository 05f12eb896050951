import Bytes
import Domain
import Testing

/// The series to which an occurrence belongs.
struct OccurrenceOwnerTests {
  @Test func `Series: an occurrence that names two series belongs to the later written one`()
    throws
  {
    var script = Script()
    let (laptop, phone) = (script.log(), script.log())
    let day = try CivilDate(year: 2026, month: 11, day: 23)
    let rule = [Write(Field.Todo.due, .date(day)), Write(Field.Todo.repeat, .text("FREQ=WEEKLY"))]
    let series = ["Rake", "Mow"].map { title in
      script.add(laptop, .todo, [Write(Field.Todo.title, .text(title))] + rule)
    }
    let closed = zip([laptop, phone], series).map { log, owner in
      script.add(
        log, .todo,
        [
          Write(.owner, .reference(owner)), Write(Field.Todo.done, .boolean(true)),
          Write(Field.Todo.slot, .date(day)), Write(Field.Todo.closedOn, .date(day)),
        ], saw: [series[1]])
    }
    script.alias(phone, closed[0], closed[1], saw: [closed[0]])
    let records = script.records
    let finder = RecurrenceFinder(records)
    let documents = series.compactMap(records.document(of:))
    #expect(documents.map { finder.occurrences(of: $0).count } == [0, 1])
    let slots = documents.map { records.recurrence(of: $0.key)?.slot?.iso }
    #expect(slots == ["2026-11-23", "2026-11-30"])
  }
}
