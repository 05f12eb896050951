import Bytes
import Daybook
import Domain
import ReadModel

extension Verb {
  static let watching = [watchList]

  private static let watchList = Verb(
    "watch list", "Show each change of a list as it happens, until it is stopped.",
    reading: .present, text("WHAT"), optionalText("QUESTION"),
    option("list", "NAME", "Of the to-dos, those of one list only."),
    flag("open", "Of the to-dos, those not done only."),
    option("sort", "BY", "To-dos: priority, creation, title, position; birthdays: name, date."),
    option("sections", "BY", "To-dos: list, priority, done, due; birthdays: initial, month."),
    examples: [
      "daybook watch list todos --sections list", "daybook watch list birthdays --json",
      "daybook watch list picks lunch",
    ]
  ) { context, what, question, list, isOpen, order, division in
    let wish = WatchWish(
      question: question, list: list, isOpen: isOpen, order: order, division: division)
    try context.watch(what, wish)
  }
}

/// The words after `watch list todos` and its like.
private struct WatchWish {
  var question: String?
  var list: String?
  var isOpen: Bool
  var order: String?
  var division: String?
}

extension Context {
  fileprivate func watch(_ what: String, _ wish: WatchWish) throws {
    let isTodos = what == "todos"
    let isSortable = isTodos || what == "birthdays"
    try refuse("--list", wish.list != nil && !isTodos)
    try refuse("--open", wish.isOpen && !isTodos)
    try refuse("--sort", wish.order != nil && !isSortable)
    try refuse("--sections", wish.division != nil && !isSortable)
    if let extra = wish.question, !["choices", "picks"].contains(what) {
      throw ConsoleError.usage(.extraOperand(extra, usage: "watch list \(what)"))
    }
    switch what {
    case "todos": try follow(todoQuery(wish))
    case "birthdays": try follow(birthdayQuery(wish))
    case "lists": try follow(.lists())
    case "questions": try follow(.questions())
    case "choices": try follow(.choices(of: try question(wish)))
    case "picks": try follow(.picks(of: try question(wish)))
    default:
      throw ConsoleError.badValue(
        "what to watch", what, "Say todos, birthdays, lists, questions, choices or picks.")
    }
  }

  private func refuse(_ option: String, _ isOutOfPlace: Bool) throws(ConsoleError) {
    if isOutOfPlace { throw .usage(.unknownOption(option, suggestion: nil)) }
  }

  private func todoQuery(_ wish: WatchWish) throws -> Query<TodoRow> {
    let orders: [(String, TodoOrder)] = [
      ("priority", .priority), ("creation", .creation), ("title", .title),
      ("position", .position),
    ]
    let divisions: [(String, TodoDivision)] = [
      ("list", .list), ("priority", .priority), ("done", .done), ("due", .due),
    ]
    let list = try wish.list.map { try book().find($0, kind: .list).id }
    return .todos(
      list.map { .list($0) } ?? .anywhere, TodoFilter(includesDone: !wish.isOpen),
      by: try choice(wish.order, "--sort", orders) ?? .priority,
      in: try choice(wish.division, "--sections", divisions))
  }

  private func birthdayQuery(_ wish: WatchWish) throws -> Query<BirthdayRow> {
    let orders: [(String, BirthdayOrder)] = [("name", .name), ("date", .date)]
    let divisions: [(String, BirthdayDivision)] = [("initial", .initial), ("month", .month)]
    return .birthdays(
      by: try choice(wish.order, "--sort", orders) ?? .name,
      in: try choice(wish.division, "--sections", divisions))
  }

  private func question(_ wish: WatchWish) throws -> UniqueID {
    guard let words = wish.question else {
      throw ConsoleError.usage(
        .missingOperand("QUESTION", usage: "watch list choices|picks QUESTION"))
    }
    return try book().find(words, kind: .question).id
  }

  private func choice<Choice>(
    _ words: String?, _ name: String, _ choices: [(String, Choice)]
  ) throws(ConsoleError) -> Choice? {
    guard let words else { return nil }
    if let found = choices.first(where: { $0.0 == words }) { return found.1 }
    throw .badValue(name, words, "Say \(choices.map(\.0).joined(separator: ", ")).")
  }

  /// How often it is looked whether somebody wants to stop; a signal also ends the wait.
  private static let patienceMilliseconds = 1_000

  /// Tells what there is, and then each change.
  private func follow<Row: ToldRow>(_ query: Query<Row>) throws {
    let book = try book()
    let lookout = try Lookout(on: book)
    var result = LiveResult(query)
    repeat {
      let (model, touched) = try lookout.look()
      if let changes = try result.refresh(from: model, touched: touched) {
        try tell(changes, isDivided: query.division != nil)
      }
      while !surroundings.shouldStop(),
        try !lookout.wait(patienceMilliseconds: Self.patienceMilliseconds)
      {}
    } while !surroundings.shouldStop()
  }
}
