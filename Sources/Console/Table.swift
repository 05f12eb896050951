/// Rows laid out in columns.
///
/// Cells are kept as their bytes, one behind the other: an array for each row and a text for each cell take longer
/// to make and to let go of than all else that is done with them.
struct Table: Sendable {
  private static let gap = 2
  private static let space: UInt8 = 0x20
  private static let tab: UInt8 = 0x09
  private static let lineEnd: UInt8 = 0x0A
  /// A cell that is wider stands out of its column, and does not push the rows of others.
  private static let most = 60
  /// Columns are not made narrower than this, however narrow the terminal is.
  private static let least = 12

  /// Where a cell's bytes end, which begin where those of the one before end.
  private struct Place {
    let end: UInt32
    let width: UInt32
    let style: Style
  }

  private var bytes: [UInt8] = []
  private var places: [Place] = []
  private var rows: [Range<Int>] = []
  /// How wide the widest cell of each column is.
  private(set) var widest: [Int] = []

  init(_ rows: [[Cell]] = []) {
    for row in rows { append(row) }
  }

  mutating func append(_ row: [Cell]) {
    let first = places.count
    for (column, cell) in row.enumerated() {
      let width = cell.text.isEmpty ? 0 : Self.width(cell.text)
      if width > 0 { bytes.append(contentsOf: cell.text.utf8) }
      places.append(
        Place(end: UInt32(bytes.count), width: UInt32(width), style: cell.style))
      if column == widest.count { widest.append(0) }
      widest[column] = max(widest[column], width)
    }
    rows.append(first..<places.count)
  }

  /// The rows as lines; the last column is never padded, and empty columns vanish.
  static func lines(_ rows: [[String]]) -> [String] {
    lines(rows.map { row in row.map { Cell($0) } })
  }

  /// The same, cut where a terminal is narrower.
  static func lines(_ rows: [[Cell]], fitting columns: Int? = nil) -> [String] {
    let table = Table(rows)
    let widths = widths(table.widest, fitting: columns)
    return table.rows.map { row in
      var line: [UInt8] = []
      table.write(row, widths, isCut: columns != nil, Paint(false), to: &line)
      return String(decoding: line, as: UTF8.self)
    }
  }

  /// How rows become text.
  enum Layout: Sendable {
    /// A tab between cells.
    case tabbed
    /// Columns, painted, and cut where a terminal is narrower.
    case columns(fitting: Int?, Paint)
  }

  /// The rows as one text, each with its end, where the columns have to be as wide as some cells.
  func text(as layout: Layout, _ widest: [Int]) -> String {
    var text: [UInt8] = []
    switch layout {
    case .tabbed:
      for row in rows { writeTabbed(row, to: &text) }
    case .columns(let columns, let paint):
      let widths = Self.widths(widest, fitting: columns)
      text.reserveCapacity(rows.count * (widths.reduce(0) { $0 + $1 + Self.gap } + 1))
      for row in rows {
        write(row, widths, isCut: columns != nil, paint, to: &text)
        text.append(Self.lineEnd)
      }
    }
    // Made of whole texts, as they were given or cut; to look at a megabyte of them again takes a millisecond.
    return unsafe String(copying: UTF8Span(unchecked: text.span))
  }

  private func writeTabbed(_ row: Range<Int>, to text: inout [UInt8]) {
    for place in row {
      if place > row.lowerBound { text.append(Self.tab) }
      text.append(contentsOf: self.text(at: place))
    }
    text.append(Self.lineEnd)
  }

  /// The bytes of a cell, by its number among all.
  private func text(at number: Int) -> ArraySlice<UInt8> {
    let start = number == 0 ? 0 : Int(places[number - 1].end)
    return bytes[start..<Int(places[number].end)]
  }

  private func write(
    _ row: Range<Int>, _ widths: [Int], isCut: Bool, _ paint: Paint, to text: inout [UInt8]
  ) {
    let start = text.count
    // Spaces are due only where something follows.
    var padding = 0
    for (column, number) in row.enumerated() where widths[column] > 0 {
      let (place, cell) = (places[number], self.text(at: number))
      guard !cell.isEmpty else {
        padding += widths[column] + Self.gap
        continue
      }
      text.append(contentsOf: repeatElement(Self.space, count: padding))
      let mark = paint.mark(of: place.style)
      if let mark { text.append(contentsOf: mark.utf8) }
      var missing = widths[column] - Int(place.width)
      if isCut, missing < 0 {
        let cut = Self.cut(String(decoding: cell, as: UTF8.self), to: widths[column])
        text.append(contentsOf: cut.utf8)
        // A letter of two columns may have left one of them free.
        missing = widths[column] - Self.width(cut)
      } else {
        text.append(contentsOf: cell)
      }
      missing = max(0, missing)
      if mark != nil, place.style.isShaded {
        text.append(contentsOf: repeatElement(Self.space, count: missing))
        missing = 0
      }
      if mark != nil { text.append(contentsOf: Paint.end.utf8) }
      padding = missing + Self.gap
    }
    while text.count > start, text.last == Self.space { text.removeLast() }
  }

  /// How wide each column is: as its widest cell, but so that all of them fit.
  private static func widths(_ widest: [Int], fitting columns: Int?) -> [Int] {
    guard let columns else { return widest.map { min($0, most) } }
    var widths = widest
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
    // All of them, as the processor takes many at once where nothing ends the loop.
    var others = 0
    for place in bytes.indices { others += bytes[place] &- 0x20 < 0x60 ? 0 : 1 }
    return others == 0
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
