import Bytes
import Gzip

/// A whole frame in a file, which is one gzip member, decompressed for verification.
struct StoredFrame: Sendable {
  static let memberLimit = 1 << 20
  /// The maximum length of a frame with salts.
  static let saltedLimit = 2 << 20
  static let contentLimit = 4 << 20

  private static let headerCount = 43
  private static let magic: [UInt8] = [0x1f, 0x8b, 0x08, 0x06]
  /// The subfield's name and length, and the version.
  private static let label: [UInt8] = [0x44, 0x42, 0x19, 0x00, 0x01]

  var offset: Int
  var length: Int
  var first: UInt64
  var count: Int
  /// The first 8 bytes of the id of the frame's replica.
  var replica: UInt64
  var content: [UInt8]

  var last: UInt64 { first + UInt64(count) - 1 }

  /// Opens the frame at an offset; nil if there is no whole frame.
  init?(in bytes: Span<UInt8>, at offset: Int) {
    guard bytes.count - offset >= Self.headerCount, Self.hasMagic(bytes, at: offset) else {
      return nil
    }
    guard bytes.number(at: offset + 10, count: 2) == 29 else { return nil }
    for (place, byte) in Self.label.enumerated() {
      guard bytes[offset + 12 + place] == byte else { return nil }
    }
    length = Int(bytes.number(at: offset + 17, count: 4))
    first = bytes.number(at: offset + 21, count: 8)
    count = Int(bytes.number(at: offset + 29, count: 4))
    replica = bytes.number(at: offset + 33, count: 8).byteSwapped
    self.offset = offset
    guard length <= min(Self.saltedLimit, bytes.count - offset), length > Self.headerCount,
      first > 0, first < 1 << 62, count > 0, UInt64(count) <= 1 << 62 - first
    else { return nil }
    do throws(GzipError) {
      let member = bytes.extracting(offset..<offset + length)
      let unpacked = try GzipMember.decompress(member, at: 0, outputLimit: Self.contentLimit)
      guard unpacked.length == length else { return nil }
      content = unpacked.content
      guard length <= Self.memberLimit || givesSalts else { return nil }
    } catch {
      // Bytes that cannot be decompressed are not a frame, and the caller reports them.
      return nil
    }
  }

  /// Returns the length field of the apparent frame at an offset; nil if there is no frame or it is incomplete.
  static func length(in bytes: Span<UInt8>, at offset: Int) -> Int? {
    guard bytes.count - offset >= headerCount, hasMagic(bytes, at: offset) else { return nil }
    let length = Int(bytes.number(at: offset + 17, count: 4))
    return length > headerCount && length <= bytes.count - offset ? length : nil
  }

  /// Whether, for at least one block, the frame contains salts rather than a seed.
  private var givesSalts: Bool {
    var reader = CBORReader(content.span)
    // If the information cannot be decoded, the frame is treated as containing no salts.
    let claims = try? FrameClaims(&reader, bytes: content.span, events: first...last)
    return claims?.blocks.contains { if case .salts = $0 { true } else { false } } ?? false
  }

  /// Finds the first whole frame at or after the given offset.
  static func next(in bytes: Span<UInt8>, from offset: Int) -> StoredFrame? {
    var place = offset
    while place + headerCount <= bytes.count {
      if hasMagic(bytes, at: place), let frame = StoredFrame(in: bytes, at: place) { return frame }
      place += 1
    }
    return nil
  }

  /// Finds the first frame header in the given range with a version newer than this program's.
  ///
  /// The header has a checksum, so damaged bytes are not mistaken for a newer frame.
  static func nextNewer(
    in bytes: Span<UInt8>, from range: Range<Int>
  ) -> (offset: Int, version: UInt8)? {
    for place in range where place + headerCount <= range.upperBound && hasMagic(bytes, at: place) {
      // Without a valid header, the bytes are not a frame of any version.
      guard let extra = try? GzipMember.header(bytes, at: place).extra, extra.count >= 29,
        extra[0] == label[0], extra[1] == label[1], extra[4] > label[4]
      else { continue }
      return (place, extra[4])
    }
    return nil
  }

  private static func hasMagic(_ bytes: Span<UInt8>, at offset: Int) -> Bool {
    bytes[offset] == magic[0] && bytes[offset + 1] == magic[1]
      && bytes[offset + 2] == magic[2] && bytes[offset + 3] == magic[3]
  }
}

extension Span<UInt8> {
  /// A little-endian number of at most eight bytes.
  fileprivate func number(at offset: Int, count: Int) -> UInt64 {
    var number: UInt64 = 0
    for place in (offset..<offset + count).reversed() { number = number << 8 | UInt64(self[place]) }
    return number
  }
}
