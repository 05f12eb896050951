internal import Domain
internal import SQLite

/// The columns of `todo` that only to-dos that repeat have.
struct RepeatColumns {
  /// The canonical text of the rule; nil for an occurrence and for a sub-task of a series.
  var rule: String?
  /// The last day on which the rule may fall.
  var until: CivilDate?
  /// The slot that the row shows; nil for a finished series.
  var slot: CivilDate?
  /// The due date of the series itself, from which its slots are counted.
  var firstDue: CivilDate?
  /// The to-do that an occurrence belongs to.
  var series: EventKey?

  static let names = [
    "repeat", "until", "slot", "first_due", "series_log", "series_sequence",
  ]

  static let definition = """
    repeat TEXT, until INTEGER, slot INTEGER, first_due INTEGER, series_log INTEGER,
      series_sequence INTEGER
    """

  /// Whether occurrences show values of a row of `todo` that differ between two rows; nil means no row.
  static func isInheritanceChanged(_ old: [SQLiteValue]?, _ new: [SQLiteValue]?) -> Bool {
    guard let old, let new else { return true }
    return inherited.contains { old[$0] != new[$0] }
  }

  private static let inherited = [
    "title", "list_log", "list_sequence", "priority", "note", "tags", "parent_log",
    "parent_sequence", "due_time", "zone", "repeat", "first_due",
  ].compactMap(TodoTable.storedColumns.firstIndex)

  var values: [SQLiteValue] {
    [
      SQLiteValue(rule), SQLiteValue(until?.packed), SQLiteValue(slot?.packed),
      SQLiteValue(firstDue?.packed), series.map { .integer($0.log) } ?? .null,
      series.map { .integer($0.sequence) } ?? .null,
    ]
  }
}
