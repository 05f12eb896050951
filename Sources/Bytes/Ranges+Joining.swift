extension [ClosedRange<UInt64>] {
  /// Sorts ranges and joins those that overlap or are adjacent.
  package init(joining ranges: [ClosedRange<UInt64>]) {
    self = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard let last, !range.isApart(from: last) else {
        append(range)
        continue
      }
      self[count - 1] = last.lowerBound...Swift.max(last.upperBound, range.upperBound)
    }
  }

  /// Returns the parts of these ranges that are outside the given ranges.
  package func without(_ others: [ClosedRange<UInt64>]) -> [ClosedRange<UInt64>] {
    others.reduce(self) { left, other in left.flatMap { $0.without(other) } }
  }

  /// Returns the parts of these ranges that are inside the given range.
  package func within(_ bounds: ClosedRange<UInt64>) -> [ClosedRange<UInt64>] {
    filter { $0.overlaps(bounds) }.map { $0.clamped(to: bounds) }
  }
}

extension ClosedRange<UInt64> {
  /// Returns the parts of this range that are outside the given range.
  fileprivate func without(_ other: ClosedRange<UInt64>) -> [ClosedRange<UInt64>] {
    guard overlaps(other) else { return [self] }
    var parts: [ClosedRange<UInt64>] = []
    if lowerBound < other.lowerBound { parts.append(lowerBound...other.lowerBound - 1) }
    if upperBound > other.upperBound { parts.append(other.upperBound + 1...upperBound) }
    return parts
  }

  /// Returns whether there are numbers between the end of the given range and the beginning of this range.
  fileprivate func isApart(from other: ClosedRange<UInt64>) -> Bool {
    lowerBound > other.upperBound && lowerBound - other.upperBound > 1
  }
}
