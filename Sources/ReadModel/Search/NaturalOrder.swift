/// Sort keys that order the numbers in titles by value, so that `chapter 2` comes before `chapter 10`.
enum NaturalOrder {
  private static let (zero, nine) = (UInt8(ascii: "0"), UInt8(ascii: "9"))

  /// The key by which a folded title is sorted; nil if that is the title itself.
  ///
  /// In the key, a run of digits has no leading zeros, and is preceded by its length. Keys are compared byte by byte,
  /// so a longer number is larger than a shorter one, and numbers of the same length are ordered by their digits.
  static func key(of folded: String) -> String? {
    guard folded.utf8.contains(where: isDigit) else { return nil }
    var key: [UInt8] = []
    key.reserveCapacity(folded.utf8.count + 4)
    var rest = Array(folded.utf8)[...]
    while let byte = rest.first {
      guard isDigit(byte) else {
        key.append(byte)
        rest.removeFirst()
        continue
      }
      let digits = rest.prefix(while: isDigit)
      rest = rest.dropFirst(digits.count)
      let number = digits.drop { $0 == zero }
      key += length(number.count) + number
    }
    return String(decoding: key, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (zero...nine).contains(byte) }

  /// The length of a number, written in digits so that it sorts where numbers do and no length is a prefix of another.
  ///
  /// Each nine adds nine to the last digit, which is at most eight: 8 is `8`, 9 is `90`, 17 is `98`, 18 is `990`.
  private static func length(_ count: Int) -> [UInt8] {
    [UInt8](repeating: nine, count: count / 9) + [zero + UInt8(count % 9)]
  }
}
