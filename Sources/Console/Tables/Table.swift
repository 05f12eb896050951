/// Rows laid out in columns.
///
/// The cells are stored as consecutive bytes, because allocating and freeing an array for each row, and a string for
/// each cell, would dominate the run time.
struct Table: Sendable {
  private static let space: UInt8 = 0x20
  private static let tab: UInt8 = 0x09
  private static let lineEnd: UInt8 = 0x0A

  /// The width and style of a cell, and the end of its bytes, which begin at the end of the previous cell.
  fileprivate struct Place {
    let end: UInt32
    let width: UInt32
    let style: Style
    /// The number of bytes that can be omitted before and after a date.
    let margins: (head: UInt8, tail: UInt8)?

    /// Returns the number of bytes to omit at the start and at the end; each takes one column.
    func left(out form: DateForm) -> (head: Int, tail: Int) {
      guard let margins, form != .whole else { return (0, 0) }
      return (form == .bare ? Int(margins.head) : 0, Int(margins.tail))
    }

    func width(in form: DateForm) -> Int {
      let left = left(out: form)
      return Int(width) - left.head - left.tail
    }
  }

  private var bytes: [UInt8] = []
  private var places: [Place] = []
  private var rows: [Range<Int>] = []
  /// The space that each column needs.
  private(set) var needs: [ColumnNeed] = []

  init(_ rows: [[Cell]] = []) {
    for row in rows { append(row) }
  }

  mutating func append(_ row: [Cell]) {
    let first = places.count
    for (column, cell) in row.enumerated() {
      let width = cell.text.isEmpty ? 0 : TextWidth.columns(of: cell.text)
      if width > 0 { bytes.append(contentsOf: cell.text.utf8) }
      let place = Place(
        end: UInt32(bytes.count), width: UInt32(width), style: cell.style,
        margins: cell.dateMargins)
      places.append(place)
      if column == needs.count { needs.append(ColumnNeed()) }
      needs[column].take(place, cell.giving)
    }
    rows.append(first..<places.count)
  }

  /// Returns the rows as lines; the last column is not padded, and empty columns are omitted.
  static func lines(_ rows: [[String]]) -> [String] {
    lines(rows.map { row in row.map { Cell($0) } })
  }

  /// Returns the rows as lines that fit a terminal.
  static func lines(_ rows: [[Cell]], fitting columns: Int? = nil) -> [String] {
    let table = Table(rows)
    let text = table.text(as: .columns(fitting: columns, Paint(false)), table.needs)
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// The format in which rows are written.
  enum Layout: Sendable {
    /// A tab between cells.
    case tabbed
    /// Columns with colours, fitted to a terminal.
    case columns(fitting: Int?, Paint)
  }

  /// Returns the rows as one string with line breaks; the columns have the given needs.
  func text(as layout: Layout, _ needs: [ColumnNeed]) -> String {
    var text: [UInt8] = []
    switch layout {
    case .tabbed:
      for row in rows { writeTabbed(row, to: &text) }
    case .columns(let columns, let paint):
      let plan = ColumnPlan(needs, fitting: columns)
      text.reserveCapacity(rows.count * (plan.widths.reduce(0) { $0 + $1 + ColumnPlan.gap } + 1))
      let title = needs.firstIndex { $0.giving == .title }
      for row in rows {
        if let columns, columns < StackedRow.limit, let title {
          let lines = stacked(row, title, needs).lines(fitting: columns, paint)
          text.append(contentsOf: lines.joined(separator: "\n").utf8)
        } else {
          write(row, plan, paint, to: &text)
        }
        text.append(Self.lineEnd)
      }
    }
    // The bytes are valid UTF-8, because all cells are valid strings, or cut between characters; validating a
    // megabyte again would take a millisecond.
    return unsafe String(copying: UTF8Span(unchecked: text.span))
  }

  private func writeTabbed(_ row: Range<Int>, to text: inout [UInt8]) {
    for place in row {
      if place > row.lowerBound { text.append(Self.tab) }
      text.append(contentsOf: self.text(at: place))
    }
    text.append(Self.lineEnd)
  }

  /// Returns the bytes of a cell, by its number in the table.
  private func text(at number: Int) -> ArraySlice<UInt8> {
    let start = number == 0 ? 0 : Int(places[number - 1].end)
    return bytes[start..<Int(places[number].end)]
  }

  private func stacked(_ row: Range<Int>, _ title: Int, _ needs: [ColumnNeed]) -> StackedRow {
    let cells = row.enumerated().map { column, number in
      Cell(
        String(decoding: text(at: number), as: UTF8.self), places[number].style,
        giving: needs[column].giving, dateMargins: places[number].margins)
    }
    let front = cells.prefix(title).enumerated().map { ($0.element, needs[$0.offset].whole) }
    return StackedRow(
      front: front, title: cells[title], rest: Array(cells.dropFirst(title + 1)))
  }

  private func write(
    _ row: Range<Int>, _ plan: ColumnPlan, _ paint: Paint, to text: inout [UInt8]
  ) {
    let start = text.count
    // Spaces are written only if text follows.
    var padding = 0
    for (column, number) in row.enumerated() where plan.widths[column] > 0 {
      let (place, cell) = (places[number], self.text(at: number))
      guard !cell.isEmpty else {
        padding += plan.widths[column] + ColumnPlan.gap
        continue
      }
      text.append(contentsOf: repeatElement(Self.space, count: padding))
      let mark = paint.mark(of: place.style)
      if let mark { text.append(contentsOf: mark.utf8) }
      let room = plan.columns == nil ? .max : room(column, row, plan)
      let width = write(cell, place, plan.form, within: room, to: &text)
      // The number is negative if a title extends over the empty cells after it, whose widths are added later.
      var missing = plan.widths[column] - width
      if plan.columns == nil { missing = max(0, missing) }
      if mark != nil, place.style.isShaded, missing > 0 {
        text.append(contentsOf: repeatElement(Self.space, count: missing))
        missing = 0
      }
      if mark != nil { text.append(contentsOf: Paint.end.utf8) }
      padding = missing + ColumnPlan.gap
    }
    while text.count > start, text.last == Self.space { text.removeLast() }
  }

  /// Writes as much of a cell as fits.
  ///
  /// - Returns: The width that was written; a character of two columns may leave one column free.
  private func write(
    _ cell: ArraySlice<UInt8>, _ place: Place, _ form: DateForm, within room: Int,
    to text: inout [UInt8]
  ) -> Int {
    let width = place.width(in: form)
    guard width > room else {
      let left = place.left(out: form)
      text.append(contentsOf: cell.dropFirst(left.head).dropLast(left.tail))
      return width
    }
    let cut = TextWidth.cut(String(decoding: cell, as: UTF8.self), to: room)
    text.append(contentsOf: cut.utf8)
    return TextWidth.columns(of: cut)
  }

  /// Returns the space for a cell: the width of its column, and for a title also the empty cells after it.
  private func room(_ column: Int, _ row: Range<Int>, _ plan: ColumnPlan) -> Int {
    guard plan.isTitle(column), let columns = plan.columns else { return plan.widths[column] }
    var room = plan.widths[column]
    for next in (column + 1)..<max(column + 1, row.count) where plan.widths[next] > 0 {
      guard places[row.lowerBound + next].width == 0 else { return room }
      room += ColumnPlan.gap + plan.widths[next]
    }
    // No cell follows, so the title may extend to the edge.
    return columns
      - plan.widths[..<column].reduce(0) { $1 > 0 ? $0 + $1 + ColumnPlan.gap : $0 }
  }
}

extension ColumnNeed {
  fileprivate mutating func take(_ place: Table.Place, _ giving: Giving) {
    if self.giving == .words { self.giving = giving }
    widen(to: place.width(in: .whole), place.width(in: .near), place.width(in: .bare))
  }
}
