import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

enum LookCommands {
  static let all = [show, SearchCommands.search, upcoming] + PickCommands.all

  private static let show = CommandSpec(
    "show", "Show everything about a record.", reading: .past, traits: .isPaged, text("ID"),
    option("at", "TIME", "Show the record as it was at this time."),
    examples: ["daybook show ada", "daybook show k7 --json", "daybook show ada --at 2026-01-31"]
  ) { context, words, moment in
    if moment != nil, context.viewed.words != nil {
      throw ConsoleError.usage(.repeatedOption("--at"))
    }
    if let moment {
      context.viewed.words = moment
      context.noteFutureView()
    }
    try ShowRecord(context: context).run(words)
  }

  private static let upcoming = CommandSpec(
    "upcoming", "List the next birthdays, and the age that each person turns.", reading: .past,
    traits: .isPaged,
    option("days", "N", "How many days to look ahead; 30 by default."),
    flag("milestones", "Mark birthdays at which the person turns 18 or a multiple of 10."),
    examples: ["daybook upcoming --days 60", "daybook upcoming --days 365 --milestones"]
  ) { context, days, marksMilestones in
    let days = try days.map { try context.reader.number($0, "the days", from: 0) } ?? 30
    let snapshot = try context.snapshot()
    let upcoming = UpcomingBirthdays(context: context)
    let next = try upcoming.within(days: Int(clamping: days), in: snapshot)
    if context.output.isJSON {
      return context.output.answer(.array(try next.map { try $0.json(snapshot) }))
    }
    let ids = try snapshot.shortIDs(next.map(\.row.head.id))
    if next.isEmpty { EmptyListHint(context: context).show(nothingOf: nil) }
    context.output.answer(
      rows: next.map { coming in
        let isMarked = marksMilestones && coming.next.isMilestone
        return coming.cells(ids) + [isMarked ? "milestone" : ""]
      })
  }
}

/// A birthday and its next occurrence.
struct Coming {
  let row: BirthdayRow
  let next: UpcomingBirthday
  let name: String

  fileprivate init(_ row: BirthdayRow, _ next: UpcomingBirthday) {
    (self.row, self.next) = (row, next)
    name = row.name.visible
  }
}

/// Shows everything about a record.
private struct ShowRecord {
  let context: CommandContext
  private var output: Output { context.output }

  func run(_ words: String) throws {
    let snapshot = try context.snapshot()
    let found = try context.find(words, on: snapshot)
    let document = try snapshot.document(withID: found.id, called: words)
    if output.isJSON { return output.answer(try snapshot.jsonWithKind(document)) }
    output.answer(
      [output.paint.heading(try snapshot.name(of: document))] + (try fieldLines(document, snapshot))
    )
    let conflicts = try snapshot.book.conflictReader.conflicts(
      about: document.key, in: snapshot.model)
    if !conflicts.isEmpty {
      output.answer([output.paint.urgent("  conflicts")])
      // Omit the record's name, which is the heading.
      let lines = try ConflictPresenter(context: context).lines(of: conflicts, snapshot)
      let isOwn = conflicts[0].document.key == document.key
      output.answer(lines.dropFirst(isOwn ? 1 : 0).map { "  " + $0 })
    }
    if document.kind == .question { try showChoices(of: document, snapshot) }
    if document.kind == .todo {
      try showSubtasks(of: document, snapshot)
      let closed = try RepeatDetails(context: context, snapshot: snapshot).closedRows(of: document)
      if !closed.isEmpty { output.answer([output.paint.heading("  closed last")]) }
      output.answer(rows: closed)
    }
    if document.kind == .list {
      let rows = try snapshot.model.todos.todos(
        TodoFilter(place: .list(document.key)), by: .openFirst
      ).filter { $0.series == nil }
      let names = try snapshot.book.finder.shortNames(of: rows.map(\.head.id))
      let colour = TodoList(document)?.colour
      var cells = RowCells(context: context).todoCells(
        shading: colour.map { Shades(colour: $0, rows: rows.count) }, showsList: false,
        missed: try snapshot.missedDates(of: rows))
      output.answer(
        rows: rows.enumerated().map { place, row in
          cells.cells(of: row, names.name(of: row.head.id), at: place)
        })
    }
  }

  private func fieldLines(_ document: Document, _ snapshot: Snapshot) throws -> [String] {
    var rows: [[String]] = [["id", document.id.uuid]]
    if let source = document.source { rows.append(["uid", source.uid.text.visible]) }
    let todo = document.kind == .todo ? try ShownTodo(document, in: snapshot.model) : nil
    for field in Schema.schema(of: document.kind)?.fields ?? [] {
      if let todo, let own = try repeatRows(of: todo, field, snapshot) {
        rows += own
        continue
      }
      let value = todo?.value(of: field) ?? document.meaning(of: field)
      if value == .null || (!field.isListedByDefault && value == field.valueWhenAbsent) { continue }
      rows.append([field.optionName, try words(value, of: field, snapshot)])
    }
    return Table.lines(rows).map { "  " + $0 }
  }

  /// Returns a value in words; a time that is too far ahead of this machine's clock is marked.
  private func words(
    _ value: Value, of field: FieldSchema, _ snapshot: Snapshot
  ) throws -> String {
    let words = try snapshot.words(value, field.type)
    guard field.type == .instant, case .integer(let time) = value else { return words }
    return snapshot.book.deviceList.isSuspect(time)
      ? context.machine.timekeeper.text(of: time, isClockSuspect: true) : words
  }

  /// Returns the rows for an ignored parent, for an ignored cancellation, or for a field that says how a to-do repeats; nil
  /// for other fields.
  private func repeatRows(
    of todo: ShownTodo, _ field: FieldSchema, _ snapshot: Snapshot
  ) throws -> [[String]]? {
    switch field.field {
    case Field.Todo.parent:
      try todo.ignoredParent.map { try rows(ofIgnored: $0, field, snapshot) }
    case Field.Todo.cancelled where todo.document.value(field.field) == .boolean(true):
      todo.document.meaning(of: field) == .boolean(false)
        ? [[field.optionName, "no: the cancellation is ignored because the to-do is also done"]]
        : nil
    case Field.Todo.repeat:
      try RepeatDetails(context: context, snapshot: snapshot).rows(of: todo)
    case Field.Todo.until: []
    // A series and its sub-tasks show the slot as their current date.
    case Field.Todo.slot: todo.document.isOccurrence ? nil : []
    default: nil
    }
  }

  /// Returns the row for a parent that is ignored; none if the to-do is its own parent.
  private func rows(
    ofIgnored parent: IgnoredParent, _ field: FieldSchema, _ snapshot: Snapshot
  ) throws -> [[String]] {
    if parent.isItself { return [] }
    let title = try snapshot.words(.reference(parent.key), field.type)
    return [[field.optionName, "none: \(title) is ignored because \(parent.reason)"]]
  }

  private func showSubtasks(of todo: Document, _ snapshot: Snapshot) throws {
    let rows = try snapshot.model.subtasks.rows(under: todo.key)
    guard !rows.isEmpty else { return }
    let names = try snapshot.book.finder.shortNames(of: rows.map(\.head.id))
    var cells = RowCells(context: context).todoCells(missed: try snapshot.missedDates(of: rows))
    output.answer([output.paint.heading("  sub-tasks")])
    output.answer(rows: rows.map { cells.cells(of: $0, names.name(of: $0.head.id)) })
  }

  private func showChoices(of question: Document, _ snapshot: Snapshot) throws {
    let choices = try snapshot.model.questions.choices(of: question.key)
    let picks = try snapshot.model.questions.picks(of: question.key)
    let ids = try snapshot.shortIDs(choices.map(\.head.id))
    let rows = choices.map { choice in
      let count = picks.filter { $0.choice == choice.head.key }.count
      return [
        ids[choice.head.id] ?? "", (choice.name ?? "").visible, "weight \(choice.weight)",
        count == 0 ? "" : "drawn \(count)×",
      ]
    }
    output.answer(Table.lines(rows).map { "  " + $0 })
  }
}

/// Finds the next birthdays.
struct UpcomingBirthdays {
  let context: CommandContext

  /// Returns the birthdays within the given number of days, nearest first.
  func within(days: Int, in snapshot: Snapshot) throws -> [Coming] {
    guard let day = try context.viewed.day() else { return [] }
    let rows: [BirthdayRow]
    if days < 365, let last = day.adding(days: days) {
      rows = try snapshot.model.birthdays.birthdays(from: day, through: last)
    } else {
      rows = try snapshot.model.birthdays.birthdaysWithDay()
    }
    let coming = rows.compactMap { row -> Coming? in
      guard let next = row.next(from: day, rule: context.preferences.leapRule), next.inDays <= days
      else { return nil }
      return Coming(row, next)
    }
    return coming.sorted { ($0.next.inDays, $0.name) < ($1.next.inDays, $1.name) }
  }
}

extension Coming {
  fileprivate func cells(_ ids: [UniqueID: String]) -> [Cell] {
    [
      Cell(ids[row.head.id] ?? "", .faint, giving: .never),
      Cell(next.date.dated, giving: .never),
      Cell(name, giving: .title), Cell(next.words, next.inDays == 0 ? .heading : .plain),
      Cell(next.observedRule == nil ? "" : "born on 29 February", .faint),
    ]
  }

  func json(_ snapshot: Snapshot) throws -> JSON {
    guard let document = try snapshot.document(row.head.key),
      case .object(let members) = try snapshot.json(document)
    else { return .null }
    return .object(
      members + [
        JSON.Member("date", .string(next.date.iso)),
        JSON.Member("inDays", .integer(Int64(next.inDays))),
        JSON.Member("turns", next.turns.map { .integer(Int64($0)) } ?? .null),
        JSON.Member(
          "observedRule", next.observedRule.map { .string($0.words) } ?? .null),
        JSON.Member("milestone", .boolean(next.isMilestone)),
      ])
  }
}
