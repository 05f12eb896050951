/// A mapping of 64-bit integers to 32 bits.
///
/// Integers from 0 to `Int32.max` map to themselves. All others, such as the numbers of tags, map to indices in a list.
struct CompactInteger<Wide: FixedWidthInteger & Sendable>: Sendable {
  private var list: [Wide] = []
  private var places: [Wide: UInt32] = [:]

  /// This number and the numbers above it refer to entries of the list.
  private static var limit: UInt32 { 1 << 31 }

  init() {}

  mutating func narrow(_ number: Wide) -> UInt32 {
    if number >= 0, number < Wide(Self.limit) { return UInt32(truncatingIfNeeded: number) }
    if let known = places[number] { return known }
    let place = Self.limit + UInt32(list.count)
    list.append(number)
    places[number] = place
    return place
  }

  func widened(_ number: UInt32) -> Wide {
    number < Self.limit ? Wide(number) : list[Int(number - Self.limit)]
  }
}
