import Daybook
import Domain
import Phrasing
import ReadModel

/// Shows how a to-do repeats: its rule and its dates.
struct RepeatDetails {
  let context: CommandContext
  let snapshot: Snapshot

  /// The maximum number of future dates, and of closed dates, that are shown.
  private static let mostDates = 5

  /// Returns rows with a label for the rule, its first and last date, and the next dates.
  func rows(of todo: ShownTodo) throws -> [[String]] {
    guard let series = todo.series, let rule = todo.ruleWords else {
      return todo.document.text(Field.Todo.repeat).map { [["repeat", $0.visible]] } ?? []
    }
    let causality = try snapshot.model.logs.causality()
    let key = todo.document.key
    let state = try snapshot.model.repeats.recurrence(of: key, causality: causality)?.state
    var rows = [["repeat", rule], ["first", series.due.dated]]
    if let closing = state?.ownClosing,
      let words = try words(of: closing, todo.document, causality: causality)
    {
      rows[1][1] += words
    }
    if let until = series.until { rows.append(["until", until.dated]) }
    guard let state else { return rows }
    if let day = snapshot.day { rows += self.rows(of: state, day) }
    return rows
  }

  /// Returns how and when the to-do itself was closed, such as on another device before it repeated.
  ///
  /// - Returns: nil if the first date has been opened again.
  private func words(
    of closing: SeriesState.OwnClosing, _ todo: Document, causality: Causality
  ) throws -> String? {
    if !closing.hasEffect {
      let records = try snapshot.model.records.hydrate(Set(closing.openKeys), causality: causality)
      let fields = [Field.Todo.done, Field.Todo.cancelled]
      let isReopened = closing.openKeys.compactMap(records.document).contains { date in
        fields.contains { date.shown($0) != nil }
      }
      if isReopened { return nil }
    }
    let isDone = closing.kind == .done
    let field = isDone ? Field.Todo.completedAt : Field.Todo.closedOn
    let time = todo.value(field)
    let day = time == .null ? "" : " " + (try snapshot.words(time, isDone ? .instant : .date))
    let deed = (isDone ? "done" : "cancelled") + day
    return closing.hasEffect ? ", \(deed)" : ", still open although the to-do was \(deed)"
  }

  /// Returns the dates that follow the current date, and the number of missed dates among them.
  private func rows(of state: SeriesState, _ day: CivilDate) -> [[String]] {
    if state.isFinished { return [["next", "none, because it has ended"]] }
    let dates = state.datesToCome(Self.mostDates, closingOn: day).map(\.dated)
    let missed = state.missed(before: day)
    var next = dates.isEmpty ? "none" : dates.joined(separator: ", ")
    if state.series.rule.basis == .done, !dates.isEmpty { next += ", if it is done today" }
    return [["next", next]] + (missed > 0 ? [["missed", "\(missed) more"]] : [])
  }

  /// Returns rows of cells for the most recently closed dates of a to-do.
  func closedRows(of todo: Document) throws -> [[Cell]] {
    let rows = try snapshot.model.repeats.closedRows(of: todo.key, upTo: Self.mostDates)
    guard !rows.isEmpty else { return [] }
    let names = try snapshot.book.finder.shortNames(of: rows.map(\.head.id))
    var cells = RowCells(context: context).todoCells()
    return rows.map { cells.cells(of: $0, names.name(of: $0.head.id)) }
  }
}
