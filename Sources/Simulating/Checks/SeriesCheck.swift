import Domain
import ReadModel

/// Checks that to-dos that repeat show an occurrence that is not closed, and keep those that are.
struct SeriesCheck {
  private let rules: TodoRules
  private let rows: [EventKey: TodoRow]

  init(_ rules: TodoRules, _ rows: [TodoRow]) {
    self.rules = rules
    self.rows = Dictionary(uniqueKeysWithValues: rows.map { ($0.head.key, $0) })
  }

  /// The first to-do that is not shown as the rules say, with the difference; nil if there is none.
  func fault() -> String? {
    rows.values.filter { $0.rule != nil }.sorted { $0.head.id < $1.head.id }.lazy.compactMap {
      row in
      fault(of: row).map { "\(row.title ?? "") \($0)" }
    }.first
  }

  private func fault(of row: TodoRow) -> String? {
    guard let document = rules.records.document(of: row.head.key), let series = Series(document)
    else { return nil }
    var closed: Set<CivilDate> = []
    var open: Set<CivilDate> = []
    for occurrence in RecurrenceFinder(rules.records).occurrences(of: document) {
      guard let slot = occurrence.value(Field.Todo.slot).date, slot.isComplete else { continue }
      let isClosed = isClosed(occurrence)
      if isAlone(document), closed.union(open).contains(slot) { return "has \(slot.iso) twice" }
      if isClosed { closed.insert(slot) } else { open.insert(slot) }
      guard (rows[occurrence.key] != nil) == isClosed else {
        return "\(isClosed ? "lacks" : "has") \(slot.iso) among its closed occurrences"
      }
    }
    // An older program marks the series itself as done, which closes its first slot.
    if series.closing != nil, !open.contains(series.anchor) { closed.insert(series.anchor) }
    return fault(of: row, series, closed, open.subtracting(closed))
  }

  private func fault(
    of row: TodoRow, _ series: Series, _ closed: Set<CivilDate>, _ open: Set<CivilDate>
  ) -> String? {
    guard let slot = row.slot else {
      return row.isClosed && open.isEmpty ? nil : "is finished, but open"
    }
    if row.isClosed { return "is closed, but at \(slot.iso)" }
    if closed.contains(slot) { return "shows \(slot.iso), which is closed" }
    if let first = open.min() { return slot > first ? "shows \(slot.iso), not \(first.iso)" : nil }
    // Each date follows from the anchor, whatever was closed before.
    guard series.rule.basis != .done, slot != series.anchor else { return nil }
    let dates = RepeatDates(series.rule, anchor: series.anchor)
    return dates?.first(onOrAfter: slot) == slot ? nil : "shows \(slot.iso), which is no date of it"
  }

  /// Whether any living member of an occurrence has a surviving write that closes it.
  private func isClosed(_ occurrence: Document) -> Bool {
    [Field.Todo.done, Field.Todo.cancelled].contains { field in
      rules.survivors(field, of: occurrence.key).contains { $0.value == .boolean(true) }
    }
  }

  /// Whether a to-do was never joined with another one, so all its occurrences of a slot have one source.
  private func isAlone(_ document: Document) -> Bool {
    document.members.count == 1
      && rules.records.entity(of: document.key)?.aliases.isEmpty ?? false
  }
}
