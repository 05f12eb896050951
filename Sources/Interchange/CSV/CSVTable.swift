/// A table of comma-separated values, as RFC 4180 has it and as spreadsheets write it.
struct CSVTable {
  struct Row: Equatable {
    /// The line it begins at.
    var line: Int
    var cells: [String]
  }

  private(set) var rows: [Row] = []
  /// The line at which a quotation begins that never ends.
  private(set) var openQuote: Int?

  static let separators: [Unicode.Scalar] = [",", ";", "\t"]

  /// Takes a text apart; rows without anything in them are left out.
  ///
  /// - Parameters:
  ///   - text: The text, without a byte order mark.
  ///   - separator: What stands between cells.
  init(_ text: String, separator: Unicode.Scalar) {
    var line = 1
    var row = Row(line: 1, cells: [])
    var cell = String.UnicodeScalarView()
    var (isQuoted, wasQuoted, quoteLine) = (false, false, 1)
    func endCell() {
      row.cells.append(String(cell))
      (cell, wasQuoted) = (String.UnicodeScalarView(), false)
    }
    func endRow() {
      endCell()
      if row.cells.contains(where: { !$0.isEmpty }) { rows.append(row) }
      row = Row(line: line, cells: [])
    }
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      if scalar == "\n" { line += 1 }
      switch scalar {
      case "\"" where isQuoted && scalars.first == "\"": cell.append(scalars.removeFirst())
      case "\"" where isQuoted: isQuoted = false
      case _ where isQuoted: cell.append(scalar)
      case "\"" where cell.isEmpty && !wasQuoted:
        (isQuoted, wasQuoted, quoteLine) = (true, true, line)
      case separator: endCell()
      case "\r" where scalars.first == "\n": continue
      case "\n", "\r": endRow()
      default: cell.append(scalar)
      }
    }
    if isQuoted { openQuote = quoteLine }
    if !cell.isEmpty || !row.cells.isEmpty || wasQuoted { endRow() }
  }

  /// What stands between the cells of a text: of those that could, the one most often in its first line.
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

  /// Whether a first line names columns that mean something here.
  static func looksLikeHeader(_ line: String) -> Bool {
    let table = CSVTable(line, separator: separator(of: line))
    guard let cells = table.rows.first?.cells, cells.count > 1 else { return false }
    return cells.count { CSVColumn(header: $0) != nil } > 1
  }
}
