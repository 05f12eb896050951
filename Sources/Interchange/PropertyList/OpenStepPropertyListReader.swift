/// Reads the oldest form: braces, parentheses, and texts with or without quotation marks.
///
/// Whatever is no data and no container is text, also numbers; whoever maps the list knows what was meant.
struct OpenStepPropertyListReader {
  let bytes: [UInt8]
  private var offset = 0
  private var builder: PropertyListBuilder

  init(_ bytes: [UInt8], _ builder: PropertyListBuilder) {
    (self.bytes, self.builder) = (bytes, builder)
  }

  mutating func read() throws(PropertyListError) -> PropertyList {
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { offset = 3 }
    repeat {
      try skipBlanks()
      let start = offset
      do throws(PropertyListFailure) {
        try takeNext()
      } catch {
        throw PropertyListError(error.reason, at: max(start, min(offset, bytes.count)), of: bytes)
      }
    } while builder.root == nil
    try skipBlanks()
    guard let root = builder.root, offset == bytes.count else {
      throw PropertyListError(.unexpected, at: offset, of: bytes)
    }
    return root
  }

  /// Takes a key with its sign of equality, a value with what ends it, or the end of a container.
  private mutating func takeNext() throws(PropertyListFailure) {
    guard let byte = peek else { throw PropertyListFailure(.unexpectedEnd) }
    switch (builder.container, byte) {
    case (.dictionary, UInt8(ascii: "}")) where !builder.awaitsValue: try end(.dictionary)
    case (.array, UInt8(ascii: ")")): try end(.array)
    case (.dictionary, _) where !builder.awaitsValue:
      try builder.key(try text())
      try expect("=")
    case (_, UInt8(ascii: "{")):
      offset += 1
      try builder.begin(.dictionary)
    case (_, UInt8(ascii: "(")):
      offset += 1
      try builder.begin(.array)
    case (_, UInt8(ascii: "<")):
      try builder.add(.data(try data()))
      try takeEndOfValue()
    default:
      try builder.add(.string(try text()))
      try takeEndOfValue()
    }
  }

  private mutating func end(_ container: PropertyListBuilder.Container) throws(PropertyListFailure)
  {
    offset += 1
    try builder.end(container)
    try takeEndOfValue()
  }

  /// A value of a dictionary ends with a semicolon; the parts of an array stand between commas.
  private mutating func takeEndOfValue() throws(PropertyListFailure) {
    switch builder.container {
    case .dictionary: try expect(";")
    case .array:
      try skipComments()
      if peek == UInt8(ascii: ",") {
        offset += 1
      } else if peek != UInt8(ascii: ")") {
        throw PropertyListFailure(peek == nil ? .unexpectedEnd : .unexpected)
      }
    case nil: return
    }
  }

  private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func expect(_ sign: Unicode.Scalar) throws(PropertyListFailure) {
    try skipComments()
    guard let byte = peek else { throw PropertyListFailure(.unexpectedEnd) }
    guard byte == UInt8(ascii: sign) else { throw PropertyListFailure(.unexpected) }
    offset += 1
  }
}

extension OpenStepPropertyListReader {
  private mutating func skipBlanks() throws(PropertyListError) {
    do throws(PropertyListFailure) {
      try skipComments()
    } catch {
      throw PropertyListError(error.reason, at: min(offset, bytes.count), of: bytes)
    }
  }

  /// Moves behind blanks and comments.
  private mutating func skipComments() throws(PropertyListFailure) {
    while let byte = peek {
      if byte == 0x20 || (0x09...0x0d).contains(byte) {
        offset += 1
      } else if bytes[offset...].starts(with: "//".utf8) {
        offset = bytes[offset...].firstIndex(of: 0x0a) ?? bytes.count
      } else if bytes[offset...].starts(with: "/*".utf8) {
        try skipLongComment()
      } else {
        return
      }
    }
  }

  private mutating func skipLongComment() throws(PropertyListFailure) {
    offset += 2
    while offset + 1 < bytes.count {
      if bytes[offset] == UInt8(ascii: "*"), bytes[offset + 1] == UInt8(ascii: "/") {
        offset += 2
        return
      }
      offset += 1
    }
    offset = bytes.count
    throw PropertyListFailure(.unexpectedEnd)
  }

  private mutating func text() throws(PropertyListFailure) -> String {
    guard let first = peek else { throw PropertyListFailure(.unexpectedEnd) }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return try quoted(by: first) }
    let word = bytes[offset...].prefix(while: Self.isBare)
    guard !word.isEmpty else { throw PropertyListFailure(.unexpected) }
    offset += word.count
    return String(decoding: word, as: UTF8.self)
  }

  private static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_$/:.-+".utf8.contains(byte)
    }
  }

  private mutating func quoted(by mark: UInt8) throws(PropertyListFailure) -> String {
    offset += 1
    var units: [UInt16] = []
    var plain: [UInt8] = []
    var text = ""
    while let byte = peek {
      offset += 1
      if byte == UInt8(ascii: "\\") {
        text += try Self.text(plain)
        plain = []
        units.append(try escape())
        continue
      }
      // Both halves of a character are written as escapes of their own.
      if !units.isEmpty {
        text += try Self.text(units)
        units = []
      }
      if byte == mark { return text + (try Self.text(plain)) }
      plain.append(byte)
    }
    throw PropertyListFailure(.unexpectedEnd)
  }

  private static func text(_ bytes: [UInt8]) throws(PropertyListFailure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw PropertyListFailure(.badText)
    }
    return text
  }

  private static func text(_ units: [UInt16]) throws(PropertyListFailure) -> String {
    guard let text = String(validating: units, as: UTF16.self) else {
      throw PropertyListFailure(.badText)
    }
    return text
  }

  private mutating func escape() throws(PropertyListFailure) -> UInt16 {
    guard let byte = peek else { throw PropertyListFailure(.unexpectedEnd) }
    if (0x30...0x37).contains(byte) { return try octal() }
    offset += 1
    switch byte {
    case UInt8(ascii: "a"): return 7
    case UInt8(ascii: "b"): return 8
    case UInt8(ascii: "t"): return 9
    case UInt8(ascii: "n"), 0x0a: return 10
    case UInt8(ascii: "v"): return 11
    case UInt8(ascii: "f"): return 12
    case UInt8(ascii: "r"): return 13
    case UInt8(ascii: "U"), UInt8(ascii: "u"):
      let digits = bytes[offset...].prefix(4)
      guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
      else { throw PropertyListFailure(.badText) }
      offset += digits.count
      return unit
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): return UInt16(byte)
    default: throw PropertyListFailure(.badText)
    }
  }

  /// Beyond ASCII such numbers are characters of a set that no system has had for decades.
  private mutating func octal() throws(PropertyListFailure) -> UInt16 {
    let digits = bytes[offset...].prefix(3).prefix { (0x30...0x37).contains($0) }
    let number = digits.reduce(UInt16(0)) { $0 * 8 + UInt16($1 - 0x30) }
    guard number < 0x80 else { throw PropertyListFailure(.badText) }
    offset += digits.count
    return number
  }

  private mutating func data() throws(PropertyListFailure) -> [UInt8] {
    offset += 1
    var data: [UInt8] = []
    var half: UInt8?
    while let byte = peek {
      offset += 1
      switch byte {
      case UInt8(ascii: ">"):
        guard half == nil else { throw PropertyListFailure(.badData) }
        return data
      case 0x20, 0x09, 0x0a, 0x0d: continue
      default:
        guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
          throw PropertyListFailure(.badData)
        }
        if let high = half {
          data.append(high << 4 | UInt8(digit))
          half = nil
        } else {
          half = UInt8(digit)
        }
      }
    }
    throw PropertyListFailure(.unexpectedEnd)
  }
}
