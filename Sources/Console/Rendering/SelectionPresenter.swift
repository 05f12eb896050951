import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

/// Shows the to-dos that options select, and reports the changes to them.
struct SelectionPresenter {
  let context: CommandContext
  private var output: Output { context.output }

  /// The maximum number of to-dos to show or name.
  private static let mostShown = 20

  /// Reports that no to-do is selected.
  func tellNone() {
    if output.isJSON { output.answer(.array([])) }
    output.say("No to-do matches, so nothing was changed.")
  }

  /// Answers with the selected to-dos.
  func answer(_ rows: [TodoRow]) throws {
    guard output.isJSON else { return try show(rows, asking: false) }
    var snapshot = try context.presentSnapshot()
    try snapshot.loadConflicts()
    output.answer(.array(try snapshot.documents(rows.map(\.head.key)).map(snapshot.json)))
  }

  /// Shows the first of the selected to-dos, and the number of the others.
  ///
  /// With JSON output, the to-dos are written to standard error, and only if the user is asked about them.
  func show(_ rows: [TodoRow], asking: Bool) throws {
    let shown = rows.prefix(Self.mostShown)
    let snapshot = try context.presentSnapshot()
    let ids = try snapshot.shortIDs(shown.map(\.head.id))
    let missed = try snapshot.missedDates(of: Array(shown))
    var cells = RowCells(context: context).todoCells(missed: missed)
    let table = shown.map { cells.cells(of: $0, ids[$0.head.id] ?? "") }
    let more = rows.count > shown.count ? ["  and \(rows.count - shown.count) more"] : []
    if !output.isJSON {
      output.answer(rows: table)
      output.answer(more)
    } else if asking, output.isAnswering {
      let lines = Table.lines(table, fitting: output.columns) + more
      output.streams.writeError(lines.joined(separator: "\n") + "\n")
    }
  }

  /// Reports that the selected to-dos, of which there are `count`, are already as requested.
  func tellNothing(about count: Int) {
    output.say(
      count == 0
        ? "Nothing was changed."
        : "Nothing to change: \(count == 1 ? "it is" : "they are") already as requested.")
  }

  /// Reports the changes to the to-dos that still matched.
  func tell(
    _ performed: Performed, _ change: RecordChange, _ effect: ChangeEffect,
    with subtasks: [Performed.Change] = []
  ) throws {
    let presenter = ChangePresenter(
      context: context, advises: change.advises, cancels: change.endsRepeats)
    if output.isJSON {
      output.answer(try presenter.json(performed.changes + subtasks))
    } else if performed.isNothing, subtasks.isEmpty {
      tellNothing(about: effect.named)
    } else {
      output.say(
        "\(change.past) \(effect.words("to-do"))\(change.rest).\(goingOn(performed, effect))"
          + details(effect))
      noteOneDate(effect, change)
      let kept = performed.changes.filter { $0.keptFrom != nil || !$0.keptParents.isEmpty }
      for sentence in try presenter.sentences(kept) { output.say(sentence) }
    }
    try presenter.noteEndedSeries(performed.changes + subtasks)
  }

  /// Notes that the new dates of repeating to-dos apply to one occurrence only.
  private func noteOneDate(_ effect: ChangeEffect, _ change: RecordChange) {
    let count = effect.ofOneDate
    guard count > 0, change.advises else { return }
    let words =
      count == 1
      ? "1 of them repeats, and only its current date was changed"
      : "\(count) of them repeat, and only their current dates were changed"
    output.note("\(words); --series changes all dates.")
  }

  /// Returns a sentence, after a blank, about the to-dos that are done only for one date and open for the next one.
  private func goingOn(_ performed: Performed, _ effect: ChangeEffect) -> String {
    let open = performed.changes.compactMap { change -> EventKey? in
      guard let occurrence = change.occurrence, change.isOfState,
        Series.Occurrence(change.document)?.closing?.kind == .done,
        let recurrence = occurrence.recurrence, !recurrence.isOfSubtask,
        recurrence.state.current != nil
      else { return nil }
      return occurrence.todo.key
    }
    let count = Set(open).count
    switch count {
    case 0: return ""
    case 1:
      let which = effect.changed.count == 1 ? "It" : "1 of them"
      return " \(which) repeats, and its next date is open."
    default: return " \(count) of them repeat, and their next dates are open."
    }
  }

  /// Returns sentences about what is different for some of the to-dos, each after a blank.
  private func details(_ effect: ChangeEffect) -> String {
    var sentences: [String] = []
    let rest = effect.named - effect.changed.count
    if rest > 0 { sentences.append("\(rest) \(rest == 1 ? "was" : "were") already as requested.") }
    if effect.endless > 0 {
      let verb = effect.endless == 1 ? "has" : "have"
      sentences.append("\(effect.endless) of them no longer \(verb) an end.")
    }
    return sentences.map { " " + $0 }.joined()
  }

  /// Names the to-dos that were shown and then changed by someone else, so that they no longer match.
  func noteSkipped(_ rows: [TodoRow]) throws {
    guard !rows.isEmpty else { return }
    let shown = rows.prefix(Self.mostShown)
    let ids = try context.presentSnapshot().shortIDs(shown.map(\.head.id))
    let names = shown.map { "\(ids[$0.head.id] ?? "") \(($0.title ?? "").visible)" }
    let more = rows.count > shown.count ? " and \(rows.count - shown.count) more" : ""
    let (what, verb) = rows.count == 1 ? ("1 to-do", "matches") : ("\(rows.count) to-dos", "match")
    output.note(
      "skipped \(what) that no longer \(verb): \(names.joined(separator: ", "))\(more).")
  }
}
