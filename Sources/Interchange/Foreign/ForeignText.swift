/// Decodes text of unknown encoding.
package enum ForeignText {
  package enum Encoding: String, Sendable {
    case utf8 = "UTF-8"
    case utf16 = "UTF-16"
    case windows1252 = "Windows-1252"
  }

  /// Decodes UTF-8, UTF-16 or, if the bytes are neither, Windows-1252, which old Western programs write.
  package static func decode(_ bytes: [UInt8]) -> (text: String, encoding: Encoding) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      return (String(decoding: bytes.dropFirst(3), as: UTF8.self), .utf8)
    }
    if let (isBigEndian, start) = utf16(startOf: bytes) {
      return (utf16(bytes, from: start, isBigEndian: isBigEndian), .utf16)
    }
    if let text = String(validating: bytes, as: UTF8.self) { return (text, .utf8) }
    // A sample may end inside a character.
    for cut in 1...3 where bytes.count == FileFormat.recognitionBytes {
      if let text = String(validating: bytes.dropLast(cut), as: UTF8.self) { return (text, .utf8) }
    }
    return (windows1252(bytes), .windows1252)
  }

  /// If the given text is UTF-16, returns its byte order and the offset at which it begins; otherwise nil.
  ///
  /// Without a byte order mark, UTF-16 is recognised by a zero byte in each of its first two letters.
  static func utf16(startOf bytes: [UInt8]) -> (isBigEndian: Bool, start: Int)? {
    if bytes.starts(with: [0xFF, 0xFE]) { return (false, 2) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (true, 2) }
    let zeros = bytes.prefix(4).map { $0 == 0 }
    if zeros == [false, true, false, true] { return (false, 0) }
    return zeros == [true, false, true, false] ? (true, 0) : nil
  }

  private static func utf16(_ bytes: [UInt8], from start: Int, isBigEndian: Bool) -> String {
    let units = stride(from: start, to: bytes.count - 1, by: 2).map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Decodes UTF-16 without a byte order mark; nil if the bytes are invalid.
  static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String? {
    guard bytes.count.isMultiple(of: 2) else { return nil }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    return String(validating: units, as: UTF16.self)
  }

  /// The characters of the bytes 0x80 to 0x9F; the others are as in Latin-1.
  private static let specials: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039,
    0x152, 0x8D, 0x17D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,
  ]

  /// Decodes Windows-1252, which includes the usual characters of Latin-1.
  package static func windows1252(_ bytes: some Sequence<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes {
      let code = (0x80...0x9F).contains(byte) ? specials[Int(byte) - 0x80] : UInt32(byte)
      if let scalar = Unicode.Scalar(code) { text.append(scalar) }
    }
    return String(text)
  }
}
