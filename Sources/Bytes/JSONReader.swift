/// The reason why text is not valid JSON, with the offset of the error in most cases.
package enum JSONError: Error, Hashable, Sendable {
  case unexpectedEnd
  case unexpected(at: Int)
  case invalidText(at: Int)
  case invalidNumber(at: Int)
  case duplicateName(String)
  case tooDeep(at: Int)
}

extension JSON {
  /// The maximum nesting depth.
  package static let depthLimit = 64

  package init(parsing bytes: [UInt8]) throws(JSONError) {
    try self.init(parsing: bytes.span)
  }

  package init(parsing bytes: Span<UInt8>) throws(JSONError) {
    var reader = JSONReader(bytes)
    self = try reader.value(depth: 0)
    try reader.finish()
  }
}

/// A cursor over borrowed JSON text.
private struct JSONReader: ~Escapable {
  private let bytes: Span<UInt8>
  private var offset = 0
  /// The number of members up to which comparing the names one by one is faster than hashing them.
  private static let fewMembers = 16

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  @_lifetime(self: copy self)
  mutating func finish() throws(JSONError) {
    skipSpace()
    guard offset == bytes.count else { throw .unexpected(at: offset) }
  }

  @_lifetime(self: copy self)
  mutating func value(depth: Int) throws(JSONError) -> JSON {
    guard depth <= JSON.depthLimit else { throw .tooDeep(at: offset) }
    switch try nextVisible() {
    case 0x7b: return try object(depth: depth)
    case 0x5b: return try array(depth: depth)
    case 0x22: return .string(try string())
    case 0x74: return try word("true", .boolean(true))
    case 0x66: return try word("false", .boolean(false))
    case 0x6e: return try word("null", .null)
    case 0x2d, 0x30...0x39: return try number()
    default: throw .unexpected(at: offset)
    }
  }

  @_lifetime(self: copy self)
  private mutating func object(depth: Int) throws(JSONError) -> JSON {
    offset += 1
    var members: [JSON.Member] = []
    var names: Set<String> = []
    if try nextVisible() == 0x7d {
      offset += 1
      return .object(members)
    }
    while true {
      guard try nextVisible() == 0x22 else { throw .unexpected(at: offset) }
      let name = try string()
      // Duplicate names are rejected, because readers interpret them differently.
      if members.count < Self.fewMembers {
        if members.contains(where: { $0.name == name }) { throw .duplicateName(name) }
      } else {
        // With hostile text, comparing all pairs would take too long.
        if names.isEmpty { names = Set(members.map(\.name)) }
        guard names.insert(name).inserted else { throw .duplicateName(name) }
      }
      guard try nextVisible() == 0x3a else { throw .unexpected(at: offset) }
      offset += 1
      members.append(JSON.Member(name, try value(depth: depth + 1)))
      if try endOfItem(closing: 0x7d) { return .object(members) }
    }
  }

  @_lifetime(self: copy self)
  private mutating func array(depth: Int) throws(JSONError) -> JSON {
    offset += 1
    var items: [JSON] = []
    if try nextVisible() == 0x5d {
      offset += 1
      return .array(items)
    }
    while true {
      items.append(try value(depth: depth + 1))
      if try endOfItem(closing: 0x5d) { return .array(items) }
    }
  }

  /// Reads the comma or the closing bracket after an item.
  @_lifetime(self: copy self)
  private mutating func endOfItem(closing bracket: UInt8) throws(JSONError) -> Bool {
    let byte = try nextVisible()
    guard byte == bracket || byte == 0x2c else { throw .unexpected(at: offset) }
    offset += 1
    return byte == bracket
  }

  @_lifetime(self: copy self)
  private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
    for expected in "\(word)".utf8 {
      guard offset < bytes.count else { throw .unexpectedEnd }
      guard bytes[offset] == expected else { throw .unexpected(at: offset) }
      offset += 1
    }
    return value
  }

  @_lifetime(self: copy self)
  private mutating func number() throws(JSONError) -> JSON {
    let start = offset
    var isWhole = true
    if bytes[offset] == 0x2d { offset += 1 }
    let leading = offset
    try digits(from: start)
    if bytes[leading] == 0x30 && offset > leading + 1 { throw .invalidNumber(at: start) }
    if offset < bytes.count, bytes[offset] == 0x2e {
      isWhole = false
      offset += 1
      try digits(from: start)
    }
    if offset < bytes.count, bytes[offset] | 0x20 == 0x65 {
      isWhole = false
      offset += 1
      if offset < bytes.count, bytes[offset] == 0x2b || bytes[offset] == 0x2d { offset += 1 }
      try digits(from: start)
    }
    var text = ""
    for position in start..<offset { text.unicodeScalars.append(Unicode.Scalar(bytes[position])) }
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { throw .invalidNumber(at: start) }
    return .number(number)
  }

  @_lifetime(self: copy self)
  private mutating func digits(from start: Int) throws(JSONError) {
    let first = offset
    while offset < bytes.count, 0x30...0x39 ~= bytes[offset] { offset += 1 }
    guard offset > first else { throw .invalidNumber(at: start) }
  }

  @_lifetime(self: copy self)
  private mutating func string() throws(JSONError) -> String {
    let start = offset
    offset += 1
    while offset < bytes.count, Self.isPlain(bytes[offset]) { offset += 1 }
    // Most strings have no escapes, so they can be copied directly.
    if offset < bytes.count, bytes[offset] == 0x22 {
      defer { offset += 1 }
      do {
        return String(copying: try UTF8Span(validating: bytes.extracting(start + 1..<offset)))
      } catch {
        throw .invalidText(at: start)
      }
    }
    var text = bytes.copy(start + 1..<offset)
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      switch byte {
      case 0x22:
        guard let string = String(validating: text, as: UTF8.self) else {
          throw .invalidText(at: start)
        }
        return string
      case 0x5c: try escape(into: &text)
      case 0x00..<0x20: throw .invalidText(at: offset - 1)
      default: text.append(byte)
      }
    }
    throw .unexpectedEnd
  }

  /// Returns whether a byte of a string is not the closing quote, a backslash or a control character.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x22 && byte != 0x5c
  }

  @_lifetime(self: copy self)
  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    guard offset < bytes.count else { throw .unexpectedEnd }
    let byte = bytes[offset]
    offset += 1
    switch byte {
    case 0x22, 0x5c, 0x2f: text.append(byte)
    case 0x62: text.append(0x08)
    case 0x66: text.append(0x0c)
    case 0x6e: text.append(0x0a)
    case 0x72: text.append(0x0d)
    case 0x74: text.append(0x09)
    case 0x75: text += Array(Character(try escapedScalar()).utf8)
    default: throw .invalidText(at: offset - 1)
    }
  }

  @_lifetime(self: copy self)
  private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
    let start = offset - 2
    let first = try hexUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    // A scalar above U+FFFF is written as two surrogates.
    guard first < 0xdc00, offset + 1 < bytes.count, bytes[offset] == 0x5c, bytes[offset + 1] == 0x75
    else { throw .invalidText(at: start) }
    offset += 2
    let second = try hexUnit()
    guard 0xdc00..<0xe000 ~= second,
      let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    else { throw .invalidText(at: start) }
    return scalar
  }

  @_lifetime(self: copy self)
  private mutating func hexUnit() throws(JSONError) -> UInt32 {
    guard offset + 4 <= bytes.count else { throw .unexpectedEnd }
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(bytes[offset])).hexDigitValue else {
        throw .invalidText(at: offset)
      }
      unit = unit << 4 | UInt32(digit)
      offset += 1
    }
    return unit
  }

  @_lifetime(self: copy self)
  private mutating func nextVisible() throws(JSONError) -> UInt8 {
    skipSpace()
    guard offset < bytes.count else { throw .unexpectedEnd }
    return bytes[offset]
  }

  @_lifetime(self: copy self)
  private mutating func skipSpace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x09, 0x0a, 0x0d: offset += 1
      default: return
      }
    }
  }
}
