internal import SQLite

/// The columns of a row that each b-tree of a table and of its indexes stores.
struct TablePicking: Sendable {
  /// A ``TableIndex/Condition`` with a column index in place of the name.
  enum Condition: Sendable {
    case none
    case has(Int)
    case holds(Int)
    case fails(Int)
  }

  /// The contents of one b-tree.
  struct Tree: Sendable {
    /// The columns that the b-tree stores, as a range of ``stretches``.
    fileprivate let columns: Range<Int>
    /// The columns that the b-tree is sorted by, as a range of ``stretches``; empty if the rows arrive in this order.
    fileprivate let order: Range<Int>
    /// The condition that the rows of the b-tree meet.
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

  /// A derived column.
  private struct Derived {
    let rule: DerivedColumn.Rule
    /// The index of the column that the value is computed from.
    let source: Int
    /// The index of the column to use instead if ``source`` is NULL; nil if there is none.
    let otherSource: Int?
  }

  private let derived: [Derived]
  /// For each column, whether any b-tree is sorted by it.
  private let isSortedBy: [Bool]
  /// The column indices of all b-trees, with consecutive indices combined into ranges.
  ///
  /// Derived columns have the indices after the stored columns.
  private let stretches: [Range<Int>]
  /// The b-trees; the b-tree of the table comes first.
  let trees: [Tree]
  /// The names of the b-trees, in the order of `trees`.
  let names: [String]

  init(of shape: TableShape) {
    let columns = shape.columns + shape.derived.map(\.name)
    func place(_ name: String) -> Int {
      guard let place = columns.firstIndex(of: name) else {
        preconditionFailure("it has the column")
      }
      return place
    }
    derived = shape.derived.map { column in
      Derived(
        rule: column.rule, source: place(column.source), otherSource: column.otherSource.map(place))
    }
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
      // An index entry refers to its row by the key. Key columns that the index already contains are not stored twice.
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

  /// Appends a row to the run of each b-tree that contains it.
  ///
  /// - Parameters:
  ///   - row: The values of the stored columns.
  ///   - runs: The runs of the b-trees, in the order of `trees`.
  ///   - room: A buffer that is reused for each row.
  func put(
    _ row: consuming [SQLiteValue], in runs: inout [RecordRun], _ room: inout PackedRow
  ) {
    let derived = derived.span
    let isSortedBy = isSortedBy.span
    for place in derived.indices {
      var source = derived[place].source
      if let other = derived[place].otherSource, row[source].isNull { source = other }
      row.append(derived[place].rule.value(of: row[source]))
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
  // This is faster than `==`, which has to examine the cases of both sides.
  fileprivate var isNull: Bool { if case .null = self { true } else { false } }
  fileprivate var isZero: Bool { if case .integer(0) = self { true } else { false } }
}

extension [Int] {
  /// The numbers as ranges, with consecutive ascending numbers combined.
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
