internal import Bytes
internal import Domain

// The encoding of a value in the read model: a CBOR item for a simple value, and an array that begins with a shape
// number for the others.

private enum Shape {
  static let reference: UInt64 = 0
  static let texts: UInt64 = 1
  static let other: UInt64 = 2
}

extension Value {
  func encoded() -> [UInt8] {
    var writer = CBORWriter()
    writer.value(self)
    return writer.bytes
  }

  /// Decodes the bytes that ``encoded()`` returned.
  ///
  /// - Throws: ``ReadModelError/unusable(_:)`` if the bytes have a different form, as in a damaged file.
  init(stored bytes: [UInt8]) throws(ReadModelError) {
    do throws(CBORError) {
      var reader = CBORReader(bytes.span)
      self = try reader.domainValue()
      try reader.finish()
    } catch {
      throw .unusable(.damaged)
    }
  }
}

extension CBORWriter {
  mutating func value(_ value: Value) {
    switch value {
    case .null: null()
    case .boolean(let flag): boolean(flag)
    case .integer(let number): integer(number)
    case .text(let string): text(string)
    case .bytes(let bytes): byteString(bytes)
    case .reference(let key):
      arrayHeader(3)
      unsigned(Shape.reference)
      unsigned(UInt64(key.log))
      unsigned(key.sequence)
    case .texts(let texts):
      arrayHeader(1 + texts.count)
      unsigned(Shape.texts)
      for string in texts { text(string) }
    case .other(let encoded):
      arrayHeader(2)
      unsigned(Shape.other)
      byteString(encoded)
    }
  }
}

extension CBORReader {
  @_lifetime(self: copy self)
  mutating func domainValue() throws(CBORError) -> Value {
    switch try peek() {
    case .boolean: return .boolean(try boolean())
    case .unsigned, .negative: return .integer(try integer())
    case .text: return .text(try text())
    case .bytes: return .bytes(try byteString())
    case .array: return try shaped()
    default:
      try null()
      return .null
    }
  }

  @_lifetime(self: copy self)
  private mutating func shaped() throws(CBORError) -> Value {
    let start = offset
    let count = try arrayHeader()
    switch try unsigned() {
    case Shape.reference:
      let log = UInt32(truncatingIfNeeded: try unsigned())
      return .reference(EventKey(log: log, sequence: try unsigned()))
    case Shape.texts:
      var texts: [String] = []
      for _ in 1..<max(count, 1) { texts.append(try text()) }
      return .texts(texts)
    case Shape.other: return .other(try byteString())
    default: throw .outOfRange(at: start)
    }
  }
}

// The exceptions of a *seen* entry are encoded as pairs of the first and last sequence.

func encodeRanges(_ ranges: [ClosedRange<UInt64>]) -> [UInt8] {
  var writer = CBORWriter()
  for range in ranges {
    writer.unsigned(range.lowerBound)
    writer.unsigned(range.upperBound)
  }
  return writer.bytes
}

func decodeRanges(_ bytes: [UInt8]) throws(ReadModelError) -> [ClosedRange<UInt64>] {
  do throws(CBORError) {
    var reader = CBORReader(bytes.span)
    var ranges: [ClosedRange<UInt64>] = []
    while !reader.isAtEnd {
      let first = try reader.unsigned()
      let last = try reader.unsigned()
      guard first <= last else { throw .outOfRange(at: reader.offset) }
      ranges.append(first...last)
    }
    return ranges
  } catch {
    throw .unusable(.damaged)
  }
}
