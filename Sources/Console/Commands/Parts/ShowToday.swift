import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

/// Shows the agenda: what is due, the next birthdays, and what was done today.
struct ShowToday {
  let context: CommandContext
  private var output: Output { context.output }

  private static let daysOfBirthdays = 14
  private static let lineLimit = 24
  /// Rows beyond this number are not counted, because reading them would take longer than the rest of the command.
  private static let mostCounted = 100
  /// The number of titles in the line about completed to-dos.
  private static let mostTitles = 5

  /// Shows the agenda of today or of the time after `at`, or a welcome if there is no book.
  ///
  /// The agenda is shown when no command is given.
  func run() throws {
    let snapshot: Snapshot
    do {
      snapshot = try context.snapshot()
    } catch DaybookError.noBook where !output.isJSON {
      return output.answer(Help.welcome)
    }
    // A time that cannot be parsed is reported here.
    _ = try context.viewed.day()
    let agenda = Agenda(context.viewed.dues, in: snapshot.model)
    if output.isJSON { return output.answer(try json(agenda, snapshot)) }
    let totals = try snapshot.model.todos.totals(on: agenda.day)
    var sections = try sections(agenda, totals, snapshot)
    var start = agenda.day.map { [output.paint.heading($0.dated + momentWords)] } ?? []
    if sections.allSatisfy({ $0.part == .undated }) { start.append("Nothing is due.") }
    let end = try doneLine(agenda, snapshot) + conflictLine(snapshot) + countLine(totals, snapshot)
    AgendaSection.shorten(&sections, to: Self.lineLimit - start.count - end.count)
    output.answer(start + sections.flatMap(\.lines) + end)
  }

  /// Returns the viewed time of day as words; empty if the present is viewed.
  private var momentWords: String {
    guard context.viewed.words != nil else { return "" }
    let moment = context.viewed.dues.now
    guard moment <= context.machine.timekeeper.now() else { return ", as far as is known now" }
    let clock = context.machine.timekeeper.localClock(of: moment.milliseconds)
    return ", as it was at \(clock)"
  }

  // MARK: Sections

  private func sections(
    _ agenda: Agenda, _ totals: TodoTotals, _ snapshot: Snapshot
  ) throws -> [AgendaSection] {
    let paint = output.paint
    let next = agenda.nextDays.map { "\($0.lowerBound.iso)..\($0.upperBound.iso)" } ?? "any"
    let sections = [
      try section(.overdue, "Overdue", agenda.overdue(), "list todos --overdue", agenda, snapshot) {
        paint.urgent($0)
      },
      try section(.today, "Today", agenda.today(), "list todos --due today", agenda, snapshot),
      try section(
        .next, "Next 7 days", agenda.next(), "list todos --due \(next)", agenda, snapshot),
      try section(
        .undated, "Undated (\(totals.undated))", agenda.undated, "list todos --due none",
        count: Int(totals.undated), agenda, snapshot),
      try birthdays(snapshot),
    ]
    return sections.compactMap(\.self)
  }

  /// Returns a section of to-dos; nil if it is empty.
  private func section(
    _ part: AgendaSection.Part, _ title: String, _ filter: TodoFilter?, _ command: String,
    count known: Int? = nil, _ agenda: Agenda, _ snapshot: Snapshot,
    _ style: @escaping @Sendable (String) -> String = { $0 }
  ) throws -> AgendaSection? {
    guard let filter else { return nil }
    let found = try agenda.todos(filter, upTo: part.limit + 1)
    guard !found.isEmpty else { return nil }
    let shown = found.prefix(part.limit)
    var count = AgendaSection.Count.exactly(known ?? found.count)
    if known == nil, found.count > part.limit {
      let most = part.limit + Self.mostCounted
      let counted = try snapshot.model.todos.count(of: filter, upTo: most + 1)
      count = counted > most ? .moreThan(most) : .exactly(counted)
    }
    let ids = try snapshot.shortIDs(shown.map(\.head.id))
    var cells = RowCells(context: context).todoCells(
      showsDay: part != .today, missed: try snapshot.missedDates(of: Array(shown)))
    return AgendaSection(
      part, output.paint.heading(title),
      shown.map { cells.cells(of: $0, "  " + (ids[$0.head.id] ?? "")) }, of: count,
      command: self.command(command), fitting: output.columns, style: style)
  }

  private func birthdays(_ snapshot: Snapshot) throws -> AgendaSection? {
    let coming = try UpcomingBirthdays(context: context).within(
      days: Self.daysOfBirthdays, in: snapshot)
    guard !coming.isEmpty else { return nil }
    let rows = coming.prefix(AgendaSection.Part.birthdays.limit).map { coming in
      [
        Cell("  " + coming.next.date.dated, giving: .never), Cell(coming.name, giving: .title),
        Cell(coming.next.words),
      ]
    }
    return AgendaSection(
      .birthdays, output.paint.heading("Birthdays"), rows, of: .exactly(coming.count),
      command: command("upcoming --days \(Self.daysOfBirthdays)"), fitting: output.columns)
  }

  /// Returns a command as the user types it, at the time that is viewed.
  private func command(_ words: String) -> String {
    let start = context.viewed.words.map { "daybook at \($0.quoted) " } ?? "daybook "
    return start + words
  }

  // MARK: Lines at the end

  private func doneLine(_ agenda: Agenda, _ snapshot: Snapshot) throws -> [String] {
    guard let span = agenda.span(at: context.machine.timekeeper) else { return [] }
    let todos = snapshot.model.todos
    let done = try todos.todos(completedIn: span, upTo: Self.mostTitles + 1)
    guard !done.isEmpty else { return [] }
    let number = try todos.count(completedIn: span, upTo: Self.mostCounted + 1)
    let count = number > Self.mostCounted ? "more than \(Self.mostCounted)" : "\(number)"
    let titles = done.prefix(Self.mostTitles).map { ($0.title ?? "").visible }
    let rest = done.count > Self.mostTitles ? ", …" : ""
    let line = "Done today: \(count) (\(titles.joined(separator: ", "))\(rest))"
    guard let columns = output.columns, TextWidth.columns(of: line) > columns else { return [line] }
    return [TextWidth.cut(line, to: columns)]
  }

  private func doneToday(_ agenda: Agenda, _ snapshot: Snapshot) throws -> [TodoRow] {
    guard let span = agenda.span(at: context.machine.timekeeper) else { return [] }
    return try snapshot.model.todos.todos(completedIn: span)
  }

  private func conflictLine(_ snapshot: Snapshot) throws -> [String] {
    let count = try snapshot.book.conflictReader.conflicts(in: snapshot.model).count
    guard count > 0 else { return [] }
    let (words, it) = count == 1 ? ("1 conflict", "it") : ("\(count) conflicts", "them")
    return [output.paint.urgent("\(words): '\(command("conflicts"))' shows how to settle \(it).")]
  }

  /// Returns the counts of to-dos, or of the other records if there are no to-dos.
  private func countLine(_ totals: TodoTotals, _ snapshot: Snapshot) throws -> [String] {
    let parts = [
      ("open", totals.open), ("hidden", totals.hidden), ("done", totals.done),
      ("cancelled", totals.cancelled),
    ]
    var words = parts.filter { $0.0 == "open" || $0.1 > 0 }.map { "\($0.1) \($0.0)" }
    if totals.all == 0 {
      words = try snapshot.model.documents.counts().filter { $0.count > 0 && $0.kind != .pick }
        .map { kind, count in
          "\(count) " + (count == 1 ? kind.name : Schema.schema(of: kind)?.plural ?? kind.name)
        }
    }
    let nothing =
      LossPresenter(context: context).hasLoss ? "No record is left to show." : "The book is empty."
    return [output.paint.faint(words.isEmpty ? nothing : words.joined(separator: ", "))]
  }

  // MARK: JSON

  private func json(_ agenda: Agenda, _ snapshot: Snapshot) throws -> JSON {
    var snapshot = snapshot
    try snapshot.loadConflicts()
    func records(_ rows: [TodoRow]) throws -> JSON {
      .array(try snapshot.documents(rows.map(\.head.key)).map(snapshot.json))
    }
    func records(_ filter: TodoFilter?, upTo most: Int = .max) throws -> JSON {
      try records(try agenda.todos(filter, upTo: most))
    }
    let totals = try snapshot.model.todos.totals(on: agenda.day)
    let counts = try snapshot.model.documents.counts().map { kind, count in
      JSON.Member(Schema.schema(of: kind)?.plural ?? kind.name, .integer(count))
    }
    let coming = try UpcomingBirthdays(context: context).within(
      days: Self.daysOfBirthdays, in: snapshot)
    let first = AgendaSection.Part.undated.limit
    let conflicts = try snapshot.book.conflictReader.conflicts(in: snapshot.model).count
    return .object(
      ("date", .words(agenda.day?.iso)),
      ("overdue", try records(agenda.overdue())),
      ("dueToday", try records(agenda.today())),
      ("next", try records(agenda.next())),
      (
        "undated",
        .object(
          ("count", .integer(totals.undated)), ("first", try records(agenda.undated, upTo: first)))
      ),
      ("birthdays", .array(try coming.map { try $0.json(snapshot) })),
      ("doneToday", try records(try doneToday(agenda, snapshot))),
      ("conflicts", .integer(Int64(conflicts))),
      ("hidden", .integer(totals.hidden)),
      ("counts", .object(counts)))
  }
}
