/// Converts bytes to lowercase hexadecimal text, with two digits per byte, and back.
///
/// Uppercase digits are rejected, so that each byte sequence has only one representation.
package enum Hex {
  package static func encode(_ bytes: [UInt8]) -> String {
    let digits = [UInt8](capacity: bytes.count * 2) { output in
      for byte in bytes {
        output.append(digit(byte >> 4))
        output.append(digit(byte & 0x0f))
      }
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Parses lowercase digits.
  ///
  /// - Parameter text: The digits.
  /// - Returns: The bytes, or nil if the number of digits is odd or a digit is invalid.
  package static func decode(_ text: String) -> [UInt8]? {
    let digits = text.utf8
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var high: UInt8?
    for digit in digits {
      guard let half = value(of: digit) else { return nil }
      if let first = high {
        bytes.append(first << 4 | half)
        high = nil
      } else {
        high = half
      }
    }
    return bytes
  }

  private static func digit(_ half: UInt8) -> UInt8 {
    half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "a") + half - 10
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
