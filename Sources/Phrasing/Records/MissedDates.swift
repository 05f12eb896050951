package import Bytes
package import Domain
package import ReadModel

/// The numbers of dates, not counting the current dates, that were missed by to-dos whose rules keep each missed date.
///
/// These numbers depend on the day, so the read model does not contain them.
package struct MissedDates: Sendable {
  private var counts: [UniqueID: Int] = [:]

  /// Creates the numbers for to-dos that have not missed any dates.
  package init() {}

  /// Counts the dates before a day that the to-dos in rows have missed.
  package init(
    of rows: [TodoRow], before day: CivilDate?, in model: ReadModel
  ) throws(ReadModelError) {
    guard let day else { return }
    let keeping = Self.keepingMissed(rows)
    guard !keeping.isEmpty else { return }
    let causality = try model.logs.causality()
    for row in keeping {
      // Rows of live queries have no keys.
      guard let key = try model.documents.document(id: row.head.id)?.key,
        let recurrence = try model.repeats.recurrence(of: key, causality: causality)
      else { continue }
      counts[row.head.id] = recurrence.state.missed(before: day)
    }
  }

  /// Returns the open to-dos whose rules keep missed dates.
  private static func keepingMissed(_ rows: [TodoRow]) -> [TodoRow] {
    var keeping: [TodoRow] = []
    // Few to-dos repeat, and copying a row takes longer than showing it.
    for index in rows.indices
    where rows[index].rule != nil && !rows[index].isClosed && rows[index].keepsMissed {
      keeping.append(rows[index])
    }
    return keeping
  }

  /// Returns the number of a to-do's missed dates in words, such as `2 more missed`; nil if there are none.
  package func words(of id: UniqueID) -> String? {
    counts[id].flatMap { $0 > 0 ? "\($0) more missed" : nil }
  }
}

extension TodoRow {
  fileprivate var keepsMissed: Bool {
    rule.flatMap(RepeatRule.init(canonicalIfValid:))?.keepsMissed ?? false
  }
}
