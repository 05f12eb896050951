import Bytes
import Gzip
import Testing

struct GzipLimitTests {
  @Test(arguments: [0, 1, 255, 256, 257, 65_536, 100_000])
  func `Gzip limit: content up to the limit is accepted, and one byte more is refused`(
    count: Int
  ) throws {
    let content = (0..<count).map { UInt8($0 % 7) + UInt8(($0 >> 5) % 5) }
    let bytes = member(content)
    let found = try GzipMember.decompress(bytes.span, at: 0, outputLimit: count)
    #expect(found.content == content)
    guard count > 0 else { return }
    #expect(throws: GzipError.tooLarge(limit: count - 1)) {
      try GzipMember.decompress(bytes.span, at: 0, outputLimit: count - 1)
    }
  }

  /// A member of 2,580,001 zeros in 2,516 bytes of deflate, which the writer never produces.
  static let bomb: [UInt8] = {
    let opening: [UInt8] = [
      0xed, 0xc1, 0x01, 0x01, 0, 0, 0, 0x82, 0x20, 0xff, 0xaf, 0x6e, 0x48, 0x40, 0x01,
    ]
    let copies = [UInt8](repeating: 0, count: 2499)
    let trailer: [UInt8] = [0xe3, 0x89, 0x54, 0x82, 0x21, 0x5e, 0x27, 0x00]
    return Array(member([]).prefix(17)) + opening + copies + [0xf7, 0x06] + trailer
  }()

  @Test func `Gzip limit: a bomb with valid checksums is refused`() {
    #expect(throws: GzipError.bomb(at: 0)) { try decompress(Self.bomb) }
    #expect(throws: GzipError.tooLarge(limit: 1000)) {
      try GzipMember.decompress(Self.bomb.span, at: 0, outputLimit: 1000)
    }
  }

  @Test func `Gzip limit: a bomb is refused even if other bytes follow it`() {
    let bytes = Self.bomb + [UInt8](repeating: 1, count: 1 << 20)
    #expect(throws: GzipError.bomb(at: 0)) { try decompress(bytes) }
  }

  @Test func `Gzip limit: any ratio is accepted up to 64 KiB`() throws {
    let small = [UInt8](repeating: 0, count: 65_536)
    let bytes = member(small)
    #expect(bytes.count < 65_536 / 256)
    #expect(try decompress(bytes).content == small)
  }

  @Test(arguments: [65_537, 1 << 20])
  func `Gzip limit: content that would resemble a bomb is stored uncompressed`(count: Int) throws {
    let content = [UInt8](repeating: 0, count: count)
    let bytes = member(content)
    #expect(bytes.count > count)
    #expect(
      try decompress(bytes)
        == GzipContent(content: content, extra: [1, 2, 3], length: bytes.count))
  }

  @Test func `Gzip limit: a highly compressible beginning is accepted if the whole is less so`()
    throws
  {
    let content = [UInt8](repeating: 0, count: 1 << 20) + noise(10_000)
    let bytes = member(content)
    #expect(bytes.count < 20_000)
    #expect(try decompress(bytes).content == content)
  }
}
