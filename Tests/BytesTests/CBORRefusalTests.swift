import Bytes
import Testing

struct CBORRefusalTests {
  static let refusals: [(hex: String, error: CBORError)] = [
    // Numbers that fit into a shorter head, of every major type and width.
    ("1817", .notShortest(at: 0)), ("1900ff", .notShortest(at: 0)),
    ("1a0000ffff", .notShortest(at: 0)), ("1b00000000ffffffff", .notShortest(at: 0)),
    ("3800", .notShortest(at: 0)), ("390017", .notShortest(at: 0)),
    ("580161", .notShortest(at: 0)), ("780161", .notShortest(at: 0)),
    ("980100", .notShortest(at: 0)), ("b8010000", .notShortest(at: 0)),
    ("d80100", .notShortest(at: 0)), ("8200190001", .notShortest(at: 2)),
    // Floating-point numbers that fit into a shorter item, and NaN encodings other than the canonical encoding.
    ("fa3f800000", .notShortest(at: 0)), ("fb3ff8000000000000", .notShortest(at: 0)),
    ("fb40f86a0000000000", .notShortest(at: 0)), ("fa33800000", .notShortest(at: 0)),
    ("f97e01", .notShortest(at: 0)), ("f9fe00", .notShortest(at: 0)),
    ("f97c01", .notShortest(at: 0)), ("fb7ff8000000000001", .notShortest(at: 0)),
    // Big numbers that would fit into an integer, have leading zeros, or have no digits.
    ("c248ffffffffffffffff", .notShortest(at: 0)), ("c240", .notShortest(at: 0)),
    ("c349000102030405060708", .notShortest(at: 0)),
    ("c26161", .wrongType(expected: .bytes, at: 1)), ("c2", .truncated(at: 1)),
    // Items without a length, and the break itself.
    ("5fff", .indefinite(at: 0)), ("7fff", .indefinite(at: 0)),
    ("9fff", .indefinite(at: 0)), ("bfff", .indefinite(at: 0)),
    ("ff", .indefinite(at: 0)), ("8200ff", .indefinite(at: 2)),
    // Map keys.
    ("a202000100", .unsortedKeys(at: 3)), ("a201000100", .duplicateKey(at: 3)),
    ("a2616200616100", .unsortedKeys(at: 4)), ("a2616100616100", .duplicateKey(at: 4)),
    // In bytewise order, 0x20 comes after 0x1864, although it is shorter.
    ("a22000186400", .unsortedKeys(at: 3)),
    ("a2810100810000", .unsortedKeys(at: 4)), ("81a200000000", .duplicateKey(at: 4)),
    // Text that is not UTF-8: a lone continuation byte, overlong, a surrogate, too high, cut off.
    ("6180", .invalidText(at: 0)), ("62c080", .invalidText(at: 0)),
    ("63eda080", .invalidText(at: 0)), ("64f4908080", .invalidText(at: 0)),
    ("62e6b0", .invalidText(at: 0)), ("8161ff", .invalidText(at: 1)),
    // Reserved heads.
    ("1c", .reserved(at: 0)), ("1d", .reserved(at: 0)), ("1e", .reserved(at: 0)),
    ("1f", .reserved(at: 0)), ("3c", .reserved(at: 0)), ("3f", .reserved(at: 0)),
    ("5c", .reserved(at: 0)), ("7d", .reserved(at: 0)), ("9e", .reserved(at: 0)),
    ("bc", .reserved(at: 0)), ("dc", .reserved(at: 0)), ("df00", .reserved(at: 0)),
    ("fc", .reserved(at: 0)), ("fd", .reserved(at: 0)), ("fe", .reserved(at: 0)),
    ("f800", .reserved(at: 0)), ("f814", .reserved(at: 0)), ("f818", .reserved(at: 0)),
    ("f81f", .reserved(at: 0)),
    // Counts larger than the number of remaining bytes.
    ("8200", .tooMany(at: 0)), ("81", .tooMany(at: 0)),
    ("a100", .tooMany(at: 0)), ("9bffffffffffffffff", .tooMany(at: 0)),
    ("bbffffffffffffffff", .tooMany(at: 0)), ("bb8000000000000000", .tooMany(at: 0)),
    ("41", .truncated(at: 0)), ("5bffffffffffffffff00", .truncated(at: 0)),
    ("7b7fffffffffffffff61", .truncated(at: 0)),
    // Truncated heads.
    ("", .truncated(at: 0)), ("18", .truncated(at: 0)), ("1900", .truncated(at: 0)),
    ("1b00000000000000", .truncated(at: 0)), ("f8", .truncated(at: 0)),
    ("f900", .truncated(at: 0)), ("fb00", .truncated(at: 0)), ("c1", .truncated(at: 1)),
    ("0000", .trailing(at: 1)),
  ]

  @Test(arguments: refusals)
  func `CBOR refusal: each deviation is reported with its own error and offset`(
    hex: String, error: CBORError
  ) throws {
    let bytes = try #require(Hex.decode(hex))
    #expect(throws: error) { try CBORValue.decode(bytes.span) }
    #expect(throws: error) { try skipAll(bytes) }
  }

  @Test(arguments: [[0x81], [0xa1, 0x00], [0xc1]] as [[UInt8]])
  func `CBOR refusal: nesting beyond the limit is refused`(level: [UInt8]) throws {
    let limit = CBORReader.nestingLimit
    let deepest = Array([[UInt8]](repeating: level, count: limit).joined()) + [0]
    try skipAll(deepest)
    #expect(CBORValue.encode(try CBORValue.decode(deepest.span)) == deepest)

    let deeper = level + deepest
    let place = CBORError.tooDeep(at: limit * level.count)
    #expect(throws: place) { try skipAll(deeper) }
    #expect(throws: place) { try CBORValue.decode(deeper.span) }
  }

  @Test func `CBOR refusal: a million nested arrays are refused at the limit`() {
    let brackets = [UInt8](repeating: 0x81, count: 1_000_000)
    #expect(throws: CBORError.tooDeep(at: 32)) { try skipAll(brackets) }
  }

  @Test func `CBOR refusal: nested arrays with huge counts are refused`() {
    // Each level claims as many elements as the number of bytes left.
    var bytes: [UInt8] = []
    for level in 0..<32 { bytes += [0x9a, 0, 0x10, 0, UInt8(255 - level * 5)] }
    bytes += [UInt8](repeating: 0, count: 0x100000)
    #expect(throws: CBORError.self) { try CBORValue.decode(bytes.span) }
    #expect(throws: CBORError.self) { try skipAll(bytes) }
  }

  @Test(arguments: 0...255 as ClosedRange<UInt8>)
  func `CBOR refusal: reading and skipping agree for every first byte`(initial: UInt8) {
    for rest in [[], [0x00], [0xff], [0x20, 0x20], [UInt8](repeating: 0x61, count: 300)] {
      let bytes = [initial] + rest
      let read = Result { () throws(CBORError) in try CBORValue.decode(bytes.span) }
      let skipped = Result { () throws(CBORError) in try skipAll(bytes) }
      switch (read, skipped) {
      case (.success(let value), .success): #expect(CBORValue.encode(value) == bytes)
      case (.failure(let left), .failure(let right)): #expect(left == right)
      default: Issue.record("\(Hex.encode(bytes)) is taken by one only")
      }
    }
  }
}
