import Bytes
import Daybook
import Domain
import Platform
import ReadModel

extension Context {
  private static let lookAheadDays = 14
  private static let lineLimit = 20

  /// What is shown when no command is given: today's screen, or a welcome where there is no book.
  func showToday() throws {
    let snapshot: Snapshot
    do {
      snapshot = try self.snapshot()
    } catch DaybookError.noBook {
      return answer(Help.welcome)
    }
    var lines: [String] = []
    let open = try snapshot.model.todos(TodoFilter(includesDone: false))
    if let today {
      let dated = open.filter { $0.due?.isComplete ?? false }
      lines += try section(
        "Overdue", dated.filter { $0.due.map { $0 < today } ?? false }, snapshot, paint.urgent)
      lines += try section("Due today", dated.filter { $0.due == today }, snapshot) { $0 }
    }
    let coming = try upcoming(snapshot, days: Self.lookAheadDays)
    if !coming.isEmpty {
      lines.append(paint.heading("Birthdays"))
      lines += Table.lines(
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

  private func section(
    _ title: String, _ rows: [TodoRow], _ snapshot: Snapshot, _ style: (String) -> String
  ) throws -> [String] {
    guard !rows.isEmpty else { return [] }
    let shown = rows.prefix(5)
    let ids = try snapshot.shortIDs(shown.map(\.head.id))
    let lines = Table.lines(shown.map { line(of: $0, ids) }).map { style("  " + $0) }
    let rest = rows.count - shown.count
    return [paint.heading(title)] + lines + (rest > 0 ? ["  and \(rest) more"] : [])
  }
}
