internal import Domain
internal import SQLite

/// The column `slot` of `todo`.
enum SlotColumn {
  /// The slot in a row of `todo`.
  static func slot(in row: [SQLiteValue]) -> CivilDate? {
    guard case .integer(let packed) = row[place] else { return nil }
    return CivilDate(packed: packed)
  }

  private static let place: Int = {
    guard let place = TodoTable.storedColumns.firstIndex(of: "slot") else {
      preconditionFailure("to-dos have slots")
    }
    return place
  }()
}
