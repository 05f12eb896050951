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
    /// The places of the columns, the derived ones behind the others; those that stand beside each other together.
    let columns: [Range<Int>]
    /// The columns it is sorted by; none where rows come in its order.
    let order: [Range<Int>]
    /// Which rows it takes in.
    let condition: Condition

    func takes(_ row: [SQLiteValue]) -> Bool {
      switch condition {
      case .none: true
      case .has(let column): !row[column].isNull
      case .holds(let column): !row[column].isZero
      case .fails(let column): row[column].isZero
      }
    }
  }

  private let derived: [(column: DerivedColumn, source: Int)]
  /// Whether some b-tree is sorted by a column.
  private let isSortedBy: [Bool]
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
      name: shape.name, columns: [shape.columns.indices],
      order: shape.comesInOrder ? [] : key.ranges, condition: .none)
    let trees =
      [table]
      + shape.indexes.map { index in
        let named = index.columns.map(place)
        // An entry leads to its row by the key, of which it holds what is not among its columns anyway.
        let columns = (named + key.filter { !named.contains($0) }).ranges
        return Tree(
          name: index.name, columns: columns, order: columns,
          condition: Self.condition(index.condition, place))
      }
    self.trees = trees
    isSortedBy = names.indices.map { column in
      trees.contains { $0.order.contains { $0.contains(column) } }
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
  ///
  /// - Parameters:
  ///   - row: The values of the columns that are written.
  ///   - runs: Those of the b-trees, in their order.
  ///   - room: Room for the row, used for one after the other.
  func put(
    _ row: consuming [SQLiteValue], in runs: inout [RecordRun], _ room: inout PackedRow
  ) {
    for (column, source) in derived { row.append(column.value(of: row[source])) }
    room.removeAll()
    let (values, isSortedBy, trees) = (row.span, isSortedBy.span, trees.span)
    for column in values.indices {
      room.append(values[column], isSortedBy: isSortedBy[column])
    }
    for place in trees.indices where trees[place].takes(row) {
      runs[place].append(room, trees[place].columns, sortedBy: trees[place].order)
    }
  }
}

extension SQLiteValue {
  // Quicker than a comparison, which has to ask what both are.
  fileprivate var isNull: Bool { if case .null = self { true } else { false } }
  fileprivate var isZero: Bool { if case .integer(0) = self { true } else { false } }
}

extension [Int] {
  /// The same numbers, of which those are one range that count up.
  fileprivate var ranges: [Range<Int>] {
    reduce(into: []) { ranges, number in
      if let last = ranges.last, last.upperBound == number {
        ranges[ranges.count - 1] = last.lowerBound..<number + 1
      } else {
        ranges.append(number..<number + 1)
      }
    }
  }
}
