import Bytes
import Daybook
import Domain
import ReadModel

enum WatchCommands {
  static let all = [watchList]

  private static let watchList = CommandSpec(
    "watch list", "Show changes to a list as they happen, until stopped.",
    reading: .present, traits: .runsLong, text("WHAT"), optionalText("QUESTION"),
    TodoOption.list, TodoOption.open, TodoOption.done,
    TodoOption.priority, TodoOption.due, TodoOption.overdue, TodoOption.tag,
    TodoOption.anyTag,
    option(
      "sort", "BY",
      "Sort to-dos by priority, due, creation, title or position, and birthdays by name, date or next."
    ),
    option(
      "sections", "BY",
      "Divide to-dos by list, priority, done or due, and birthdays by initial or month."),
    examples: [
      "daybook watch list todos --sections list", "daybook watch list birthdays --json",
      "daybook watch list picks lunch",
    ]
  ) {
    context, what, question, list, isOpen, isDone, priority, due, isOverdue, tags, anyTags, order,
    division in
    let todos = TodoWish(
      list: list, isOpen: isOpen, isDone: isDone, priority: priority, due: due,
      isOverdue: isOverdue, tags: tags, anyTags: anyTags, order: order)
    let wish = WatchWish(question: question, todos: todos, division: division)
    try WatchList(context: context).run(what, wish)
  }
}

/// The arguments of `watch list todos` and similar commands.
private struct WatchWish {
  var question: String?
  var todos: TodoWish
  var division: String?
}

/// Shows each change to a list as it happens.
private struct WatchList {
  let context: CommandContext
  private var query: TodoQuery { TodoQuery(context: context) }

  func run(_ what: String, _ wish: WatchWish) throws {
    let isTodos = what == "todos"
    let isSortable = isTodos || what == "birthdays"
    for option in wish.todos.options { try refuse(option, !isTodos) }
    try refuse("--sort", wish.todos.order != nil && !isSortable)
    try refuse("--sections", wish.division != nil && !isSortable)
    if let extra = wish.question, ["todos", "birthdays", "lists", "questions"].contains(what) {
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
        "what to watch", what, "Use todos, birthdays, lists, questions, choices or picks.")
    }
  }

  private func refuse(_ option: String, _ isOutOfPlace: Bool) throws(ConsoleError) {
    if isOutOfPlace { throw .usage(.unknownOption(option, suggestion: nil)) }
  }

  private func todoQuery(_ wish: WatchWish) throws -> Query<TodoRow> {
    let divisions: [(String, TodoDivision)] = [
      ("list", .list), ("priority", .priority), ("done", .done), ("due", .due),
    ]
    var todos = wish.todos
    // Changes to all to-dos matter, unless the options say otherwise.
    todos.isAll = todos.leavesOutRest
    return .todos(
      try place(todos.list), try query.filter(todos),
      by: try query.order(wish.todos), in: try query.choice(wish.division, "--sections", divisions))
  }

  private func place(_ list: String?) throws -> TodoSubject.Place {
    guard let list else { return .anywhere }
    if list == TodoQuery.noList { return .withoutList }
    return .list(try context.book().finder.find(list, kind: .list).id)
  }

  private func birthdayQuery(_ wish: WatchWish) throws -> Query<BirthdayRow> {
    let divisions: [(String, BirthdayDivision)] = [("initial", .initial), ("month", .month)]
    return .birthdays(
      by: try query.birthdayOrder(wish.todos.order),
      in: try query.choice(wish.division, "--sections", divisions))
  }

  private func question(_ wish: WatchWish) throws -> UniqueID {
    guard let words = wish.question else {
      throw ConsoleError.usage(
        .missingOperand("QUESTION", usage: "watch list choices|picks QUESTION"))
    }
    return try context.book().finder.find(words, kind: .question).id
  }

  /// How often to check whether the command should stop; a signal also ends the wait.
  private static let patienceMilliseconds = 1_000

  /// Shows the current rows, and then each change.
  private func follow<Row: ChangeRow>(_ rows: Query<Row>) throws {
    let book = try context.book()
    let changeMonitor = try ChangeMonitor(on: book.core)
    var result = LiveResult(rows)
    LossPresenter(context: context).noteLoss()
    repeat {
      let (model, touched) = try changeMonitor.look()
      if let changes = try result.refresh(from: model, touched: touched) {
        try ChangeSetPresenter(context: context).tell(changes, isDivided: rows.division != nil)
      }
      while !context.environment.process.shouldStop(),
        try !changeMonitor.wait(patienceMilliseconds: Self.patienceMilliseconds)
      {}
    } while !context.environment.process.shouldStop()
  }
}
