package import Domain
package import ReadModel

/// How many records are shown only as long as the list that they are on, or the question that they are of.
package struct Children: Equatable, Sendable {
  package var todos = 0
  package var choices = 0
  package var picks = 0

  package var count: Int { todos + choices + picks }

  /// As in "2 choices and 1 pick"; empty where there are none.
  package var words: String {
    [(todos, "to-do"), (choices, "choice"), (picks, "pick")].filter { $0.0 > 0 }
      .map { count, one in "\(count) \(count == 1 ? one : one + "s")" }.joined(separator: " and ")
  }

  /// Creates counts from numbers of records by kind.
  package init(_ counts: [Kind: Int]) {
    (todos, choices, picks) = (counts[.todo] ?? 0, counts[.choice] ?? 0, counts[.pick] ?? 0)
  }

  /// Counts what is shown with a record.
  package init(of key: EventKey, _ kind: Kind, in model: ReadModel) throws(ReadModelError) {
    switch kind {
    case .list: todos = try model.todos.todos(TodoFilter(place: .list(key))).count
    case .question:
      choices = try model.questions.choices(of: key).count
      picks = try model.questions.picks(of: key).count
    default: break
    }
  }
}
