/// Determines the order of day and month in a table from the dates that can be read in only one way.
struct CSVDateOrder {
  /// The order; nil if no date decides it, or if dates contradict each other.
  private(set) var order: ForeignSettings.DateOrder?
  /// The only cell that decides how other dates of the table are read; nil if there are several, or if no other date
  /// depends on it.
  private(set) var remark: ForeignFile.Remark?

  private static let dates: Set<CSVColumn> = [
    .birthday, .due, .start, .completedAt, .createdAt, .until, .firstDue, .slot,
  ]

  init(_ header: CSVHeader) {
    let columns = header.layout.columns
    let places = columns.indices.filter {
      columns[$0].meaning.map(Self.dates.contains) ?? false
    }
    guard !places.isEmpty else { return }
    var deciding: [ForeignSettings.DateOrder: Int] = [:]
    var first: (line: Int, column: String, text: String)?
    var hasOpen = false
    var table = header.table
    while let row = table.next() {
      for place in places where row.cells.indices.contains(place) {
        let text = ForeignMoment.day(in: row.cells[place]) ?? row.cells[place]
        if let order = ForeignDate.order(of: text) {
          deciding[order, default: 0] += 1
          if first == nil { first = (row.line, columns[place].name, text) }
        } else if ForeignDate.needsOrder(text) {
          hasOpen = true
        }
      }
    }
    guard deciding.count == 1, let (order, count) = deciding.first else { return }
    self.order = order
    guard count == 1, hasOpen, let first else { return }
    remark = ForeignFile.Remark(
      place: .line(first.line),
      note: .decidesOrder(field: first.column, first.text, isDayFirst: order == .dayFirst))
  }
}
