import Domain
import ReadModel

/// Checks that repeating to-dos show the slot that follows from the closed slots, that each closed slot is shown, and
/// that sub-tasks of a series are closed together with its slots.
struct SeriesCheck {
  private let rules: TodoRules
  private let rows: [EventKey: TodoRow]
  private let parents: [EventKey: EventKey]

  init(_ rules: TodoRules, _ rows: [TodoRow], parents: [EventKey: EventKey]) {
    (self.rules, self.parents) = (rules, parents)
    self.rows = Dictionary(uniqueKeysWithValues: rows.map { ($0.head.key, $0) })
  }

  /// The first to-do that is not shown as the rules require, with the difference; nil if there is none.
  func fault() -> String? {
    rows.values.filter { $0.series == nil }.sorted { $0.head.id < $1.head.id }.lazy.compactMap {
      row in
      fault(of: row).map { "\(row.title ?? "") \($0)" }
    }.first
  }

  private func fault(of row: TodoRow) -> String? {
    guard let todo = rules.records.document(of: row.head.key) else { return "has no record" }
    if let series = SeriesRules(of: todo, by: rules) {
      return faultOfOccurrences(of: todo) ?? fault(of: row, series)
    }
    guard let series = seriesAbove(todo) else { return faultOfOccurrences(of: todo) }
    let slot = series.current ?? series.latestClosed?.key
    return faultOfOccurrences(of: todo, except: slot) ?? fault(of: row, at: slot, todo)
  }

  /// The nearest series among a to-do's ancestors.
  private func seriesAbove(_ todo: Document) -> SeriesRules? {
    sequence(first: todo.key) { parents[$0] }.dropFirst().lazy.compactMap { key in
      rules.records.document(of: key).flatMap { SeriesRules(of: $0, by: rules) }
    }.first
  }

  // MARK: Occurrences

  /// The first difference in the rows of closed occurrences, except in the slot that the sub-task's own row shows.
  private func faultOfOccurrences(
    of todo: Document, except shown: CivilDate? = nil
  ) -> String? {
    var slots: Set<CivilDate> = []
    for (document, slot) in rules.occurrences(of: todo) {
      if !slots.insert(slot).inserted, isAlone(todo) { return "has \(slot.iso) twice" }
      let closing = rules.closing(ofOccurrence: document)
      let row = rows[document.key]
      guard (row != nil) == (closing.isClosed && slot != shown) else {
        return "\(row == nil ? "lacks" : "has") \(slot.iso) among its closed occurrences"
      }
      guard let row else { continue }
      guard row.isDone == closing.isDone, row.closedOn == closing.day else {
        return "shows \(slot.iso) as \(row.state) on \(row.closedOn?.iso ?? "no day")"
      }
    }
    return nil
  }

  /// Whether a to-do has never been joined with another one; if so, all its occurrences in a slot have the same source.
  private func isAlone(_ document: Document) -> Bool {
    document.members.count == 1
      && rules.records.entity(of: document.key)?.aliases.isEmpty ?? false
  }

  // MARK: Series

  private func fault(of row: TodoRow, _ series: SeriesRules) -> String? {
    guard row.slot == series.current else {
      return "shows \(row.slot?.iso ?? "no date"), not \(series.current?.iso ?? "none")"
    }
    guard let slot = row.slot else {
      let isDone = series.latestClosed?.value.isDone ?? false
      return row.isClosed && row.isDone == isDone ? nil : "is finished, but \(row.state)"
    }
    if row.isClosed { return "is closed, but at \(slot.iso)" }
    let moved = series.slots[slot]?.dues ?? []
    let dues = moved.isEmpty ? [series.series.due(of: slot)] : moved
    guard row.due.map(dues.contains) ?? false else {
      return "is due \(row.due?.iso ?? "never") at \(slot.iso)"
    }
    return nil
  }

  // MARK: Sub-tasks

  private func fault(of row: TodoRow, at slot: CivilDate?, _ todo: Document) -> String? {
    let slots = rules.slots(of: todo)
    // A sub-task without occurrences looks the same in all slots, so its row need not name a slot.
    guard row.slot == slot || slots.isEmpty else {
      return "is a sub-task at \(row.slot?.iso ?? "no date")"
    }
    let stored = slot.flatMap { slots[$0] }
    // A write to the sub-task itself applies to all slots in which the sub-task has no closed occurrence.
    let own = rules.closing(of: todo.key)
    let isDone = stored?.isClosed == true ? stored?.isDone == true : own.isDone
    let isClosed = stored?.isClosed == true || own.isDone || own.isCancelled
    guard row.isDone == isDone, row.isClosed == isClosed else {
      return "is a sub-task that is \(row.state) at \(slot?.iso ?? "no date")"
    }
    return nil
  }
}
