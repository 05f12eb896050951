package import Bytes
package import ReadModel

/// To-dos in the order that a user has chosen: first those with positions, and then those that have never been moved.
package struct Arrangement {
  package struct Row: Equatable {
    package let id: UniqueID
    package let position: Int64?

    package init(id: UniqueID, position: Int64?) { (self.id, self.position) = (id, position) }
  }

  /// The preferred distance between positions.
  ///
  /// Each row that is moved between two neighbours halves the distance, so 32 successive moves fit between two
  /// positions.
  private static let step: Int64 = 1 << 32

  package let rows: [Row]

  package init(_ rows: [Row]) { self.rows = rows }

  /// Returns the positions to write so that the moved rows follow the first `index` of the other rows.
  ///
  /// If there are free positions, rows keep their positions unless they are moved.
  package func moving(_ moved: [Row], to index: Int) -> [(id: UniqueID, position: Int64)] {
    let others = rows.filter { row in !moved.contains { $0.id == row.id } }
    let earlier = others[..<index]
    // A row without a position sorts after all rows with a position, so the rows before it also need positions.
    let placed = earlier.prefix { $0.position != nil }
    let newly = earlier.dropFirst(placed.count) + moved
    let low = placed.last?.position
    let high = others[index...].first?.position
    if let positions = Self.positions(newly.count, between: low, and: high) {
      return zip(newly, positions).map { ($0.id, $1) }
    }
    // No position is free, so all rows receive new positions.
    let all = earlier + moved + others[index...]
    return all.enumerated().map { ($1.id, Int64($0 + 1) * Self.step) }
  }

  /// Returns positions in ascending order between two positions, either of which may be missing; nil if there are too
  /// few.
  private static func positions(
    _ count: Int, between low: Int64?, and high: Int64?
  ) -> [Int64]? {
    let number = Int64(count)
    let room = Int64.max / 4
    guard low.map({ abs($0.clamped) < room }) ?? true, high.map({ abs($0.clamped) < room }) ?? true,
      number < room / step
    else { return nil }
    switch (low, high) {
    case (nil, nil): return (1...number).map { $0 * step }
    case (let low?, nil): return (1...number).map { low + $0 * step }
    case (nil, let high?): return (1...number).map { high - (number + 1 - $0) * step }
    case (let low?, let high?):
      let gap = (high - low) / (number + 1)
      return gap > 0 ? (1...number).map { low + $0 * gap } : nil
    }
  }
}

extension Int64 {
  /// The number, or the nearest number whose magnitude fits in an Int64.
  fileprivate var clamped: Int64 { self == .min ? .min + 1 : self }
}

extension Arrangement.Row {
  package init(_ row: TodoRow) { self.init(id: row.head.id, position: row.position) }
}
