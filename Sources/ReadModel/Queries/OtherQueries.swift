package import Bytes
package import Domain

// Live queries of lists, questions, choices and picks, which have one order and no divisions.

extension Query where Row == ListRow {
  /// All lists.
  package static func lists() -> Query { Query(.all, by: .usual) }
}

extension ListRow: QueryRow {
  package typealias Division = NoDivision

  /// Lists, and also to-dos, because a list shows how many to-dos it has.
  package static let kinds: Set<Kind> = [.list, .todo]

  package static func rows(
    of subject: Everything, by order: UsualOrder, in tables: TableConnection
  ) throws(ReadModelError) -> [ListRow] {
    try ListQueries(tables: tables).lists()
  }

  package var withoutKeys: ListRow {
    ListRow(
      head: head.withoutKey, name: name, colour: colour, todos: todos, openTodos: openTodos)
  }
}

extension Query where Row == QuestionRow {
  /// All questions.
  package static func questions() -> Query { Query(.all, by: .usual) }
}

extension QuestionRow: QueryRow {
  package typealias Division = NoDivision

  /// Questions, and also choices, because a question shows how many choices it has.
  package static let kinds: Set<Kind> = [.question, .choice]

  package static func rows(
    of subject: Everything, by order: UsualOrder, in tables: TableConnection
  ) throws(ReadModelError) -> [QuestionRow] {
    try QuestionQueries(tables: tables).questions()
  }

  package var withoutKeys: QuestionRow {
    QuestionRow(head: head.withoutKey, content: content, choices: choices)
  }
}

/// The question whose choices or picks are queried, by its id.
///
/// If no living question has this id, the result is empty.
package struct OfQuestion: Hashable, Sendable {
  package var id: UniqueID

  package init(_ id: UniqueID) { self.id = id }

  fileprivate func key(in tables: TableConnection) throws(ReadModelError) -> EventKey? {
    guard let question = try DocumentQueries(tables: tables).document(id: id),
      question.kind == .question,
      question.isAlive
    else { return nil }
    return question.key
  }
}

extension Query where Row == ChoiceRow {
  /// The choices of a question.
  package static func choices(of question: UniqueID) -> Query {
    Query(OfQuestion(question), by: .usual)
  }
}

extension ChoiceRow: QueryRow {
  package typealias Division = NoDivision

  package static let kinds: Set<Kind> = [.choice, .question]

  package static func rows(
    of subject: OfQuestion, by order: UsualOrder, in tables: TableConnection
  ) throws(ReadModelError) -> [ChoiceRow] {
    guard let key = try subject.key(in: tables) else { return [] }
    return try QuestionQueries(tables: tables).choices(of: key)
  }

  package var withoutKeys: ChoiceRow {
    ChoiceRow(head: head.withoutKey, question: .none, name: name, weight: weight)
  }
}

extension Query where Row == PickRow {
  /// The picks of a question, latest first.
  package static func picks(of question: UniqueID) -> Query {
    Query(OfQuestion(question), by: .usual)
  }
}

extension PickRow: QueryRow {
  package typealias Division = NoDivision

  package static let kinds: Set<Kind> = [.pick, .question, .choice]

  package static func rows(
    of subject: OfQuestion, by order: UsualOrder, in tables: TableConnection
  ) throws(ReadModelError) -> [PickRow] {
    guard let key = try subject.key(in: tables) else { return [] }
    return try QuestionQueries(tables: tables).picks(of: key)
  }

  package var withoutKeys: PickRow {
    PickRow(
      head: head.withoutKey, question: .none, choice: nil, choiceID: choiceID,
      choiceName: choiceName, draw: draw)
  }
}
