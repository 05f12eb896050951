/// A row on a terminal that is too narrow for columns: the title, wrapped between words, with the other cells on one
/// line below.
struct StackedRow {
  /// On terminals with fewer columns than this, rows that have a title are stacked.
  static let limit = 60
  private static let indent = 4
  private static let divider = " · "

  /// The cells before the title, with the widths of their columns.
  let front: [(cell: Cell, width: Int)]
  let title: Cell
  /// The cells after the title.
  let rest: [Cell]

  /// Returns the lines of the row.
  ///
  /// If the cells before the title take most of the terminal, the title is on lines of its own. A line is wider than
  /// the terminal only if its ids and marks alone are wider.
  func lines(fitting columns: Int, _ paint: Paint) -> [String] {
    let shown = fittedFront(columns)
    let start = Self.start(after: shown)
    let marks = shown.map { cell, width in
      let text = cell.fitted(to: width)
      return paint.painted(text, cell.style)
        + Self.spaces(width - TextWidth.columns(of: text) + ColumnPlan.gap)
    }
    // A sub-task is indented, but leaves most of the line to its title.
    let inset = min(title.text.prefix { $0 == " " }.count, columns / 4)
    let isApart = start > columns * 2 / 3
    let margin = (isApart ? Self.indent : start) + inset
    let titles = Self.wrapped(title.text, to: max(1, columns - margin)).map {
      paint.painted($0, title.style)
    }
    let rest = restLines(Self.indent + inset, fitting: columns, paint)
    guard isApart else {
      let below = titles.dropFirst().map { Self.spaces(margin) + $0 }
      return [marks.joined() + Self.spaces(inset) + titles[0]] + below + rest
    }
    var first = marks.joined()
    while first.last == " " { first.removeLast() }
    let below = title.text.isEmpty ? [] : titles.map { Self.spaces(margin) + $0 }
    return [first] + below + rest
  }

  /// Returns the cells before the title with their widths; the widest words are cut if the terminal is too narrow.
  private func fittedFront(_ columns: Int) -> [(cell: Cell, width: Int)] {
    var shown = front.filter { $0.width > 0 }
    while Self.start(after: shown) - ColumnPlan.gap > columns {
      let words = shown.indices.filter { shown[$0].cell.giving == .words && shown[$0].width > 1 }
      guard let widest = words.max(by: { shown[$0].width < shown[$1].width }) else { break }
      shown[widest].width -= 1
    }
    return shown
  }

  /// The column in which the title begins.
  private static func start(after front: [(cell: Cell, width: Int)]) -> Int {
    front.reduce(0) { $0 + $1.width + ColumnPlan.gap }
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
  /// If the cells do not fit with short dates, the last aside is cut and then omitted, then the one before it, and so
  /// on.
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
