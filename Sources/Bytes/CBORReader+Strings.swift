extension CBORReader {
  /// Reads a byte string and returns the range of its content, without copying it.
  @_lifetime(self: copy self)
  package mutating func byteStringRange() throws(CBORError) -> Range<Int> {
    try content(of: .bytes)
  }

  /// Reads a text string, checks that it is UTF-8 and returns its range, without copying it.
  @_lifetime(self: copy self)
  package mutating func textRange() throws(CBORError) -> Range<Int> {
    let start = offset
    let range = try content(of: .text)
    // Most text strings are short and ASCII. For these, full validation would cost more than this check.
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

  /// Reads a byte string of exactly `count` bytes and returns the range of its content.
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
