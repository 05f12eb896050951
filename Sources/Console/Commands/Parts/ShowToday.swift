import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

/// Shows what is due today, and the next birthdays.
struct ShowToday {
  let context: CommandContext
  private var output: Output { context.output }

  private static let lookAheadDays = 14
  private static let lineLimit = 20
  private static let mostOfSection = 5
  /// Beyond this number, further rows are not counted, because reading them would take longer than the rest of the
  /// command.
  private static let mostCounted = 100

  /// Shows today's screen, or a welcome if there is no book.
  ///
  /// It runs when no command is given.
  func run() throws {
    let snapshot: Snapshot
    do {
      snapshot = try context.snapshot()
    } catch DaybookError.noBook where !output.isJSON {
      return output.answer(Help.welcome)
    }
    var lines: [String] = []
    if output.isJSON { return output.answer(try json(snapshot)) }
    if let today = context.today {
      lines += try section("Overdue", .overdue(today), "--overdue", snapshot, output.paint.urgent)
      lines += try section("Due today", .due(today), "--due today", snapshot) { $0 }
    }
    let coming = try firstComing(snapshot)
    if !coming.isEmpty {
      lines.append(output.paint.heading("Birthdays"))
      lines += fitted(
        coming.prefix(Self.mostOfSection).map { coming in
          [
            Cell("  " + coming.next.date.dated, giving: .never), Cell(coming.name),
            Cell(coming.next.words),
          ]
        })
    }
    let counts = try snapshot.model.documents.counts().filter { $0.count > 0 && $0.kind != .pick }
    let words = counts.map { kind, count in
      "\(count) " + (count == 1 ? kind.name : Schema.schema(of: kind)?.plural ?? kind.name)
    }
    if lines.isEmpty { lines.append("Nothing is due today.") }
    let unsettled = try snapshot.book.conflictReader.conflicts(in: snapshot.model).count
    lines = Array(lines.prefix(Self.lineLimit - (unsettled > 0 ? 2 : 1)))
    if unsettled > 0 {
      let words = unsettled == 1 ? "1 conflict" : "\(unsettled) conflicts"
      lines.append(output.paint.urgent("\(words): 'daybook conflicts' shows how to settle them."))
    }
    let nothing =
      LossPresenter(context: context).hasLoss ? "No record is left to show." : "The book is empty."
    output.answer(
      lines + [output.paint.faint(words.isEmpty ? nothing : words.joined(separator: ", "))])
  }

  /// Returns the next birthdays within the shortest span that contains enough of them, or else within the longest
  /// span.
  private func firstComing(_ snapshot: Snapshot) throws -> [Coming] {
    var days = 0
    while true {
      let coming = try UpcomingBirthdays(context: context).within(
        days: min(days, Self.lookAheadDays), in: snapshot)
      if coming.count >= Self.mostOfSection || days >= Self.lookAheadDays { return coming }
      days = days * 2 + 1
    }
  }

  private func json(_ snapshot: Snapshot) throws -> JSON {
    var snapshot = snapshot
    try snapshot.loadConflicts()
    func records(_ wish: DueTodos?) throws -> JSON {
      let rows = try wish.map { try snapshot.model.todos.todos($0.filter, by: $0.order) } ?? []
      return .array(try snapshot.documents(rows.map(\.head.key)).map(snapshot.json))
    }
    let counts = try snapshot.model.documents.counts().map { kind, count in
      JSON.Member(Schema.schema(of: kind)?.plural ?? kind.name, .integer(count))
    }
    let coming = try UpcomingBirthdays(context: context).within(
      days: Self.lookAheadDays, in: snapshot)
    return .object(
      ("date", context.today.map { .string($0.iso) } ?? .null),
      ("overdue", try records(context.today.map(DueTodos.overdue))),
      ("dueToday", try records(context.today.map(DueTodos.due))),
      ("birthdays", .array(try coming.map { try $0.json(snapshot) })),
      (
        "conflicts",
        .integer(Int64(try snapshot.book.conflictReader.conflicts(in: snapshot.model).count))
      ),
      ("counts", .object(counts)))
  }

  private func fitted(_ rows: [[Cell]]) -> [String] {
    Table.lines(rows, fitting: output.columns)
  }

  private func section(
    _ title: String, _ todos: DueTodos, _ options: String, _ snapshot: Snapshot,
    _ style: (String) -> String
  ) throws -> [String] {
    let page = Page(count: Self.mostOfSection)
    let shown = try snapshot.model.todos.todos(todos.filter, by: todos.order, page: page)
    guard !shown.isEmpty else { return [] }
    let ids = try snapshot.shortIDs(shown.map(\.head.id))
    let lines = fitted(
      shown.map { row in
        RowCells(context: context).cells(of: row, "  " + (ids[row.head.id] ?? ""))
      }
    ).map(style)
    let heading = output.paint.heading(title)
    guard shown.count == Self.mostOfSection else { return [heading] + lines }
    let count = try snapshot.model.todos.count(
      of: todos.filter, by: todos.order, upTo: Self.mostCounted)
    let rest = count - shown.count
    let more =
      count < Self.mostCounted
      ? "  and \(rest) more" : "  and many more: 'daybook list todos \(options)' shows all"
    return [heading] + lines + (rest > 0 ? [more] : [])
  }
}

/// The filter and order of the to-dos in a section of the screen.
private struct DueTodos {
  let filter: TodoFilter
  let order: TodoOrder

  static func overdue(_ today: CivilDate) -> DueTodos {
    DueTodos(filter: TodoFilter(includesDone: false, due: .before(today)), order: .priority)
  }

  /// For a single day, both orders give the same result, and the order by day finds the rows directly.
  static func due(_ today: CivilDate) -> DueTodos {
    let day = today.packed...today.packed
    return DueTodos(filter: TodoFilter(includesDone: false, due: .within(day)), order: .due)
  }
}
