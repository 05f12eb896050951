internal import Domain
internal import SQLite

/// The columns of `todo` that only repeating to-dos have.
struct RepeatColumns {
  /// The canonical text of the rule; nil for an occurrence and for a sub-task of a series.
  var rule: String?
  /// The last day for which the rule may yield a slot.
  var until: CivilDate?
  /// The slot that the row shows; nil for a finished series.
  var slot: CivilDate?
  /// The due date of the series itself, from which its slots are counted.
  var firstDue: CivilDate?
  /// The number of days from a slot of the series to its due date.
  var dueDistance: Int?
  /// The to-do that an occurrence belongs to.
  var series: EventKey?
  /// Whether the to-do is a finished series with closed dates, which have separate rows.
  ///
  /// Lists and counts leave such a series out, because its dates show what was done.
  var isEnded = false

  static let names = [
    "repeat", "until", "slot", "first_due", "due_distance", "series_log", "series_sequence",
    "ended",
  ]

  static let definition = """
    repeat TEXT, until INTEGER, slot INTEGER, first_due INTEGER, due_distance INTEGER,
      series_log INTEGER, series_sequence INTEGER, ended INTEGER NOT NULL
    """

  var values: [SQLiteValue] {
    [
      SQLiteValue(rule), SQLiteValue(until?.packed), SQLiteValue(slot?.packed),
      SQLiteValue(firstDue?.packed), dueDistance.map { .integer(Int64($0)) } ?? .null,
      series.map { .integer($0.log) } ?? .null, series.map { .integer($0.sequence) } ?? .null,
      .integer(isEnded ? 1 as Int64 : 0),
    ]
  }
}
