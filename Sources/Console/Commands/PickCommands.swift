import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

enum PickCommands {
  static let all = [picks]

  private static let picks = CommandSpec(
    "picks",
    "Show how often each choice of a question was drawn, and the expected number of draws.",
    reading: .past, text("QUESTION"),
    examples: [
      "daybook picks lunch", "daybook picks lunch --json",
    ]
  ) { context, words in
    let snapshot = try context.snapshot()
    let question = try context.key(words, kind: .question, snapshot)
    try PickCountPresenter(output: context.output).tell(
      try snapshot.model.pickCounter.pickCounts(of: question), snapshot)
  }
}

/// Shows the number of times that each choice was drawn.
private struct PickCountPresenter {
  let output: Output

  func tell(_ counts: PickCounts, _ snapshot: Snapshot) throws {
    let names = try counts.choices.map { try $0.key.flatMap(snapshot.title) }
    if output.isJSON {
      let choices = zip(counts.choices, names).map { count, name in
        JSON.object(
          ("id", .string(count.id.uuid)), ("name", name.map { .string($0) } ?? .null),
          ("deleted", .boolean(!count.isAlive)), ("drawn", .integer(Int64(count.count))),
          ("expected", .number(count.expected)))
      }
      return output.answer(
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
    if output.options.isPlain {
      return output.answer(rows.map { row in row.map(\.trimmed).joined(separator: "\t") })
    }
    output.answer([counts.picks == 1 ? "1 pick" : "\(counts.picks) picks"] + Table.lines(rows))
    if counts.unreadable > 0 {
      output.note(
        "\(counts.unreadable.counted("pick")) cannot be read, so \(counts.unreadable == 1 ? "it is" : "they are") not counted."
      )
    }
  }
}

extension Double {
  /// The number with one decimal place.
  fileprivate var tenths: String {
    let number = Int64((self * 10).rounded())
    return "\(number / 10).\(number % 10)"
  }
}
