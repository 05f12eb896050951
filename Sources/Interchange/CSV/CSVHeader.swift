internal import Domain

/// The header of a table, which may follow other rows, because some programs and many people write a title above it.
struct CSVHeader {
  let layout: CSVLayout
  let subject: CSVLayout.Subject
  let row: CSVTable.Row
  /// The number of rows above the header.
  let rowsBefore: Int
  /// The rows below the header.
  let table: CSVTable

  /// The column that contains the state of to-dos although its header does not say so.
  let stateColumn: Int?

  private static let mostRowsBefore = 10

  /// Finds the header of a table.
  ///
  /// - Parameters:
  ///   - text: The table.
  ///   - settings: The limits, and the user's settings for the table.
  /// - Returns: The header; nil if the table has no rows.
  /// - Throws: ``ForeignFault`` if no row can be a header, or the header has too many columns.
  static func find(
    in text: String, _ settings: ForeignSettings
  ) throws(ForeignFault) -> CSVHeader? {
    let usual = CSVTable.separator(of: text)
    var first: CSVHeader?
    var fault: ForeignFault?
    for separator in [usual] + CSVTable.separators.filter({ $0 != usual }) {
      var table = CSVTable(text, separator: separator, mostCells: settings.limits.properties)
      for place in 0..<mostRowsBefore {
        guard let row = table.next() else { break }
        // With the usual separator, the first row needs only one known column. All other rows need more, unless the
        // user specified the meanings of columns.
        let isFirst = place == 0 && separator == usual
        guard isFirst || looksLikeHeader(row.cells) || !settings.columnMeanings.isEmpty else {
          continue
        }
        do throws(ForeignFault) {
          let header = try CSVHeader(row, place, table, settings)
          guard isFirst, row.cells.count == 1 else { return header }
          first = header
        } catch {
          if fault == nil || isFirst { fault = error }
        }
      }
    }
    if let first { return first }
    if let fault { throw fault }
    return nil
  }

  private init(
    _ row: CSVTable.Row, _ place: Int, _ table: CSVTable, _ settings: ForeignSettings
  ) throws(ForeignFault) {
    guard !row.isTooWide else {
      throw .tooManyParts("columns", limit: settings.limits.properties)
    }
    var layout = try CSVLayout(row.cells, settings)
    if layout.has(.kind), !Self.isOurs(.kind, layout, table) { layout.forget { $0 == .kind } }
    guard let subject = layout.subject else {
      throw .noTitleColumn(has: CSVLayout.brief(layout.columns.map(\.name)))
    }
    if case .all(let kind) = subject { layout.adapt(to: kind) }
    stateColumn = Self.unnamedState(layout, table)
    if let stateColumn { layout.take(.done, at: stateColumn) }
    (self.layout, self.subject, self.row) = (layout, subject, row)
    (rowsBefore, self.table) = (place, table)
  }

  /// Returns whether a kind column contains the kinds of a book; many programs write other content under such a header.
  private static func isOurs(
    _ meaning: CSVColumn, _ layout: CSVLayout, _ table: CSVTable
  ) -> Bool {
    guard let place = layout.columns.firstIndex(where: { $0.meaning == meaning }) else {
      return false
    }
    // If daybook wrote the table or the user named the column, its cells need not confirm its meaning.
    if layout.isOwn || layout.columns[place].rank < 0 { return true }
    let needsAll = CSVColumn.plain(layout.columns[place].name) != "kind"
    var (table, isKnown) = (table, false)
    while let row = table.next() {
      guard row.cells.indices.contains(place), !row.cells[place].trimmed.isEmpty else { continue }
      let word = row.cells[place].trimmed.lowercased()
      if Schema.schema(named: word) != nil {
        isKnown = true
        if !needsAll { return true }
      } else if needsAll {
        return false
      }
    }
    return isKnown
  }

  /// Returns the only column that contains nothing but *Yes* and *No*, if the table's program writes such a column and
  /// no other column contains the state.
  private static func unnamedState(_ layout: CSVLayout, _ table: CSVTable) -> Int? {
    guard layout.program?.hasUnnamedState ?? false,
      !layout.has(anyOf: .done, .status, .percent, .completedAt)
    else { return nil }
    var places = Set(layout.columns.indices.filter { layout.columns[$0].isText })
    var told: Set<Int> = []
    var table = table
    while !places.isEmpty, let row = table.next() {
      for place in places where row.cells.indices.contains(place) {
        switch row.cells[place] {
        case "": continue
        case "Yes", "No": told.insert(place)
        default: places.remove(place)
        }
      }
    }
    let found = places.intersection(told)
    return found.count == 1 ? found.first : nil
  }

  /// Returns whether one of the first rows of the given text looks like a header with known columns.
  static func isIn(_ text: String) -> Bool {
    let separators = CSVTable.separators
    return separators.contains { separator in
      var table = CSVTable(text, separator: separator, mostCells: 1000)
      for _ in 0..<mostRowsBefore {
        guard let row = table.next() else { return false }
        if looksLikeHeader(row.cells) { return true }
      }
      return false
    }
  }

  private static func looksLikeHeader(_ cells: [String]) -> Bool {
    if CSVProgram(header: cells) != nil { return true }
    return cells.count { CSVColumn(header: $0) != nil } > 1
  }
}
