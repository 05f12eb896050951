/// Lays rows out in columns.
enum Table {
  private static let gap = "  "

  /// The rows as lines; the last column is never padded, and empty columns vanish.
  static func lines(_ rows: [[String]]) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() where widths[column] > 0 {
        if !line.isEmpty || column > 0 && widths[..<column].contains(where: { $0 > 0 }) {
          line += gap
        }
        line += cell + String(repeating: " ", count: widths[column] - cell.count)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
