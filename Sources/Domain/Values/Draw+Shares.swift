// The data with which a user can check a draw.

extension Draw {
  /// The smallest number that is not drawn again.
  ///
  /// The count of numbers from this number to the largest is a multiple of the total.
  package var firstFairNumber: UInt64 { Self.firstFairNumber(total: total) }

  static func firstFairNumber(total: UInt64) -> UInt64 { (0 &- total) % total }

  /// For each entry, in order, the range of tickets that selects it; empty for an entry of weight 0.
  ///
  /// - Throws: ``DrawError`` if the record contradicts itself.
  package func shares() throws(DrawError) -> [Range<UInt64>] {
    _ = try replay()
    var sum: UInt64 = 0
    return entries.map { entry in
      defer { sum += entry.weight }
      return sum..<(sum + entry.weight)
    }
  }

  /// The probability of each entry: its share of the total.
  package var expectations: [Double] { entries.map { Double($0.weight) / Double(total) } }
}
