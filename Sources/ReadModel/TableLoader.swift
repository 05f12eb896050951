internal import SQLite

/// Fills an empty table with rows in the order of its key.
///
/// To begin a statement takes longer than to put a row behind the last one, so each puts many.
final class TableLoader {
  private let many: StatementShelf.Taken
  private let one: StatementShelf.Taken

  /// Beyond that a row more saves nothing.
  private static let rowsAtOnce = 32

  init(_ name: String, _ columns: [String], _ shelf: StatementShelf) throws(SQLiteError) {
    let row = "(" + columns.map { _ in "?" }.joined(separator: ", ") + ")"
    let start = "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES "
    let rows = repeatElement(row, count: Self.rowsAtOnce).joined(separator: ", ")
    many = try shelf.take(start + rows)
    one = try shelf.take(start + row)
  }

  func load(_ rows: RowBuffer) throws(SQLiteError) {
    var place = 0
    while rows.count - place >= Self.rowsAtOnce {
      try many.statement.run(rows, from: place, count: Self.rowsAtOnce)
      place += Self.rowsAtOnce
    }
    while place < rows.count {
      try one.statement.run(rows, from: place, count: 1)
      place += 1
    }
  }
}
