import Platform

// Builds long tables in parts, on two threads if available.

extension Table {
  private static let rowsOfPart = 1_000

  /// Builds the parts of a table.
  ///
  /// - Parameters:
  ///   - count: The number of rows.
  ///   - beside: Runs a closure on another thread; nil if there is only one thread.
  ///   - part: Builds a table of the given rows, on any thread.
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
  /// Returns each part as text, with the column widths of the whole table.
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
