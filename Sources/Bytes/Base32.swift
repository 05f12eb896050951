/// Encodes bytes as Base32 (RFC 4648) without padding: capital letters and the digits 2 to 7.
///
/// Base32 is suitable for text that people copy and may have to type, because none of its digits looks like one of its
/// letters.
package enum Base32 {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var (waiting, count) = (UInt32(0), UInt32(0))
    for byte in bytes {
      waiting = waiting << 8 | UInt32(byte)
      count += 8
      while count >= 5 {
        count -= 5
        text.append(letters[Int(waiting >> count & 31)])
      }
    }
    if count > 0 { text.append(letters[Int(waiting << (5 - count) & 31)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the five bits that a letter of either case or a digit encodes.
  package static func value(of letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a")
    case UInt8(ascii: "2")...UInt8(ascii: "7"): letter - UInt8(ascii: "2") + 26
    default: nil
    }
  }

  /// Decodes the values of letters.
  ///
  /// - Parameter values: The values, each of which contains five bits.
  /// - Returns: The bytes, or nil if no bytes encode to this number of letters or to this last letter.
  package static func decode(_ values: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (waiting, count) = (UInt32(0), UInt32(0))
    for value in values {
      waiting = waiting << 5 | UInt32(value & 31)
      count += 5
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: waiting >> count))
      }
    }
    let rest = waiting & (1 << count - 1)
    return count < 5 && rest == 0 ? bytes : nil
  }
}
