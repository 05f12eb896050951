internal import Bytes

/// The header of a member.
package struct GzipHeader: Hashable, Sendable {
  package let extra: [UInt8]
  /// The offset of the compressed data, which is counted like the offset of the member.
  package let contentOffset: Int
}

/// The content of a complete member.
package struct GzipContent: Hashable, Sendable {
  package let content: [UInt8]
  package let extra: [UInt8]
  /// The length of the member in bytes.
  package let length: Int

  package init(content: [UInt8], extra: [UInt8], length: Int) {
    self.content = content
    self.extra = extra
    self.length = length
  }
}

extension GzipMember {
  /// Reads and checks only the header of the member at `offset`.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - offset: The offset at which the member begins.
  /// - Returns: The header.
  /// - Throws: ``GzipError`` if the header is invalid or incomplete.
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
