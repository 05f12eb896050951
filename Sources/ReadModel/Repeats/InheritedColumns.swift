internal import SQLite

/// The columns of `todo` that occurrences inherit from their series.
enum InheritedColumns {
  /// Whether occurrences show values of a row that differ between two rows; nil means no row.
  static func haveChanged(_ old: [SQLiteValue]?, _ new: [SQLiteValue]?) -> Bool {
    guard let old, let new else { return true }
    return places.contains { old[$0] != new[$0] }
  }

  private static let places = [
    "title", "list_log", "list_sequence", "priority", "note", "tags", "parent_log",
    "parent_sequence", "due_time", "zone", "repeat", "first_due",
  ].compactMap(TodoTable.storedColumns.firstIndex)
}
