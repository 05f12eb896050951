import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

extension Verb {
  static let picking = [picks]

  private static let picks = Verb(
    "picks", "How often each choice of a question was drawn, and how often it was to be expected.",
    reading: .past, text("QUESTION"),
    examples: [
      "daybook picks lunch", "daybook picks lunch --json",
    ]
  ) { context, words in
    let snapshot = try context.snapshot()
    let question = try context.key(words, kind: .question, snapshot)
    try context.tell(try snapshot.model.pickCounts(of: question), snapshot)
  }
}

extension Context {
  fileprivate func tell(_ counts: PickCounts, _ snapshot: Snapshot) throws {
    let names = try counts.choices.map { try $0.key.flatMap(snapshot.title) }
    if isJSON {
      let choices = zip(counts.choices, names).map { count, name in
        JSON.object(
          ("id", .string(count.id.uuid)), ("name", name.map { .string($0) } ?? .null),
          ("deleted", .boolean(!count.isAlive)), ("drawn", .integer(Int64(count.count))),
          ("expected", .number(count.expected)))
      }
      return answer(
        .object(
          ("picks", .integer(Int64(counts.picks))),
          ("unreadable", .integer(Int64(counts.unreadable))), ("choices", .array(choices))))
    }
    let rows = zip(counts.choices, names).map { count, name in
      [
        "  " + (name ?? "something unknown").visible, "drawn \(count.count)×",
        "expected \(count.expected.tenths)", count.isAlive ? "" : "deleted",
      ]
    }
    if invocation.globals.isPlain {
      return answer(rows.map { row in row.map(\.trimmed).joined(separator: "\t") })
    }
    answer([counts.picks == 1 ? "1 pick" : "\(counts.picks) picks"] + Table.lines(rows))
    if counts.unreadable > 0 {
      note("the records of \(counts.unreadable) of them tell nothing, so they are not counted.")
    }
  }
}

extension Double {
  /// With one digit behind the point.
  fileprivate var tenths: String {
    let number = Int64((self * 10).rounded())
    return "\(number / 10).\(number % 10)"
  }
}
