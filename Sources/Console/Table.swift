/// Lays rows out in columns.
enum Table {
  private static let gap = 2
  private static let space: UInt8 = 0x20
  /// A cell that is wider stands out of its column, and does not push the rows of others.
  private static let most = 60

  /// The rows as lines; the last column is never padded, and empty columns vanish.
  static func lines(_ rows: [[String]]) -> [String] {
    let measures = rows.map { $0.map(width) }
    var widths = [Int](repeating: 0, count: rows.map(\.count).max() ?? 0)
    for measure in measures {
      for (column, width) in measure.enumerated() {
        widths[column] = max(widths[column], min(width, most))
      }
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
        padding += max(0, widths[column] - measure[column]) + gap
      }
      while line.last == space { line.removeLast() }
      return String(decoding: line, as: UTF8.self)
    }
  }

  /// How many columns of a terminal a cell takes; counting bytes is quicker, where each is one.
  private static func width(_ cell: String) -> Int {
    if cell.utf8.allSatisfy({ (0x20..<0x80).contains($0) }) { return cell.utf8.count }
    return cell.reduce(0) { $0 + $1.columns }
  }
}

extension Character {
  /// Two columns for letters of East Asia and pictures, one for others.
  fileprivate var columns: Int { unicodeScalars.contains { $0.isWide } ? 2 : 1 }
}

extension Unicode.Scalar {
  /// Whether a terminal shows it in two columns, as far as whole blocks of letters tell.
  fileprivate var isWide: Bool {
    switch value {
    case ..<0x1100: false
    // What makes a picture of the letter before it.
    case 0xFE0F: true
    // Hangul; scripts from CJK to Yi; Hangul; compatibility forms; full width; kana, pictures, further CJK.
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF,
      0x20000...0x3FFFD:
      true
    default: properties.isEmojiPresentation
    }
  }
}
