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
    /// Its columns, by their places in ``stretches``.
    fileprivate let columns: Range<Int>
    /// The columns it is sorted by, in the same way; none where rows come in its order.
    fileprivate let order: Range<Int>
    /// Which rows it takes in.
    fileprivate let condition: Condition

    var isSorted: Bool { !order.isEmpty }

    fileprivate func takes(_ row: Span<SQLiteValue>) -> Bool {
      switch condition {
      case .none: true
      case .has(let column): !row[column].isNull
      case .holds(let column): !row[column].isZero
      case .fails(let column): row[column].isZero
      }
    }
  }

  /// A column that SQLite would work out itself.
  private struct Derived {
    let rule: DerivedColumn.Rule
    /// The place of the column it is worked out of.
    let source: Int
  }

  private let derived: [Derived]
  /// Whether some b-tree is sorted by a column.
  private let isSortedBy: [Bool]
  /// The places of the columns of all b-trees, the derived ones behind the others; those that stand beside each other
  /// together.
  private let stretches: [Range<Int>]
  /// That of the table first.
  let trees: [Tree]
  /// The names of the table and its indexes.
  let names: [String]

  init(of shape: TableShape) {
    let columns = shape.columns + shape.derived.map(\.name)
    func place(_ name: String) -> Int {
      guard let place = columns.firstIndex(of: name) else {
        preconditionFailure("it has the column")
      }
      return place
    }
    derived = shape.derived.map { Derived(rule: $0.rule, source: place($0.source)) }
    names = [shape.name] + shape.indexes.map(\.name)
    var stretches: [Range<Int>] = []
    func noting(_ ranges: [Range<Int>]) -> Range<Int> {
      stretches += ranges
      return stretches.count - ranges.count..<stretches.count
    }
    let key = Array(0..<shape.keyWidth)
    var trees = [
      Tree(
        columns: noting([shape.columns.indices]),
        order: noting(shape.comesInOrder ? [] : key.ranges),
        condition: .none)
    ]
    for index in shape.indexes {
      let named = index.columns.map(place)
      // An entry leads to its row by the key, of which it holds what is not among its columns anyway.
      let columns = noting((named + key.filter { !named.contains($0) }).ranges)
      trees.append(
        Tree(columns: columns, order: columns, condition: Self.condition(index.condition, place)))
    }
    isSortedBy = columns.indices.map { column in
      trees.contains { stretches[$0.order].contains { $0.contains(column) } }
    }
    (self.stretches, self.trees) = (stretches, trees)
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
    let derived = derived.span
    let isSortedBy = isSortedBy.span
    for place in derived.indices {
      row.append(derived[place].rule.value(of: row[derived[place].source]))
    }
    room.removeAll()
    let values = row.span
    for column in values.indices {
      room.append(values[column], isSortedBy: isSortedBy[column])
    }
    let trees = trees.span
    let stretches = stretches.span
    for place in trees.indices where trees[place].takes(values) {
      runs[place].append(
        room, stretches.extracting(trees[place].columns),
        sortedBy: stretches.extracting(trees[place].order))
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
