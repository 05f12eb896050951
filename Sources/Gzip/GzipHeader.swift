internal import Bytes

/// What the header of a member tells.
package struct GzipHeader: Hashable, Sendable {
  package let extra: [UInt8]
  /// Where the compressed data starts, counted like the member's own offset.
  package let contentOffset: Int
}

/// What a whole member holds.
package struct GzipContent: Hashable, Sendable {
  package let content: [UInt8]
  package let extra: [UInt8]
  /// How many bytes the member takes.
  package let length: Int

  package init(content: [UInt8], extra: [UInt8], length: Int) {
    self.content = content
    self.extra = extra
    self.length = length
  }
}

extension GzipMember {
  /// Reads and checks the header of the member at `offset`, and nothing behind it.
  package static func header(
    _ bytes: Span<UInt8>, at offset: Int
  ) throws(GzipError) -> GzipHeader {
    precondition(offset >= 0 && offset <= bytes.count, "a member starts within the bytes")
    let available = bytes.count - offset
    for index in 0..<min(available, constantBytes.count) {
      guard bytes[offset + index] == constantBytes[index] else { throw .notAMember(at: offset) }
    }
    let fixedCount = constantBytes.count + 2
    guard available >= fixedCount else { throw .truncated(at: offset) }
    let extraCount = Int(bytes.littleEndian(at: offset + constantBytes.count, bytesWide: 2))
    guard available - fixedCount >= extraCount + 2 else { throw .truncated(at: offset) }

    let extra = offset + fixedCount..<offset + fixedCount + extraCount
    let expected = checksum(bytes.extracting(offset..<extra.upperBound)) & 0xffff
    guard bytes.littleEndian(at: extra.upperBound, bytesWide: 2) == expected else {
      throw .headerChecksum(at: offset)
    }
    return GzipHeader(extra: bytes.copy(extra), contentOffset: extra.upperBound + 2)
  }
}
