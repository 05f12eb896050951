internal import Domain
internal import SQLite

/// The columns of a row of `todo` on which the rows of its occurrences depend.
enum InheritedColumns {
  /// Whether the two rows differ in values that occurrences show; nil means no row.
  static func haveChanged(_ old: [SQLiteValue]?, _ new: [SQLiteValue]?) -> Bool {
    guard let old, let new else { return true }
    return places.contains { old[$0] != new[$0] }
  }

  private static let places = [
    "title", "list_log", "list_sequence", "priority", "note", "tags", "parent_log",
    "parent_sequence", "due_time", "zone", "repeat", "first_due", "due_distance",
  ].compactMap(TodoTable.storedColumns.firstIndex)

  /// The slot in a row of `todo`.
  static func slot(in row: [SQLiteValue]) -> CivilDate? {
    guard case .integer(let packed) = row[slotPlace] else { return nil }
    return CivilDate(packed: packed)
  }

  private static let slotPlace: Int = {
    guard let place = TodoTable.storedColumns.firstIndex(of: "slot") else {
      preconditionFailure("to-dos have slots")
    }
    return place
  }()
}
