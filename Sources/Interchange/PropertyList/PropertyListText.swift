/// Parses the values that an XML property list stores as text.
enum PropertyListText {
  /// Parses the content of an element of the given type.
  static func value(_ type: String, _ text: String) throws(PropertyListFailure) -> PropertyList {
    switch type {
    case "integer":
      guard let number = integer(text) else { throw PropertyListFailure(.badNumber) }
      return .integer(number)
    case "real":
      guard let number = real(text) else { throw PropertyListFailure(.badNumber) }
      return .real(number)
    case "date":
      guard let date = Instant.parse(trim(text)) else { throw PropertyListFailure(.badDate) }
      return .date(date)
    case "data":
      guard let data = base64(text) else { throw PropertyListFailure(.badData) }
      return .data(data)
    default: throw PropertyListFailure(.unknownElement(type))
    }
  }

  private static func trim(_ text: String) -> String {
    String(
      decoding: text.utf8.drop(while: isBlank).reversed().drop(while: isBlank).reversed(),
      as: UTF8.self)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
  }

  private static func integer(_ text: String) -> Int128? {
    let text = trim(text)
    let isNegative = text.hasPrefix("-")
    let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
    let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    let numerals = isHex ? digits.dropFirst(2) : digits
    // The integer parser would accept a second sign.
    guard let first = numerals.first, first.isHexDigit else { return nil }
    let number = Int128(numerals, radix: isHex ? 16 : 10)
    return isNegative ? number.map { -$0 } : number
  }

  private static func real(_ text: String) -> Double? {
    let text = trim(text).lowercased()
    let known = ["nan", "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"]
    let isDecimal = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || [0x2b, 0x2d, 0x2e, 0x65].contains(byte)
    }
    return isDecimal || known.contains(text) ? Double(text) : nil
  }

  /// Decodes base64 data, which may contain white space anywhere.
  private static func base64(_ text: String) -> [UInt8]? {
    var data: [UInt8] = []
    var (bits, count, padding, digits) = (UInt32(0), 0, 0, 0)
    for byte in text.utf8 where !isBlank(byte) {
      digits += 1
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let digit = digit(byte) else { return nil }
      (bits, count) = (bits << 6 | digit, count + 6)
      if count >= 8 {
        count -= 8
        data.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return padding <= 2 && digits.isMultiple(of: 4) ? data : nil
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 97 + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 48 + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
