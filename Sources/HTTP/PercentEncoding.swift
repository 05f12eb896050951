/// Percent-encoding (RFC 3986, 2.1).
package enum PercentEncoding {
  /// Encodes text for a path or a query.
  ///
  /// All bytes except the unreserved ones (RFC 3986, 2.3) are encoded, using capital hexadecimal digits.
  package static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { spelled, byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        spelled.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        spelled += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
  }

  /// Decodes text; nil if an escape is malformed, or if the result is not UTF-8.
  ///
  /// - Parameters:
  ///   - text: The encoded text.
  ///   - plusIsBlank: Whether `+` stands for a space, as in forms.
  /// - Returns: The text.
  package static func decoded(_ text: some StringProtocol, plusIsBlank: Bool) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+") where plusIsBlank: bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        let digits = rest.prefix(2)
        guard digits.count == 2,
          digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
          let escaped = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        bytes.append(escaped)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
