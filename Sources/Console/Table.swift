/// Lays rows out in columns.
enum Table {
  private static let gap = 2
  private static let space: UInt8 = 0x20
  private static let lineEnd: UInt8 = 0x0A
  /// A cell that is wider stands out of its column, and does not push the rows of others.
  private static let most = 60
  /// Columns are not made narrower than this, however narrow the terminal is.
  private static let least = 12

  /// The rows as lines; the last column is never padded, and empty columns vanish.
  static func lines(_ rows: [[String]]) -> [String] {
    lines(rows.map { row in row.map { Cell($0) } })
  }

  /// The same, painted, and cut where a terminal is narrower.
  static func lines(
    _ rows: [[Cell]], fitting columns: Int? = nil, _ paint: Paint = Paint(false)
  ) -> [String] {
    var lines: [String] = []
    forEachLine(rows, fitting: columns, paint) { line in
      lines.append(String(decoding: line, as: UTF8.self))
      line.removeAll(keepingCapacity: true)
    }
    return lines
  }

  /// The same as one text, each line with its end.
  static func text(_ rows: [[Cell]], fitting columns: Int?, _ paint: Paint) -> String {
    var text: [UInt8] = []
    forEachLine(rows, fitting: columns, paint) { line in
      text.append(contentsOf: line)
      text.append(lineEnd)
      line.removeAll(keepingCapacity: true)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Gives the lines as bytes, which are put together quicker than letters, in room that whoever takes them clears.
  private static func forEachLine(
    _ rows: [[Cell]], fitting columns: Int?, _ paint: Paint, _ take: (inout [UInt8]) -> Void
  ) {
    // One row behind the other; an array for each would take longer than to measure them.
    var measures: [Int] = []
    for row in rows { for cell in row { measures.append(width(cell.text)) } }
    let widths = self.widths(rows, measures, fitting: columns)
    var line: [UInt8] = []
    var place = 0
    for row in rows {
      // Spaces are due only where something follows.
      var padding = 0
      for (column, cell) in row.enumerated() {
        let measure = measures[place]
        place += 1
        if widths[column] == 0 { continue }
        if measure == 0, !cell.style.isShaded {
          padding += widths[column] + gap
          continue
        }
        let isCut = columns != nil && measure > widths[column]
        var text = isCut ? self.cut(cell.text, to: widths[column]) : cell.text
        // A letter of two columns may have left one of them free.
        var missing = max(0, widths[column] - (isCut ? width(text) : measure))
        if !text.isEmpty {
          if paint.isTrue, cell.style.isShaded {
            text += String(repeating: " ", count: missing)
            missing = 0
          }
          line.append(contentsOf: repeatElement(space, count: padding))
          let painted = paint.isOn ? paint.painted(text, cell.style) : text
          line.append(contentsOf: painted.utf8)
          padding = 0
        }
        padding += missing + gap
      }
      while line.last == space { line.removeLast() }
      take(&line)
    }
  }

  /// How wide each column is: as its widest cell, but so that all of them fit.
  private static func widths(
    _ rows: [[Cell]], _ measures: [Int], fitting columns: Int?
  ) -> [Int] {
    var widths = [Int](repeating: 0, count: rows.reduce(0) { max($0, $1.count) })
    var place = 0
    for row in rows {
      for column in row.indices {
        let width = measures[place]
        place += 1
        widths[column] = max(widths[column], columns == nil ? min(width, most) : width)
      }
    }
    guard let columns else { return widths }
    var excess = widths.reduce(-gap) { $1 > 0 ? $0 + $1 + gap : $0 } - columns
    while excess > 0, let widest = widths.max(), widest > least,
      let column = widths.firstIndex(of: widest)
    {
      // The widest gives way first, as far as the next.
      let next = widths.filter { $0 < widest }.max() ?? 0
      let step = min(excess, max(1, widest - max(least, next)))
      widths[column] -= step
      excess -= step
    }
    return widths
  }

  /// The beginning of a text, with a sign that there is more.
  static func cut(_ text: String, to columns: Int) -> String {
    var kept = ""
    var width = 1
    for letter in text {
      width += letter.columns
      if width > columns { break }
      kept.append(letter)
    }
    return kept + "…"
  }

  /// How many columns of a terminal a text takes.
  static func width(_ text: String) -> Int {
    // To count bytes is quicker, where each is a letter, and then to count characters, where each stands for itself.
    if isPlain(text.utf8.span) { return text.utf8.count }
    var width = 0
    for scalar in text.unicodeScalars {
      guard let columns = scalar.columnsAlone else { return text.reduce(0) { $0 + $1.columns } }
      width += columns
    }
    return width
  }
}

extension Table {
  private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
    for place in bytes.indices where !(0x20..<0x80).contains(bytes[place]) { return false }
    return true
  }
}

extension Character {
  /// Two columns for letters of East Asia and pictures, one for others.
  fileprivate var columns: Int { unicodeScalars.contains { $0.isWide } ? 2 : 1 }
}

extension Unicode.Scalar {
  /// The columns of one that is a letter whatever stands beside it, unless that joins it; nil of others.
  fileprivate var columnsAlone: Int? {
    switch value {
    case 0x20..<0x7F, 0xC0...0x24F, 0x391...0x3C9, 0x410...0x44F: 1
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF: 2
    default: nil
    }
  }

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
