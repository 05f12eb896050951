import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

/// Words for the effect of a command on a repeating to-do, which follow the to-do's title.
struct DateReceipt {
  let site: PageSite

  /// Returns the words after a date that was closed, such as `, next Mon 30 Nov, passed over 2 missed dates`.
  func rest(of change: Performed.OccurrenceChange) -> String {
    guard let recurrence = change.recurrence, !recurrence.isOfSubtask else { return "" }
    let state = recurrence.state
    // Closing a date late does not change the current date.
    guard state.stored.last(where: { $0.closing != nil })?.slot == change.slot else { return "" }
    var parts = [state.current.map { "next \(words($0.due))" } ?? "the last date"]
    let passed = state.passedOver(after: change.slot)
    if passed > 0 { parts.append("passed over \(counted(passed, "missed date", "missed dates"))") }
    let missed = site.book.machine.timekeeper.today.map(state.missed) ?? 0
    if missed > 0 { parts.append("\(missed) more missed") }
    return parts.map { ", \($0)" }.joined()
  }

  /// Returns how a to-do repeats after an edit to its rule, such as `, every Mon, next Mon 30 Nov`.
  func rule(_ document: Document) throws -> String {
    guard let row = try site.book.view().todos.todo(document.key), let rule = row.ruleWords
    else { return "" }
    return ", \(rule)" + (row.due.map { ", next \(words($0))" } ?? "")
  }

  /// Returns which date is the last one after an edit to the end.
  func end(_ document: Document) throws -> String {
    let due = try site.book.view().todos.todo(document.key)?.due
    return due.map { "; its last date is due \(words($0))" } ?? ""
  }

  /// Returns a sentence stating that a reopened date is still closed, because another device has also closed it.
  func stillClosed(_ performed: Performed.Change) throws -> String? {
    guard performed.leavesState, let closing = Series.Occurrence(performed.document)?.closing,
      let others = try site.snapshot(at: nil).othersThatClosed(performed.document)
    else { return nil }
    let (state, change) =
      closing.kind == .done ? ("done", "marked as done") : ("skipped", "skipped")
    return " It is still \(state), because it was also \(change) on \(others)."
  }

  private func words(_ day: CivilDate) -> String { day.nearWords(in: site.year) }
}

extension PageSite {
  /// The current year, which dates in sentences omit.
  var year: Int? { book.machine.timekeeper.today?.year }
}

extension Performed.Change {
  /// The record that a receipt names, which is the changed record or, for an occurrence, its to-do.
  var named: Document { occurrence?.todo ?? document }

  /// The record's title, with the date if the record is an occurrence.
  var title: String {
    guard let occurrence, document.title.isEmpty else { return document.datedTitle }
    return "\(occurrence.todo.title) of \(occurrence.slot.dated)"
  }
}
