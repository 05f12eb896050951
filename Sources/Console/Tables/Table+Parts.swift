import Platform

// A long table is made in parts, on two threads where there are two.

extension Table {
  private static let rowsOfPart = 1_000

  /// Makes the parts of a table of so many rows.
  ///
  /// - Parameters:
  ///   - count: How many rows there are.
  ///   - beside: Runs something on another thread; nil where there is but one.
  ///   - part: Makes a table of some of them, on whatever thread.
  /// - Returns: The parts, in the order of the rows.
  static func parts(
    _ count: Int, beside: Machine.Beside?, part: @escaping @Sendable (Range<Int>) -> Table
  ) -> [Table] {
    let starts = Array(stride(from: 0, to: count, by: rowsOfPart))
    let parts = ParallelPrefetcher(starts.count, lead: starts.count, beside: beside) { number in
      part(starts[number]..<min(starts[number] + rowsOfPart, count))
    }
    return starts.indices.map(parts.part)
  }
}

extension [Table] {
  /// The texts of a table's parts, with the columns of one laid out as those of all.
  func texts(as layout: Table.Layout, beside: Machine.Beside?) -> [String] {
    let needs = reduce(into: [ColumnNeed]()) { needs, part in
      for (column, need) in part.needs.enumerated() {
        if column == needs.count { needs.append(need) } else { needs[column].join(need) }
      }
    }
    let texts = ParallelPrefetcher(count, lead: count, beside: beside) {
      self[$0].text(as: layout, needs)
    }
    return indices.map(texts.part)
  }
}
