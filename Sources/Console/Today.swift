import Bytes
import Daybook
import Domain
import Platform
import ReadModel

extension Context {
  private static let lookAheadDays = 14
  private static let lineLimit = 20
  private static let mostOfSection = 5
  /// Beyond these nobody counts how many more there are; to read them all takes longer than all the rest.
  private static let mostCounted = 100

  /// What is shown when no command is given: today's screen, or a welcome where there is no book.
  func showToday() throws {
    let snapshot: Snapshot
    do {
      snapshot = try self.snapshot()
    } catch DaybookError.noBook where !isJSON {
      return answer(Help.welcome)
    }
    var lines: [String] = []
    let (overdue, due) = try dueTodos(snapshot, isJSON ? .all : Page(count: Self.mostCounted))
    let coming = try upcoming(snapshot, days: Self.lookAheadDays)
    if isJSON { return answer(try json(overdue, due, coming, snapshot)) }
    lines += try section("Overdue", overdue, "--overdue", snapshot, paint.urgent)
    lines += try section("Due today", due, "--due today", snapshot) { $0 }
    if !coming.isEmpty {
      lines.append(paint.heading("Birthdays"))
      lines += fitted(
        coming.prefix(5).map { ["  " + $0.next.date.dated, $0.name, $0.next.words] })
    }
    let counts = try snapshot.model.counts().filter { $0.count > 0 && $0.kind != .pick }
    let words = counts.map { kind, count in
      "\(count) " + (count == 1 ? kind.name : Schema.schema(of: kind)?.plural ?? kind.name)
    }
    if lines.isEmpty { lines.append("Nothing is due today.") }
    let unsettled = try snapshot.book.conflicts(in: snapshot.model).count
    lines = Array(lines.prefix(Self.lineLimit - (unsettled > 0 ? 2 : 1)))
    if unsettled > 0 {
      let words = unsettled == 1 ? "1 conflict" : "\(unsettled) conflicts"
      lines.append(paint.urgent("\(words): 'daybook conflicts' tells how to settle them."))
    }
    answer(
      lines + [paint.faint(words.isEmpty ? "The book is empty." : words.joined(separator: ", "))])
  }

  /// What is due today, and what was before.
  private func dueTodos(
    _ snapshot: Snapshot, _ page: Page
  ) throws -> (overdue: [TodoRow], due: [TodoRow]) {
    guard let today else { return ([], []) }
    func todos(_ due: TodoFilter.Due, by order: TodoOrder) throws -> [TodoRow] {
      try snapshot.model.todos(TodoFilter(includesDone: false, due: due), by: order, page: page)
    }
    // Of one day both orders are the same, and by the day they are found at once.
    return (
      try todos(.before(today), by: .priority),
      try todos(.within(today.packed...today.packed), by: .due)
    )
  }

  private func json(
    _ overdue: [TodoRow], _ due: [TodoRow], _ coming: [Coming], _ snapshot: Snapshot
  ) throws -> JSON {
    var snapshot = snapshot
    try snapshot.loadConflicts()
    func records(_ rows: [TodoRow]) throws -> JSON {
      .array(try snapshot.documents(rows.map(\.head.key)).map(snapshot.json))
    }
    let counts = try snapshot.model.counts().map { kind, count in
      JSON.Member(Schema.schema(of: kind)?.plural ?? kind.name, .integer(count))
    }
    return .object(
      ("date", today.map { .string($0.iso) } ?? .null), ("overdue", try records(overdue)),
      ("dueToday", try records(due)),
      ("birthdays", .array(try coming.map { try json($0, snapshot) })),
      ("conflicts", .integer(Int64(try snapshot.book.conflicts(in: snapshot.model).count))),
      ("counts", .object(counts)))
  }

  private func fitted(_ rows: [[String]]) -> [String] {
    Table.lines(rows.map { row in row.map { Cell($0) } }, fitting: surroundings.size?.columns)
  }

  private func section(
    _ title: String, _ rows: [TodoRow], _ options: String, _ snapshot: Snapshot,
    _ style: (String) -> String
  ) throws -> [String] {
    guard !rows.isEmpty else { return [] }
    let shown = rows.prefix(Self.mostOfSection)
    let ids = try snapshot.shortIDs(shown.map(\.head.id))
    let lines = fitted(
      shown.map { row in
        let words = cells(of: row, ids).map(\.text)
        return ["  " + words[0]] + words.dropFirst()
      }
    ).map(style)
    let rest = rows.count - shown.count
    let more =
      rows.count < Self.mostCounted
      ? "  and \(rest) more" : "  and many more: 'daybook list todos \(options)' shows all"
    return [paint.heading(title)] + lines + (rest > 0 ? [more] : [])
  }
}
