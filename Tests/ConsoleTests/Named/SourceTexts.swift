/// The string literals of a Swift source file; literals that are joined with `+` are concatenated.
///
/// An interpolation is kept as ``opening``, its expression and ``closing``; literals in the expression are listed
/// separately.
struct SourceTexts {
  static let opening: Character = "\u{1}"
  static let closing: Character = "\u{2}"

  private let source: [UInt8]
  private var place = 0
  private(set) var texts: [String] = []

  init(_ source: String) {
    self.source = Array(source.utf8)
    while place < self.source.count { step() }
  }

  /// Skips a comment or one byte, or reads a literal.
  private mutating func step() {
    if follows("//") {
      skip { $0 != UInt8(ascii: "\n") }
    } else if hashesOfLiteral != nil {
      texts.append(text())
    } else {
      place += 1
    }
  }

  private func follows(_ words: String) -> Bool { source[place...].starts(with: words.utf8) }

  private mutating func skip(while isSkipped: (UInt8) -> Bool) {
    while place < source.count, isSkipped(source[place]) { place += 1 }
  }

  /// The number of `#` before the quotation mark of a literal that begins here; nil if none begins here.
  private var hashesOfLiteral: Int? {
    let hashes = source[place...].prefix { $0 == UInt8(ascii: "#") }.count
    guard place + hashes < source.count, source[place + hashes] == UInt8(ascii: "\"") else {
      return nil
    }
    return hashes
  }

  /// Reads a literal and the literals that are joined to it.
  private mutating func text() -> String {
    var text = literal()
    while true {
      let end = place
      skip { " \n".utf8.contains($0) }
      guard follows("+ ") else {
        place = end
        return text
      }
      place += 1
      skip { " \n".utf8.contains($0) }
      guard hashesOfLiteral != nil else {
        place = end
        return text
      }
      text += literal()
    }
  }

  private mutating func literal() -> String {
    let hashes = String(repeating: "#", count: hashesOfLiteral ?? 0)
    place += hashes.utf8.count
    let marks = follows("\"\"\"") ? "\"\"\"" : "\""
    place += marks.utf8.count
    var bytes: [UInt8] = []
    while place < source.count, !follows(marks + hashes) {
      if follows("\\" + hashes) {
        place += 1 + hashes.utf8.count
        bytes += escaped()
      } else {
        bytes.append(source[place])
        place += 1
        // The indentation of a multi-line literal.
        if bytes.last == UInt8(ascii: "\n") { skip { $0 == UInt8(ascii: " ") } }
      }
    }
    place += (marks + hashes).utf8.count
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the characters of the escape sequence that continues here.
  private mutating func escaped() -> [UInt8] {
    defer { place += 1 }
    switch source[place] {
    case UInt8(ascii: "("):
      return Array((String(Self.opening) + expression() + String(Self.closing)).utf8)
    case UInt8(ascii: "n"): return [UInt8(ascii: "\n")]
    case UInt8(ascii: "\n"):
      place += 1
      skip { $0 == UInt8(ascii: " ") }
      place -= 1
      return []
    default: return [source[place]]
    }
  }

  /// Returns the expression between the parenthesis here and the matching parenthesis, and moves to the latter.
  ///
  /// Literals in it are emptied.
  private mutating func expression() -> String {
    var bytes: [UInt8] = []
    var depth = 0
    while place < source.count {
      if hashesOfLiteral != nil {
        texts.append(text())
        bytes += Array("\"\"".utf8)
        continue
      }
      if source[place] == UInt8(ascii: "(") { depth += 1 }
      if source[place] == UInt8(ascii: ")") { depth -= 1 }
      if depth == 0 { break }
      bytes.append(source[place])
      place += 1
    }
    return String(decoding: bytes.dropFirst(), as: UTF8.self)
  }
}
