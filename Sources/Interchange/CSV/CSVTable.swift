/// Reads comma-separated values row by row, as RFC 4180 defines them and spreadsheets write them.
struct CSVTable {
  struct Row: Equatable {
    /// The line at which the row begins.
    var line: Int
    /// The cells up to the limit; others are skipped.
    var cells: [String] = []
    var isTooWide = false

    fileprivate var isEmpty: Bool { !isTooWide && cells.allSatisfy(\.isEmpty) }
  }

  /// The line on which an unclosed quotation begins, which is known only after the last row.
  private(set) var openQuote: Int?
  private var rest: Substring.UnicodeScalarView
  private let separator: Unicode.Scalar
  private let mostCells: Int
  private var line = 1

  static let separators: [Unicode.Scalar] = [",", ";", "\t"]

  /// Begins to read a table.
  ///
  /// - Parameters:
  ///   - text: The text, without a byte order mark.
  ///   - separator: The character between cells.
  ///   - mostCells: The maximum number of cells to read per row.
  init(_ text: String, separator: Unicode.Scalar, mostCells: Int) {
    (self.separator, self.mostCells) = (separator, mostCells)
    rest = text[...].unicodeScalars
  }

  /// Returns the next row that is not empty.
  mutating func next() -> Row? {
    while !rest.isEmpty {
      let row = takeRow()
      if !row.isEmpty { return row }
    }
    return nil
  }

  private mutating func takeRow() -> Row {
    var row = Row(line: line)
    while true {
      let (cell, isLast) = takeCell()
      if row.cells.count < mostCells { row.cells.append(cell) } else { row.isTooWide = true }
      if isLast { return row }
    }
  }

  /// Reads a cell and its separator or line break.
  private mutating func takeCell() -> (text: String, isLast: Bool) {
    var cell = String.UnicodeScalarView()
    var (isQuoted, wasQuoted, quoteLine) = (false, false, line)
    while let scalar = rest.popFirst() {
      if scalar == "\n" { line += 1 }
      switch scalar {
      case "\"" where isQuoted && rest.first == "\"": cell.append(rest.removeFirst())
      case "\"" where isQuoted: isQuoted = false
      case _ where isQuoted: cell.append(scalar)
      case "\"" where cell.isEmpty && !wasQuoted:
        (isQuoted, wasQuoted, quoteLine) = (true, true, line)
      case separator: return (String(cell), isLast: false)
      case "\r" where rest.first == "\n": continue
      case "\n", "\r": return (String(cell), isLast: true)
      default: cell.append(scalar)
      }
    }
    if isQuoted { openQuote = quoteLine }
    return (String(cell), isLast: true)
  }

  /// Returns the most frequent possible separator in the first line of the given text.
  static func separator(of text: String) -> Unicode.Scalar {
    var counts: [Unicode.Scalar: Int] = [:]
    var isQuoted = false
    for scalar in text.unicodeScalars {
      if scalar == "\"" { isQuoted.toggle() }
      if isQuoted { continue }
      if scalar == "\n" || scalar == "\r" { break }
      if separators.contains(scalar) { counts[scalar, default: 0] += 1 }
    }
    return separators.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? ","
  }
}
