import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel
import Wording

enum ListCommands {
  static let all = [
    listBirthdays, listTodos, listLists, listQuestions, listChoices, listPicks,
    DeletedCommands.deleted,
  ]

  private static let listBirthdays = CommandSpec(
    "list birthdays", "List all birthdays, sorted by name.", reading: .past, traits: .isPaged,
    option("sort", "BY", "Sort by name, by date, or by next, which puts the next birthday first."),
    limitOption, afterOption,
    examples: [
      "daybook list birthdays", "daybook list birthdays --sort next --limit 10",
      "daybook list birthdays --json",
    ]
  ) { context, order, limit, after in
    let snapshot = try context.snapshot()
    let pager = RowPager(context: context, snapshot: snapshot)
    let wish = try pager.wish(limit, after, .birthday)
    let rows = try snapshot.model.birthdays.birthdays(
      by: TodoQuery(context: context).birthdayOrder(order), page: wish.page)
    try pager.answer(
      rows, wish, named: { .init($0.head) }, Snapshot.json(_:), RowCells(context: context).cells)
  }

  private static let listTodos = CommandSpec(
    "list todos", "List the open to-dos, most urgent first.", reading: .past, traits: .isPaged,
    TodoOption.list, TodoOption.open, TodoOption.done, TodoOption.all, TodoOption.hidden,
    TodoOption.priority, TodoOption.due, TodoOption.overdue, TodoOption.tag,
    TodoOption.anyTag,
    option("sort", "BY", "Sort by priority, due, creation, title or position."),
    limitOption, afterOption,
    examples: [
      "daybook list todos", "daybook list todos --list Home --all",
      "daybook list todos --done --limit 10       # what was closed last",
      "daybook list todos --due ..2026-12-24 --sort due", "daybook list todos --limit 50",
    ]
  ) {
    context, list, isOpen, isDone, isAll, isHidden, priority, due, isOverdue, tags, anyTags, order,
    limit, after in
    let wish = TodoWish(
      list: list, isOpen: isOpen, isDone: isDone, isAll: isAll, isHidden: isHidden,
      priority: priority, due: due, isOverdue: isOverdue, tags: tags,
      anyTags: anyTags, order: order)
    try ListTodos(context: context).run(wish, limit, after)
  }

  private static let listLists = CommandSpec(
    "list lists", "List all lists, with the number of open to-dos in each.", reading: .past,
    traits: .isPaged,
    limitOption, afterOption,
    examples: [
      "daybook list lists", "daybook list lists --json",
    ]
  ) { context, limit, after in
    let snapshot = try context.snapshot()
    let pager = RowPager(context: context, snapshot: snapshot)
    let wish = try pager.wish(limit, after, .list)
    let rows = try snapshot.model.lists.lists(page: wish.page)
    try pager.answer(
      rows, wish, named: { .init($0.head) }, Snapshot.json(_:), RowCells(context: context).cells)
  }

  private static let listQuestions = CommandSpec(
    "list questions", "List all questions.", reading: .past, traits: .isPaged, limitOption,
    afterOption,
    examples: [
      "daybook list questions", "daybook list questions --json",
    ]
  ) { context, limit, after in
    let snapshot = try context.snapshot()
    let pager = RowPager(context: context, snapshot: snapshot)
    let wish = try pager.wish(limit, after, .question)
    let rows = try snapshot.model.questions.questions(page: wish.page)
    try pager.answer(rows, wish, named: { .init($0.head) }, Snapshot.json(_:)) {
      row, id in
      RowCells(context: context).cells(id, row.words(in: context))
    }
  }

  private static let listChoices = CommandSpec(
    "list choices", "List all choices, or the choices of one question.", reading: .past,
    traits: .isPaged,
    optionalText("QUESTION"), limitOption, afterOption,
    examples: [
      "daybook list choices lunch", "daybook list choices",
    ]
  ) { context, words, limit, after in
    try ListChoices(context: context).run(words, limit, after)
  }

  private static let listPicks = CommandSpec(
    "list picks", "List the picks of a question, latest first.", reading: .past,
    traits: .isPaged,
    text("QUESTION"), limitOption, afterOption,
    examples: [
      "daybook list picks lunch --limit 5", "daybook list picks lunch",
    ]
  ) { context, words, limit, after in
    let snapshot = try context.snapshot()
    let pager = RowPager(context: context, snapshot: snapshot)
    let question = try context.key(words, kind: .question, snapshot)
    let wish = try pager.wish(limit, after, .pick)
    let rows = try snapshot.model.questions.picks(of: question, page: wish.page)
    try pager.answer(rows, wish, named: { .init($0.head) }, Snapshot.json(_:)) {
      row, id in
      var words = row.words(in: context)
      if row.choiceName == nil, let title = try row.choice.flatMap(snapshot.title) {
        words[0] = "\(title.visible) (deleted)"
      }
      return RowCells(context: context).cells(id, words)
    }
  }
}

private struct ListTodos {
  let context: CommandContext
  private var output: Output { context.output }

  func run(_ todos: TodoWish, _ limit: String?, _ after: String?) throws {
    let snapshot = try context.snapshot()
    let pager = RowPager(context: context, snapshot: snapshot)
    let query = TodoQuery(context: context)
    var filter = try query.filter(todos, in: snapshot.model)
    filter.place = try query.place(todos.list, snapshot)
    let wish = try pager.wish(limit, after, .todo)
    if wish.limit == nil, filter.isOnlyOfState {
      let most = try snapshot.model.todos.mostTodos()
      try expect(rows: filter.includesClosed ? most.all : most.open, of: snapshot.book)
    }
    let rows = try snapshot.model.todos.todos(
      filter, by: try query.order(todos), page: wish.page, beside: context.machine.beside)
    var shades: Shades?
    if case .list(let key) = filter.place, let colour = try snapshot.model.lists.list(key)?.colour {
      shades = Shades(colour: colour, rows: min(rows.count, wish.limit ?? .max))
    }
    let cells = RowCells(context: context)
      .todoCells(
        shading: shades, showsList: todos.list == nil, showsPriority: filter.priority == nil,
        showsDay: !filter.due.isOneDay, missed: try snapshot.missedDates(of: rows))
    try pager.answer(rows, wish, named: { .init($0.head) }, Snapshot.json(_:)) { rows, marks in
      let isFlat = !rows.contains { $0.parent != nil && !$0.isClosed }
      let tree = isFlat ? nil : try TodoTree(rows, snapshot.model.subtasks)
      return parts(of: rows, marks, cells, tree)
    }
    if todos.leavesOutRest { try noteRest(of: filter, todos, in: snapshot.model) }
  }

  /// Tells the user how many to-dos are omitted because they are hidden or closed, and which command also lists them.
  private func noteRest(of filter: TodoFilter, _ todos: TodoWish, in model: ReadModel) throws {
    guard let rest = try model.todos.rest(of: filter).words else { return }
    let moment = context.viewed.words.map { ["at", $0.quoted.visible] } ?? []
    let command = ["daybook"] + moment + ["list", "todos"] + todos.conditions + ["--all"]
    output.note("\(rest): \(command.joined(separator: " "))")
  }

  /// Returns the rows as tables, in the order of the tree if there is one.
  private func parts(
    of rows: [TodoRow], _ marks: RowMarks, _ cells: TodoCells, _ tree: TodoTree?
  ) -> [Table] {
    Table.parts(rows.count, beside: context.machine.beside) { part in
      var (table, cells) = (Table(), cells)
      // Read the rows in place, because copying a row takes longer than showing it.
      let rows = rows.span
      for line in part {
        let (place, depth) = tree.map { ($0.nodes[line].place, $0.nodes[line].depth) } ?? (line, 0)
        let row = ListedRow(key: rows[place].head.key, id: rows[place].head.id)
        let shown = cells.cells(of: rows[place], marks.name(of: row), at: line, depth: depth)
        table.append(marks.complete(shown, of: row))
      }
      return table
    }
  }

  /// Prepares memory and short ids for the given number of rows.
  private func expect(rows count: Int, of book: Book) throws {
    guard count >= 1_000 else { return }
    // The memory that one row needs until it is shown, including the pages that it is read from.
    let bytesPerRow = 1_000
    // The limit stays below 32 MB, because the allocator would return a block of that size to the system.
    context.environment.process.expectMemory(min(count, 20_000) * bytesPerRow)
    if !output.isJSON { try book.finder.expectShortIDs() }
  }
}

private struct ListChoices {
  let context: CommandContext

  func run(_ words: String?, _ limit: String?, _ after: String?) throws {
    let snapshot = try context.snapshot()
    let pager = RowPager(context: context, snapshot: snapshot)
    var questions = try snapshot.model.questions.questions().map { ($0.head.key, $0.content ?? "") }
    if let words {
      let key = try context.key(words, kind: .question, snapshot)
      questions.removeAll { $0.0 != key }
    }
    let wish = try pager.wish(limit, after, .choice)
    var rows: [(row: ChoiceRow, question: String)] = []
    for (key, content) in questions {
      rows += try snapshot.model.questions.choices(of: key).map { ($0, content) }
    }
    // There are only a few choices, so the preceding choices can be read and then dropped.
    if let after = wish.page.after {
      rows = Array(rows.drop { $0.row.head.key != after }.dropFirst())
    }
    try pager.answer(rows, wish, named: { .init($0.row.head) }, Snapshot.json(_:)) { row, id in
      RowCells(context: context).cells(id, row.row.words(in: context) + [row.question.visible])
    }
  }
}
