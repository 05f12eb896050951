package import Domain
package import ReadModel

/// The numbers of records that are shown only while their list or question is shown.
package struct Children: Equatable, Sendable {
  package var todos = 0
  package var choices = 0
  package var picks = 0

  package var count: Int { todos + choices + picks }

  /// The counts in words, as in "2 choices and 1 pick"; empty if all are 0.
  package var words: String {
    [(todos, "to-do"), (choices, "choice"), (picks, "pick")].filter { $0.0 > 0 }
      .map { count, one in "\(count) \(count == 1 ? one : one + "s")" }.joined(separator: " and ")
  }

  /// Creates counts from the numbers of records by kind.
  package init(_ counts: [Kind: Int]) {
    (todos, choices, picks) = (counts[.todo] ?? 0, counts[.choice] ?? 0, counts[.pick] ?? 0)
  }

  /// Counts the to-dos of a list, or the choices and picks of a question.
  package init(of key: EventKey, _ kind: Kind, in model: ReadModel) throws(ReadModelError) {
    switch kind {
    case .list:
      todos = try model.todos.todos(TodoFilter(place: .list(key))).count { $0.series == nil }
    case .question:
      choices = try model.questions.choices(of: key).count
      picks = try model.questions.picks(of: key).count
    default: break
    }
  }
}
