/// Lays rows out in columns.
enum Table {
  private static let gap = 2
  private static let space: UInt8 = 0x20

  /// The rows as lines; the last column is never padded, and empty columns vanish.
  static func lines(_ rows: [[String]]) -> [String] {
    let measures = rows.map { $0.map(width) }
    var widths = [Int](repeating: 0, count: rows.map(\.count).max() ?? 0)
    for measure in measures {
      for (column, width) in measure.enumerated() { widths[column] = max(widths[column], width) }
    }
    return zip(rows, measures).map { row, measure in
      // As bytes, which are put together quicker than letters.
      var line: [UInt8] = []
      // Spaces are due only where something follows.
      var padding = 0
      for (column, cell) in row.enumerated() where widths[column] > 0 {
        if !cell.isEmpty {
          line.append(contentsOf: repeatElement(space, count: padding))
          line.append(contentsOf: cell.utf8)
          padding = 0
        }
        padding += widths[column] - measure[column] + gap
      }
      while line.last == space { line.removeLast() }
      return String(decoding: line, as: UTF8.self)
    }
  }

  /// How many letters a cell has; counting bytes is quicker, where each is one.
  private static func width(_ cell: String) -> Int {
    cell.utf8.allSatisfy { (0x20..<0x80).contains($0) } ? cell.utf8.count : cell.count
  }
}
