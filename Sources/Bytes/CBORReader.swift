/// A checked cursor over borrowed bytes that accepts only deterministic CBOR.
///
/// Deterministic CBOR is defined in RFC 8949, section 4.2.1. Each item has only one encoding, so equal values have
/// equal bytes, and a digest of the bytes is a digest of the value. After an error, the offset is undefined.
package struct CBORReader: ~Escapable {
  /// The maximum nesting depth of arrays, maps and tags in one ``skip()`` or ``value()``.
  package static let nestingLimit = 32

  let bytes: Span<UInt8>
  package internal(set) var offset: Int

  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
    offset = 0
  }

  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>, at offset: Int) {
    precondition(offset >= 0 && offset <= bytes.count, "a reader starts within its bytes")
    self.bytes = bytes
    self.offset = offset
  }

  package var isAtEnd: Bool { offset == bytes.count }

  /// Checks that no more bytes follow.
  package func finish() throws(CBORError) {
    guard isAtEnd else { throw .trailing(at: offset) }
  }

  /// Returns the kind of the next item without reading the item; only the item's first byte is checked.
  package func peek() throws(CBORError) -> CBORKind {
    guard offset < bytes.count else { throw .truncated(at: offset) }
    let initial = bytes[offset]
    let information = initial & 0x1f
    if initial == 0xff { throw .indefinite(at: offset) }
    if information >= 28 {
      let mayBeIndefinite = initial >> 5 >= 2 && initial >> 5 <= 5
      throw information == 31 && mayBeIndefinite ? .indefinite(at: offset) : .reserved(at: offset)
    }
    switch initial >> 5 {
    case 0: return .unsigned
    case 1: return .negative
    case 2: return .bytes
    case 3: return .text
    case 4: return .array
    case 5: return .map
    case 6: return .tag
    default: break
    }
    switch information {
    case 20, 21: return .boolean
    case 22: return .null
    case 23: return .undefined
    case 25, 26, 27: return .float
    default: return .simple
    }
  }

  /// Returns the error for a next item that is not of the expected kind.
  func refusal(of expected: CBORKind) -> CBORError {
    do throws(CBORError) {
      _ = try peek()
      return .wrongType(expected: expected, at: offset)
    } catch {
      return error
    }
  }

  /// Reads the head of an item of the given kind, and returns its number.
  @_lifetime(self: copy self)
  mutating func argument(of kind: CBORKind) throws(CBORError) -> UInt64 {
    guard offset < bytes.count else { throw .truncated(at: offset) }
    let initial = bytes[offset]
    guard initial >> 5 == kind.majorType else { throw refusal(of: kind) }
    let information = initial & 0x1f
    guard information >= 24 else {
      offset += 1
      return UInt64(information)
    }
    guard information < 28 else { throw refusal(of: kind) }
    return try longArgument(bytesWide: 1 << Int(information - 24))
  }

  /// Reads the number after the first byte, in 1, 2, 4 or 8 bytes.
  @_lifetime(self: copy self)
  private mutating func longArgument(bytesWide width: Int) throws(CBORError) -> UInt64 {
    let number = try word(bytesWide: width)
    // The encoding must be the shortest one, so the number must not fit into half the width or, if the width is one
    // byte, into the first byte.
    let least: UInt64 = width == 1 ? 24 : 1 << UInt64(width * 4)
    guard number >= least else { throw .notShortest(at: offset) }
    offset += 1 + width
    return number
  }

  /// Returns the number after the first byte of the next item.
  func word(bytesWide width: Int) throws(CBORError) -> UInt64 {
    guard bytes.count - offset > width else { throw .truncated(at: offset) }
    var number: UInt64 = 0
    for index in offset + 1...offset + width { number = number << 8 | UInt64(bytes[index]) }
    return number
  }

  @_lifetime(self: copy self)
  package mutating func unsigned() throws(CBORError) -> UInt64 {
    try argument(of: .unsigned)
  }

  /// Reads an integer of either sign.
  @_lifetime(self: copy self)
  package mutating func integer() throws(CBORError) -> Int64 {
    let start = offset
    let isNegative = start < bytes.count && bytes[start] >> 5 == CBORKind.negative.majorType
    let number = try argument(of: isNegative ? .negative : .unsigned)
    guard let magnitude = Int64(exactly: number) else { throw .outOfRange(at: start) }
    return isNegative ? ~magnitude : magnitude
  }

  /// Reads the head of an array, and returns the number of elements that follow.
  @_lifetime(self: copy self)
  package mutating func arrayHeader() throws(CBORError) -> Int {
    let start = offset
    let count = try argument(of: .array)
    // An element takes at least one byte, so a larger count is invalid, and may be an attempt to exhaust the memory.
    guard count <= UInt64(bytes.count - offset) else { throw .tooMany(at: start) }
    return Int(count)
  }

  /// Reads the head of a map, and returns the number of pairs that follow.
  ///
  /// A caller that reads the keys one by one must also check that they are in ascending order.
  @_lifetime(self: copy self)
  package mutating func mapHeader() throws(CBORError) -> Int {
    let start = offset
    let count = try argument(of: .map)
    guard count <= UInt64(bytes.count - offset) / 2 else { throw .tooMany(at: start) }
    return Int(count)
  }

  /// Reads the number of a tag, after which the tagged item follows.
  @_lifetime(self: copy self)
  package mutating func tag() throws(CBORError) -> UInt64 {
    try argument(of: .tag)
  }
}

// MARK: - Strings

extension CBORReader {
  /// Reads a byte string, and returns the range of its content without copying it.
  @_lifetime(self: copy self)
  package mutating func byteStringRange() throws(CBORError) -> Range<Int> {
    try content(of: .bytes)
  }

  /// Reads a text string, checks that it is UTF-8, and returns its range without copying it.
  @_lifetime(self: copy self)
  package mutating func textRange() throws(CBORError) -> Range<Int> {
    let start = offset
    let range = try content(of: .text)
    // Most text strings are short and ASCII. For such strings, full validation would cost more than this check.
    var seen: UInt8 = 0
    for index in range { seen |= bytes[index] }
    if seen >= 0x80 { _ = try validated(range, at: start) }
    return range
  }

  @_lifetime(self: copy self)
  package mutating func byteString() throws(CBORError) -> [UInt8] {
    bytes.copy(try byteStringRange())
  }

  /// Reads a byte string of exactly `count` bytes.
  @_lifetime(self: copy self)
  package mutating func byteString(count: Int) throws(CBORError) -> [UInt8] {
    bytes.copy(try byteStringRange(count: count))
  }

  /// Reads a byte string of exactly `count` bytes, and returns the range of its content.
  @_lifetime(self: copy self)
  package mutating func byteStringRange(count: Int) throws(CBORError) -> Range<Int> {
    let start = offset
    let range = try byteStringRange()
    guard range.count == count else { throw .wrongLength(expected: count, at: start) }
    return range
  }

  @_lifetime(self: copy self)
  package mutating func uniqueID() throws(CBORError) -> UniqueID {
    let range = try byteStringRange(count: 16)
    return UniqueID(
      high: bytes.bigEndianWord(at: range.lowerBound),
      low: bytes.bigEndianWord(at: range.lowerBound + 8))
  }

  @_lifetime(self: copy self)
  package mutating func digest() throws(CBORError) -> Digest {
    let range = try byteStringRange(count: 32)
    return Digest(bytes.extracting(range))
  }

  @_lifetime(self: copy self)
  package mutating func text() throws(CBORError) -> String {
    let start = offset
    let range = try content(of: .text)
    return String(copying: try validated(range, at: start))
  }

  @_lifetime(self: copy self)
  private mutating func content(of kind: CBORKind) throws(CBORError) -> Range<Int> {
    let start = offset
    let count = try argument(of: kind)
    guard count <= UInt64(bytes.count - offset) else { throw .truncated(at: start) }
    let range = offset..<offset + Int(count)
    offset = range.upperBound
    return range
  }

  @_lifetime(copy self)
  private func validated(_ range: Range<Int>, at start: Int) throws(CBORError) -> UTF8Span {
    do {
      return try UTF8Span(validating: bytes.extracting(range))
    } catch {
      throw .invalidText(at: start)
    }
  }
}

// MARK: - Simple values and floating-point numbers

extension CBORReader {
  @_lifetime(self: copy self)
  package mutating func boolean() throws(CBORError) -> Bool {
    guard offset < bytes.count, bytes[offset] & 0xfe == 0xf4 else { throw refusal(of: .boolean) }
    defer { offset += 1 }
    return bytes[offset] == 0xf5
  }

  @_lifetime(self: copy self)
  package mutating func null() throws(CBORError) {
    guard offset < bytes.count, bytes[offset] == 0xf6 else { throw refusal(of: .null) }
    offset += 1
  }

  @_lifetime(self: copy self)
  package mutating func undefined() throws(CBORError) {
    guard offset < bytes.count, bytes[offset] == 0xf7 else { throw refusal(of: .undefined) }
    offset += 1
  }

  /// Reads a simple value without a name: 0 to 19 or 32 to 255.
  @_lifetime(self: copy self)
  package mutating func simple() throws(CBORError) -> UInt8 {
    guard try peek() == .simple else { throw refusal(of: .simple) }
    let initial = bytes[offset]
    guard initial == 0xf8 else {
      offset += 1
      return initial & 0x1f
    }
    let number = UInt8(truncatingIfNeeded: try word(bytesWide: 1))
    guard number >= 32 else { throw .reserved(at: offset) }
    offset += 2
    return number
  }

  /// Reads a floating-point number of any width.
  ///
  /// Only the canonical NaN encoding of two bytes is accepted.
  @_lifetime(self: copy self)
  package mutating func float() throws(CBORError) -> Double {
    guard try peek() == .float else { throw refusal(of: .float) }
    let width = 1 << Int(bytes[offset] & 0x1f - 24)
    let bits = try word(bytesWide: width)
    let number: Double
    let isShortest: Bool
    switch width {
    case 2:
      number = Double(Float16(bitPattern: UInt16(truncatingIfNeeded: bits)))
      isShortest = !number.isNaN || bits == CBORFloat.plainNaN
    case 4:
      number = Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
      isShortest = CBORFloat.width(of: number) == 4
    default:
      number = Double(bitPattern: bits)
      isShortest = CBORFloat.width(of: number) == 8
    }
    guard isShortest else { throw .notShortest(at: offset) }
    offset += 1 + width
    return number
  }
}
