internal import Domain

/// The cells of a row of a table, by what their columns stand for.
struct CSVRow {
  struct Cell: Equatable {
    /// Where it stands in the row.
    let place: Int
    let header: String
    let text: String
  }

  private let cells: [CSVColumn: [Cell]]
  /// All that hold something, in their order.
  let all: [Cell]
  let layout: CSVLayout

  init(_ row: CSVTable.Row, _ layout: CSVLayout) {
    self.layout = layout
    var cells: [CSVColumn: [Cell]] = [:]
    var all: [Cell] = []
    for (place, (column, text)) in zip(layout.columns, row.cells).enumerated() {
      // What is marked is exact, also in its blanks.
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

  /// What stands for something; of several cells the one that counts first.
  subscript(column: CSVColumn) -> String? { cells[column]?[0].text }

  /// All cells that stand for something, those first that count first.
  func cells(_ column: CSVColumn) -> [Cell] { cells[column] ?? [] }

  /// What the row is about where each tells on its own; nil if nothing is in it.
  ///
  /// - Throws: ``ForeignFault`` where neither the kind nor the other cells tell.
  func kind() throws(ForeignFault) -> Kind? {
    if let word = self[.kind] {
      if let schema = Schema.schema(named: word.lowercased()), schema.kind != .pick {
        return schema.kind
      }
      // What has a title can be done, whatever its program calls it.
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
