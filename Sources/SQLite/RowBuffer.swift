/// Rows of one width, the values of all of them in one piece of memory.
///
/// So rows can be made on one thread and written on another, and nothing has to be copied or freed for each value.
package struct RowBuffer: Sendable {
  /// A value, or where its bytes lie.
  enum Cell: Sendable {
    case integer(Int64)
    case real(Double)
    case text(start: Int, count: Int)
    case blob(start: Int, count: Int)
    case null
  }

  package let width: Int
  private(set) var cells: [Cell] = []
  private(set) var bytes: [UInt8] = []

  package init(width: Int) { self.width = width }

  /// How many rows there are.
  package var count: Int { cells.count / width }

  /// Puts a row behind the others.
  package mutating func append(_ row: [SQLiteValue]) {
    precondition(row.count == width, "a row has a value for each column")
    for value in row { cells.append(cell(of: value)) }
  }

  private mutating func cell(of value: SQLiteValue) -> Cell {
    let start = bytes.count
    switch value {
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .null: return .null
    case .text(let text):
      bytes.append(contentsOf: text.utf8)
      return .text(start: start, count: bytes.count - start)
    case .blob(let blob):
      bytes.append(contentsOf: blob)
      return .blob(start: start, count: bytes.count - start)
    }
  }
}
