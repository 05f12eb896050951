/// Lays rows out in columns.
enum Table {
  private static let gap = 2

  /// The rows as lines; the last column is never padded, and empty columns vanish.
  static func lines(_ rows: [[String]]) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    var widths = [Int](repeating: 0, count: columns)
    for row in rows {
      for (column, cell) in row.enumerated() { widths[column] = max(widths[column], width(cell)) }
    }
    return rows.map { row in
      var line = ""
      // Spaces are due only where something follows.
      var padding = 0
      for (column, cell) in row.enumerated() where widths[column] > 0 {
        if !cell.isEmpty {
          line += String(repeating: " ", count: padding) + cell
          padding = 0
        }
        padding += widths[column] - width(cell) + gap
      }
      while line.utf8.last == 0x20 { line.removeLast() }
      return line
    }
  }

  /// How many letters a cell has; counting bytes is quicker, where each is one.
  private static func width(_ cell: String) -> Int {
    cell.utf8.allSatisfy { (0x20..<0x80).contains($0) } ? cell.utf8.count : cell.count
  }
}
