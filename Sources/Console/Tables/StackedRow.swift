/// A row on a terminal that is too narrow for columns: the title, wrapped between words, with the other cells on one
/// line below.
struct StackedRow {
  /// On terminals with fewer columns, the rows of to-dos are stacked.
  static let limit = 60
  private static let indent = 4
  private static let divider = " · "

  /// The cells before the title, with the widths of their columns.
  let front: [(cell: Cell, width: Int)]
  let title: Cell
  /// The cells after the title.
  let rest: [Cell]

  /// Returns the lines.
  ///
  /// A line is wider than the terminal only if its ids and marks alone are.
  func lines(fitting columns: Int, _ paint: Paint) -> [String] {
    let start = front.reduce(0) { $1.width > 0 ? $0 + $1.width + ColumnPlan.gap : $0 }
    let marks = front.filter { $0.width > 0 }.map { cell, width in
      paint.painted(cell.text, cell.style)
        + Self.spaces(width - TextWidth.columns(of: cell.text) + ColumnPlan.gap)
    }
    // A sub-task is indented, but leaves most of the line to its title.
    let inset = min(title.text.prefix { $0 == " " }.count, columns / 4)
    let titles = Self.wrapped(title.text, to: max(1, columns - start - inset))
    let margin = Self.spaces(start + inset)
    let first = titles.enumerated().map { place, line in
      (place == 0 ? marks.joined() + Self.spaces(inset) : margin)
        + paint.painted(line, title.style)
    }
    return first + restLines(Self.indent + inset, fitting: columns, paint)
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

  private func restLines(_ indent: Int, fitting columns: Int, _ paint: Paint) -> [String] {
    let room = max(1, columns - indent)
    var lines: [(text: String, width: Int)] = []
    for cell in fittedRest(room) {
      // Only cells that are never cut can be too wide together.
      let text = cell.isDate ? cell.text : cell.fitted(to: room)
      let (width, painted) = (TextWidth.columns(of: text), paint.painted(text, cell.style))
      if let last = lines.last, last.width + Self.divider.count + width <= room {
        lines[lines.count - 1] = (
          last.text + Self.divider + painted, last.width + Self.divider.count + width
        )
      } else {
        lines.append((painted, width))
      }
    }
    return lines.map { Self.spaces(indent) + $0.text }
  }

  /// Returns the cells of the line below the title: the dates in the longest form with which all cells fit, then the
  /// others.
  ///
  /// If they do not fit with short dates, the last aside is cut and then omitted, then the one before it, and so on.
  private func fittedRest(_ room: Int) -> [Cell] {
    let shown = rest.filter { !$0.text.isEmpty }
    let others = shown.filter { !$0.isDate }
    let left = others.reduce(room) { $0 - Self.divider.count - TextWidth.columns(of: $1.text) }
    var cells = shown.filter(\.isDate) + others
    for place in cells.indices where cells[place].isDate {
      cells[place].text = cells[place].fitted(to: left)
    }
    for place in cells.indices.reversed() where cells[place].giving == .aside {
      let excess = Self.width(of: cells) - room
      guard excess > 0 else { break }
      let width = TextWidth.columns(of: cells[place].text)
      let cut = max(min(width, ColumnPlan.leastAside), width - excess)
      cells[place].text = cells[place].fitted(to: cut)
      if Self.width(of: cells) > room { cells.remove(at: place) }
    }
    return cells
  }

  /// The width of cells on one line.
  private static func width(of cells: [Cell]) -> Int {
    cells.reduce(-divider.count) { $0 + divider.count + TextWidth.columns(of: $1.text) }
  }

  /// Wraps text to lines of at most the given number of columns, between words if they are short enough.
  private static func wrapped(_ text: String, to columns: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      var word = word
      let joined = lines[lines.count - 1].isEmpty ? "" : lines[lines.count - 1] + " "
      if TextWidth.columns(of: joined + word) <= columns {
        lines[lines.count - 1] = joined + word
        continue
      }
      if !joined.isEmpty { lines.append("") }
      while TextWidth.columns(of: String(word)) > columns {
        let fitting = TextWidth.start(of: word, within: columns)
        // A character of two columns does not fit on a terminal with one column.
        let part = fitting.isEmpty ? word.prefix(1) : fitting
        lines[lines.count - 1] = String(part)
        lines.append("")
        word = word[part.endIndex...]
      }
      lines[lines.count - 1] = String(word)
    }
    return lines
  }
}
