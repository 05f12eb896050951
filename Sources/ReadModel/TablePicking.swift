internal import SQLite

/// What the b-trees of a table and of its indexes take in of each row.
struct TablePicking: Sendable {
  /// A ``TableIndex/Condition`` with the place of its column.
  enum Condition: Sendable {
    case none
    case has(Int)
    case holds(Int)
    case fails(Int)
  }

  /// What one b-tree takes in.
  struct Tree: Sendable {
    /// The name of the table or the index.
    let name: String
    /// The places of the columns, the derived ones behind the others.
    let columns: [Int]
    /// The columns it is sorted by; none where rows come in its order.
    let order: [Int]
    /// Which rows it takes in.
    let condition: Condition

    func takes(_ row: [SQLiteValue]) -> Bool {
      switch condition {
      case .none: true
      case .has(let column): row[column] != .null
      case .holds(let column): row[column] != .integer(0 as Int64)
      case .fails(let column): row[column] == .integer(0 as Int64)
      }
    }
  }

  private let derived: [(column: DerivedColumn, source: Int)]
  /// That of the table first.
  let trees: [Tree]

  init(of shape: TableShape) {
    let names = shape.columns + shape.derived.map(\.name)
    func place(_ name: String) -> Int {
      guard let place = names.firstIndex(of: name) else { preconditionFailure("it has the column") }
      return place
    }
    derived = shape.derived.map { ($0, place($0.source)) }
    let key = Array(0..<shape.keyWidth)
    let table = Tree(
      name: shape.name, columns: Array(shape.columns.indices),
      order: shape.comesInOrder ? [] : key, condition: .none)
    trees =
      [table]
      + shape.indexes.map { index in
        let named = index.columns.map(place)
        // An entry leads to its row by the key, of which it holds what is not among its columns anyway.
        let columns = named + key.filter { !named.contains($0) }
        return Tree(
          name: index.name, columns: columns, order: columns,
          condition: Self.condition(index.condition, place))
      }
  }

  private static func condition(
    _ condition: TableIndex.Condition?, _ place: (String) -> Int
  ) -> Condition {
    switch condition {
    case .has(let name)?: .has(place(name))
    case .holds(let name)?: .holds(place(name))
    case .fails(let name)?: .fails(place(name))
    case nil: .none
    }
  }

  /// Puts a row where each b-tree takes it from.
  func put(_ row: consuming [SQLiteValue], in runs: inout [RecordRun]) {
    for (column, source) in derived { row.append(column.value(of: row[source])) }
    let trees = trees.span
    for place in trees.indices where trees[place].takes(row) {
      runs[place].append(row, trees[place].columns, sortedBy: trees[place].order)
    }
  }
}
