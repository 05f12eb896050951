/// The columns of `todo` with which a query compares due times.
///
/// The indexes by which to-dos are sorted contain derived columns. SQLite reads the row for each entry of an index if
/// the query names a derived column, even if the index contains all columns that the query needs. A query that needs no
/// other column is faster with the stored columns and an index of them.
struct DueColumns {
  /// The condition that there is a due date.
  let isThere: String
  let isMissing: String
  /// The day, packed as in events.
  let day: String
  /// The minute of the day; for a to-do without a due time, a number after the last minute.
  let minute: String

  /// The day and the minute as a row value.
  var point: String { "(\(day), \(minute))" }

  static let derived = DueColumns(
    isThere: "undated = 0", isMissing: "undated = 1", day: "due_order", minute: "time_order")

  static let stored = DueColumns(
    isThere: "due_number IS NOT NULL", isMissing: "due_number IS NULL", day: "due_number",
    minute: "coalesce(due_time, \(TodoTable.untimed))")
}
