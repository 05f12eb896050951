import Bytes
import TestDice
import Testing

@testable import Gzip

/// A member with a three-byte extra field.
func member(_ content: [UInt8], level: Int = 6, extra: [UInt8] = [1, 2, 3]) -> [UInt8] {
  GzipMember.compress(content.span, level: level, extraCount: extra.count) { _ in extra }
}

/// Decompresses with a generous limit.
func decompress(_ bytes: [UInt8], at offset: Int = 0) throws(GzipError) -> GzipContent {
  try GzipMember.decompress(bytes.span, at: offset, outputLimit: 8 << 20)
}

/// Incompressible bytes.
func noise(_ count: Int) -> [UInt8] {
  var dice = Dice(seed: UInt64(count))
  var bytes: [UInt8] = []
  while bytes.count < count {
    let word = dice.next()
    for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift * 8))) }
  }
  return Array(bytes.prefix(count))
}

let prose = Array("Ada is born on 10 December. Ada is drawn twice, and Bo never is.".utf8)

struct GzipMemberTests {
  @Test func `Gzip member: a stored member has exactly the expected bytes`() throws {
    let extra: [UInt8] = [0x44, 0x42, 1, 0, 42]
    let bytes = member(Array("daybook".utf8), level: 0, extra: extra)
    #expect(
      Hex.encode(bytes)
        == "1f8b08060000000000ff" + "0500" + "444201002a" + "f2fe" + "010700f8ff"
        + "646179626f6f6b" + "e4955e3f07000000")
  }

  @Test func `Gzip member: the extra field can contain the length of the member`() throws {
    var told = 0
    let bytes = GzipMember.compress(prose.span, level: 9, extraCount: 2) { length in
      told = length
      return [UInt8(length & 0xff), UInt8(length >> 8)]
    }
    #expect(told == bytes.count)
    #expect(
      try decompress(bytes)
        == GzipContent(content: prose, extra: Array(bytes[12..<14]), length: bytes.count))
  }

  static let counts = [0, 1, 2, 100, 255, 256, 257, 4096, 65_535, 65_536, 65_537, 140_000]

  @Test(arguments: counts, [0, 1, 6, 7, 9])
  func `Gzip member: noise is restored and grows no more than if it were stored`(
    count: Int, level: Int
  ) throws {
    let content = noise(count)
    let bytes = member(content, level: level)
    #expect(bytes.count <= 25 + count + 5 * max(1, (count + 65_534) / 65_535))
    #expect(
      try decompress(bytes)
        == GzipContent(content: content, extra: [1, 2, 3], length: bytes.count))
  }

  @Test(arguments: counts, [0, 1, 6, 7, 9])
  func `Gzip member: repetitive content is restored and becomes shorter`(
    count: Int, level: Int
  ) throws {
    let content = noise(count).map { $0 & 3 }
    let bytes = member(content, level: level)
    #expect(count < 4096 || level == 0 || bytes.count < count / 2)
    #expect(
      try decompress(bytes)
        == GzipContent(content: content, extra: [1, 2, 3], length: bytes.count))
  }

  @Test(arguments: [100, 4096, (16 << 10) - 1], [6, 7, 9])
  func `Gzip member: every build compresses small content with zlib`(count: Int, level: Int) throws
  {
    let content = noise(count).map { $0 & 3 }
    let bytes = member(content, level: level)
    let packed = bytes.dropFirst(10 + 2 + 3 + 2).dropLast(8)
    #expect(Array(packed) == Deflater(level: level).compress(content.span))
  }

  @Test(arguments: [16 << 10, 140_000])
  func `Gzip member: large content is compressed about as well as by zlib`(count: Int) throws {
    let content = noise(count).map { $0 & 3 }
    let zlib = Deflater(level: 9).compress(content.span).count
    #expect(member(content, level: 9).count <= zlib + 28)
    #expect(member(content, level: 7).count <= zlib + zlib / 50)
  }

  @Test(arguments: [[], [0], [UInt8](repeating: 7, count: 65_535)] as [[UInt8]])
  func `Gzip member: an extra field of any length is restored`(extra: [UInt8]) throws {
    let bytes = member(prose, extra: extra)
    let header = try GzipMember.header(bytes.span, at: 0)
    #expect(header.extra == extra)
    #expect(header.contentOffset == 14 + extra.count)
    #expect(try decompress(bytes).extra == extra)
  }

  @Test func `Gzip member: members are read in sequence`() throws {
    let (first, second) = (member(prose), member([1, 2], extra: []))
    let bytes = [9] + first + second + [0, 0, 0, 0]
    let one = try decompress(bytes, at: 1)
    #expect(one == GzipContent(content: prose, extra: [1, 2, 3], length: first.count))
    let two = try decompress(bytes, at: 1 + one.length)
    #expect(two == GzipContent(content: [1, 2], extra: [], length: second.count))
    let end = 1 + one.length + two.length
    #expect(throws: GzipError.notAMember(at: end)) { try decompress(bytes, at: end) }
  }

  @Test func `Gzip member: an extra field without the announced length traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = GzipMember.compress(prose.span, level: 6, extraCount: 2) { _ in [0] }
    }
  }
}
