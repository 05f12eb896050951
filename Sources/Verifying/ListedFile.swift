import Bytes

/// A segment file and the events in its name, as parsed for verification.
struct ListedFile: Equatable {
  var name: String
  var first: UInt64
  /// The last event; nil for a tail.
  var last: UInt64?

  /// Parses `<first>-<last>.gz` or `<first>.gz`; nil for any other name.
  ///
  /// The numbers are at least 1, below 2^62 and in ascending order. Numbers have at least twelve digits, and no more
  /// leading zeros than this requires.
  init?(_ name: String) {
    guard name.hasSuffix(".gz") else { return nil }
    let parts = name.dropLast(3).split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap(Self.number)
    guard numbers.count == parts.count, numbers.count <= 2, let first = numbers.first, first > 0
    else { return nil }
    self.name = name
    self.first = first
    if numbers.count == 2 {
      guard numbers[1] >= first else { return nil }
      last = numbers[1]
    }
  }

  private static func number(_ digits: Substring) -> UInt64? {
    // A number has exactly twelve digits, or more digits without a leading zero.
    guard digits.utf8.count >= 12, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      digits.utf8.count == 12 || digits.utf8.first != 0x30
    else { return nil }
    return UInt64(digits).flatMap { $0 < 1 << 62 ? $0 : nil }
  }
}
