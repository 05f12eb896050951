/// Reduces the lines of a Swift file to code without comments and with empty string literals.
///
/// The code of an interpolation is removed with its literal. Block comments stay: `swift format`
/// refuses them.
struct CodeReader {
  private var isInLongLiteral = false

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
  private static let slash = UInt8(ascii: "/")

  /// Returns the code of the next line.
  mutating func code(of line: Substring) -> [UInt8] {
    let bytes = Array(line.utf8)
    var code: [UInt8] = []
    var place = 0
    if isInLongLiteral {
      place = Self.endOfLongLiteral(in: bytes, from: 0)
      isInLongLiteral = place > bytes.count
    }
    // The start of the code that has not been copied yet.
    var begin = place
    while place < bytes.count {
      let byte = bytes[place]
      if byte == Self.slash, place + 1 < bytes.count, bytes[place + 1] == Self.slash {
        return code + bytes[begin..<place]
      }
      guard byte == Self.quote else {
        place += 1
        continue
      }
      code += bytes[begin..<place] + [Self.quote, Self.quote]
      if Self.isLongQuote(in: bytes, at: place) {
        place = Self.endOfLongLiteral(in: bytes, from: place + 3)
        isInLongLiteral = place > bytes.count
      } else {
        place = Self.endOfLiteral(in: bytes, from: place + 1)
      }
      begin = place
    }
    return begin < bytes.count ? code + bytes[begin...] : code
  }

  private static func isLongQuote(in bytes: [UInt8], at place: Int) -> Bool {
    place + 2 < bytes.count && bytes[place] == quote && bytes[place + 1] == quote
      && bytes[place + 2] == quote
  }

  /// Returns the position after a literal, or the end of the line.
  private static func endOfLiteral(in bytes: [UInt8], from begin: Int) -> Int {
    var place = begin
    while place < bytes.count, bytes[place] != quote {
      place += bytes[place] == backslash ? 2 : 1
    }
    return min(place + 1, bytes.count)
  }

  /// Returns the position after a multi-line literal, or a position beyond the line if the literal does not end on
  /// it.
  private static func endOfLongLiteral(in bytes: [UInt8], from begin: Int) -> Int {
    var place = begin
    while place < bytes.count {
      if isLongQuote(in: bytes, at: place) { return place + 3 }
      place += bytes[place] == backslash ? 2 : 1
    }
    return bytes.count + 1
  }
}
