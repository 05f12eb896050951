// How a draw came to its choice, for those who check it.

extension Draw {
  /// Numbers below this are thrown again: those from it on are a whole multiple of the total.
  package var firstFairNumber: UInt64 { Self.firstFairNumber(total: total) }

  static func firstFairNumber(total: UInt64) -> UInt64 { (0 &- total) % total }

  /// The tickets that fall to each entry, in order; none to those without weight.
  ///
  /// - Throws: ``DrawError`` when the record contradicts itself.
  package func shares() throws(DrawError) -> [Range<UInt64>] {
    _ = try replay()
    var sum: UInt64 = 0
    return entries.map { entry in
      defer { sum += entry.weight }
      return sum..<(sum + entry.weight)
    }
  }

  /// How often each entry is drawn by a draw like this, on average: its part of the total.
  package var expectations: [Double] { entries.map { Double($0.weight) / Double(total) } }
}
