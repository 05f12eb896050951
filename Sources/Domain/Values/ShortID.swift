package import Bytes

/// Ids as users type them, in letters and digits that are hard to confuse.
///
/// The first letter stands for 4 bits, so it is never a digit and an id never looks like a number. Each later letter
/// stands for 5 bits; the last letter is padded with a zero bit. A prefix covers a range of ids.
package enum ShortID {
  /// The number of letters of a whole id.
  package static let length = 26
  /// The minimum number of letters recognised as an id.
  package static let fewestLetters = 2

  private static let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)

  /// The first letters of an id, at least one.
  package static func text(of id: UniqueID, length: Int = length) -> String {
    let letters = (0..<min(max(length, 1), Self.length)).map { alphabet[number(at: $0, of: id)] }
    return String(decoding: letters, as: UTF8.self)
  }

  /// The number of leading letters that are needed to distinguish two ids.
  package static func lengthTelling(_ id: UniqueID, from other: UniqueID) -> Int {
    let high = (id.high ^ other.high).leadingZeroBitCount
    let sameBits = high < 64 ? high : 64 + (id.low ^ other.low).leadingZeroBitCount
    // The first letter stands for 4 bits, and each later letter for 5.
    return sameBits < 4 ? 1 : min(2 + (sameBits - 4) / 5, length)
  }

  /// The ids that a prefix or the full form of a UUID covers; nil if the text is neither.
  ///
  /// Upper and lower case are equivalent.
  package static func parse(_ prefix: String) -> ClosedRange<UniqueID>? {
    if let id = UniqueID(uuid: prefix) { return id...id }
    let letters = Array(prefix.utf8)
    guard (1...length).contains(letters.count) else { return nil }
    var value: UInt128 = 0
    for (place, letter) in letters.enumerated() {
      let lower = (0x41...0x5A).contains(letter) ? letter | 0x20 : letter
      guard let number = alphabet.firstIndex(of: lower) else { return nil }
      guard place > 0 || number < 16 else { return nil }
      guard place < length - 1 else {
        // The last letter consists of 4 bits and the padding.
        guard number.isMultiple(of: 2) else { return nil }
        value = value << 4 | UInt128(number / 2)
        continue
      }
      value = value << 5 | UInt128(number)
    }
    let unknownBits = max(0, 124 - 5 * (letters.count - 1))
    let low = value << UInt128(unknownBits)
    let high = low | (UInt128(1) << UInt128(unknownBits) - 1)
    return UniqueID(low)...UniqueID(high)
  }

  /// The number, 0 to 31, of the letter at a place of the short id.
  private static func number(at place: Int, of id: UniqueID) -> Int {
    let bits = UInt128(id.high) << 64 | UInt128(id.low)
    if place == 0 { return Int(bits >> 124) }
    let shift = 124 - 5 * place
    return Int((shift < 0 ? bits << 1 : bits >> UInt128(shift)) & 31)
  }
}

extension UniqueID {
  fileprivate init(_ bits: UInt128) {
    self.init(
      high: UInt64(truncatingIfNeeded: bits >> 64), low: UInt64(truncatingIfNeeded: bits))
  }

  /// The full form of the UUID: 8, 4, 4, 4 and 12 hexadecimal digits in lower case.
  package var uuid: String {
    let digits = Array(hex)
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
    return groups.joined(separator: "-")
  }

  /// Reads the full form of a UUID in upper or lower case.
  package init?(uuid text: String) {
    let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard groups.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
    let digits = groups.joined().map { (0x41...0x46).contains($0) ? $0 | 0x20 : $0 }
    self.init(hex: String(decoding: digits, as: UTF8.self))
  }
}
