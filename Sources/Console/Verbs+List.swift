import Bytes
import Daybook
import Domain
import ReadModel

extension Verb {
  static let listing = [listBirthdays, listTodos, listLists, listQuestions, listChoices]

  private static let listBirthdays = Verb(
    "list birthdays", "All birthdays, by name.", reading: .past,
    examples: ["daybook list birthdays", "daybook list birthdays --json"]
  ) { context in
    let snapshot = try context.snapshot()
    let rows = try snapshot.model.birthdays()
    try context.list(rows.map(\.head), snapshot) { ids in
      rows.map { context.line(of: $0, ids) }
    }
  }

  private static let listTodos = Verb(
    "list todos", "All to-dos, the most urgent first.", reading: .past,
    option("list", "NAME", "Those of one list only."), flag("open", "Those not done only."),
    examples: ["daybook list todos", "daybook list todos --list Home --open"]
  ) { context, list, isOpen in
    let snapshot = try context.snapshot()
    var filter = TodoFilter(includesDone: !isOpen)
    if let list {
      let id = try snapshot.book.find(list, kind: .list).id
      let key = try snapshot.document(withID: id, called: list).key
      filter.place = .list(key)
    }
    let rows = try snapshot.model.todos(filter)
    try context.list(rows.map(\.head), snapshot) { ids in
      rows.map { context.line(of: $0, ids) }
    }
  }

  private static let listLists = Verb(
    "list lists", "All lists, and how much is on them.", reading: .past,
    examples: ["daybook list lists"]
  ) { context in
    let snapshot = try context.snapshot()
    let rows = try snapshot.model.lists()
    try context.list(rows.map(\.head), snapshot) { ids in
      rows.map { row in
        [
          ids[row.head.id] ?? "", (row.name ?? "").visible, row.colour?.colourWords ?? "",
          "\(row.openTodos) of \(row.todos) open",
        ]
      }
    }
  }

  private static let listQuestions = Verb(
    "list questions", "All questions.", reading: .past, examples: ["daybook list questions"]
  ) { context in
    let snapshot = try context.snapshot()
    let rows = try snapshot.model.questions()
    try context.list(rows.map(\.head), snapshot) { ids in
      rows.map { row in
        let choices = row.choices == 1 ? "1 choice" : "\(row.choices) choices"
        return [ids[row.head.id] ?? "", (row.content ?? "").visible, choices]
      }
    }
  }

  private static let listChoices = Verb(
    "list choices", "All choices, or those of one question.", reading: .past,
    optionalText("QUESTION"), examples: ["daybook list choices lunch"]
  ) { context, words in
    let snapshot = try context.snapshot()
    var questions = try snapshot.model.questions().map { ($0.head.key, $0.content ?? "") }
    if let words {
      let id = try snapshot.book.find(words, kind: .question).id
      let key = try snapshot.document(withID: id, called: words).key
      questions.removeAll { $0.0 != key }
    }
    var rows: [(row: ChoiceRow, question: String)] = []
    for (key, content) in questions {
      rows += try snapshot.model.choices(of: key).map { ($0, content) }
    }
    try context.list(rows.map(\.row.head), snapshot) { ids in
      rows.map { row, question in
        [
          ids[row.head.id] ?? "", (row.name ?? "").visible, "weight \(row.weight)",
          question.visible,
        ]
      }
    }
  }
}

extension Context {
  /// Answers with records: as JSON by their documents, for people by the lines given.
  fileprivate func list(
    _ heads: [RowHead], _ snapshot: Snapshot, _ lines: ([UniqueID: String]) -> [[String]]
  ) throws {
    if isJSON {
      var snapshot = snapshot
      try snapshot.loadConflicts()
      return answer(.array(try snapshot.documents(heads.map(\.key)).map(snapshot.json)))
    }
    let unsettled = try snapshot.book.unsettled(in: snapshot.model).intersection(heads.map(\.key))
    let marked = Set(
      try snapshot.book.conflicts(of: unsettled, in: snapshot.model).map(\.document.key))
    let rows = zip(heads, lines(try snapshot.shortIDs(heads.map(\.id)))).map { head, cells in
      marked.contains(head.key) ? cells + [paint.urgent("conflict")] : cells
    }
    answer(Table.lines(rows))
  }

  func line(of row: BirthdayRow, _ ids: [UniqueID: String]) -> [String] {
    let name = [row.firstName, row.lastName].compactMap(\.self).joined(separator: " ")
    let rule = row.leapRule.flatMap(LeapRule.init) ?? .february28
    let next = today.flatMap { row.birthdate?.nextBirthday(from: $0, rule: rule) }
    return [
      ids[row.head.id] ?? "", name.visible, row.birthdate?.iso ?? "",
      moment == nil ? next?.words ?? "" : "",
    ]
  }

  func line(of row: TodoRow, _ ids: [UniqueID: String]) -> [String] {
    [
      ids[row.head.id] ?? "", row.isDone ? "[x]" : "[ ]",
      (Priority(rawValue: row.priority) ?? .normal).mark, (row.title ?? "").visible,
      (row.listName ?? "").visible,
      row.due.map { row.isDone ? $0.iso : "due " + dueWords($0) } ?? "",
    ]
  }
}
