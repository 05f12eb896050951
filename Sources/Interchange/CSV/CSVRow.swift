internal import Domain

/// The cells of a row, by the meanings of their columns.
struct CSVRow {
  struct Cell: Equatable {
    /// The position of the cell in the row.
    let place: Int
    let header: String
    let text: String
  }

  private let cells: [CSVColumn: [Cell]]
  /// All cells with content, in their order.
  let all: [Cell]
  let layout: CSVLayout

  init(_ row: CSVTable.Row, _ layout: CSVLayout) {
    self.layout = layout
    var cells: [CSVColumn: [Cell]] = [:]
    var all: [Cell] = []
    for (place, (column, text)) in zip(layout.columns, row.cells).enumerated() {
      // The text of a marked cell is exact, including its spaces.
      let text = FormulaGuard.unmarked(text) ?? text.trimmed
      guard !text.isEmpty, text != layout.program?.emptyWord, column.isKept || column.meaning != nil
      else { continue }
      let cell = Cell(place: place, header: column.name, text: text)
      all.append(cell)
      if let meaning = column.meaning { cells[meaning, default: []].append(cell) }
    }
    for (meaning, found) in cells where found.count > 1 {
      cells[meaning] = found.sorted { first, second in
        let ranks = (layout.columns[first.place].rank, layout.columns[second.place].rank)
        return (ranks.0, first.place) < (ranks.1, second.place)
      }
    }
    (self.cells, self.all) = (cells, all)
  }

  /// Returns the text of the cell with the given meaning; if there are several, the text of the first in order of
  /// precedence.
  subscript(column: CSVColumn) -> String? { cells[column]?[0].text }

  /// Returns all cells with a meaning, in order of precedence.
  func cells(_ column: CSVColumn) -> [Cell] { cells[column] ?? [] }

  /// Returns the kind of record in a row of a mixed table; nil if the row is empty.
  ///
  /// - Returns: The kind.
  /// - Throws: ``ForeignFault`` if neither the kind column nor the other cells show it.
  func kind() throws(ForeignFault) -> Kind? {
    if let word = self[.kind] {
      if let schema = Schema.schema(named: word.lowercased()), schema.kind != .pick {
        return schema.kind
      }
      // A row with a title is a to-do, even if the program that wrote it has another name for this kind of record.
      guard self[.title] != nil, self[.question] == nil, word.lowercased() != "pick" else {
        throw .unreadable(field: CSVColumn.kind.rawValue, word)
      }
      return .todo
    }
    if self[.choice] != nil, self[.question] != nil { return .choice }
    if self[.question] != nil { return .question }
    if self[.title] != nil { return .todo }
    if self[.birthday] != nil || self[.firstName] != nil || self[.lastName] != nil {
      return .birthday
    }
    if self[.name] != nil {
      return layout.has(anyOf: .done, .status, .due, .priority) ? .todo : .birthday
    }
    if self[.list] != nil { return .list }
    if all.isEmpty { return nil }
    throw .missing("a name or title")
  }
}
