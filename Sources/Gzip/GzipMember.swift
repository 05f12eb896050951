/// One gzip member (RFC 1952) whose header is constant except for its extra field.
///
/// The CRC-32 of gzip covers only the content. The extra field is covered by the header checksum, which is always
/// present.
package enum GzipMember {
  /// The highest ratio of content size to compressed size for content that is larger than ``ratioFreeCount``.
  package static let ratioLimit = 256

  /// Content up to this size may have any ratio.
  package static let ratioFreeCount = 64 * 1024

  /// The magic number, the method deflate, FLG = FHCRC + FEXTRA, MTIME 0, XFL 0, and an unknown OS.
  static let constantBytes: [UInt8] = [0x1f, 0x8b, 8, 6, 0, 0, 0, 0, 0, 255]

  /// The length of the trailer: the CRC-32 and the content length.
  static let trailerCount = 8

  /// Compresses content into one member.
  ///
  /// From level 7 on, large contents are compressed by libdeflate if the program was built with it. Stored blocks are
  /// used if compression does not help, or helps so much that a reader would treat the member as a bomb. Level 0 always
  /// uses stored blocks.
  ///
  /// - Parameters:
  ///   - content: The content.
  ///   - level: The level of zlib.
  ///   - extraCount: The length of the extra field.
  ///   - extra: Returns the extra field. The closure is called once, when the length of the whole member is known.
  /// - Returns: The member.
  package static func compress(
    _ content: Span<UInt8>, level: Int, extraCount: Int, extra: (_ memberLength: Int) -> [UInt8]
  ) -> [UInt8] {
    precondition(content.count < 1 << 30, "a content is shorter than a GiB")
    precondition(extraCount >= 0 && extraCount <= 65_535, "an extra field has a 16-bit length")
    var packed = deflate(content, level: level)
    let isBomb = exceedsRatio(contentCount: content.count, packedCount: packed.count)
    if isBomb || Deflater.storedCount(content.count) < packed.count {
      packed = Deflater.stored(content)
    }
    let length = constantBytes.count + 2 + extraCount + 2 + packed.count + trailerCount
    let field = extra(length)
    precondition(field.count == extraCount, "the extra field is as long as announced")

    var member = constantBytes
    member.reserveCapacity(length)
    member.append(littleEndian: UInt32(extraCount), bytesWide: 2)
    member.append(contentsOf: field)
    member.append(littleEndian: checksum(member.span), bytesWide: 2)
    member.append(contentsOf: packed)
    member.append(littleEndian: checksum(content), bytesWide: 4)
    member.append(littleEndian: UInt32(content.count), bytesWide: 4)
    return member
  }

  private static func deflate(_ content: Span<UInt8>, level: Int) -> [UInt8] {
    guard level > 0 else { return Deflater.stored(content) }
    #if canImport(CDeflate)
    let deflater = BlockDeflater(level: level, contentCount: content.count)
    if let deflater { return deflater.compress(content) }
    #endif
    return Deflater(level: level).compress(content)
  }

  /// Decompresses and checks the member at `offset`.
  ///
  /// Bytes after the member are ignored.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - offset: The offset at which the member begins.
  ///   - outputLimit: The maximum length of the content.
  /// - Returns: The content, the extra field and the length of the member.
  /// - Throws: ``GzipError`` if the member is invalid or too long.
  package static func decompress(
    _ bytes: Span<UInt8>, at offset: Int, outputLimit: Int
  ) throws(GzipError) -> GzipContent {
    precondition(outputLimit >= 0 && outputLimit < 1 << 30, "a content is shorter than a GiB")
    let header = try header(bytes, at: offset)
    let packed = bytes.extracting(header.contentOffset..<bytes.count)
    // No valid member that ends within these bytes has longer content, so no more is decompressed.
    let honest = max(ratioFreeCount, packed.count.saturatingProduct(ratioLimit))
    let ceiling = min(outputLimit, honest)
    let stored = Inflater.stored(packed, ceiling: ceiling)
    let outcome = if let stored { stored } else { try inflate(packed, ceiling, at: offset) }
    let content = outcome.content
    guard content.count <= outputLimit else { throw .tooLarge(limit: outputLimit) }
    guard outcome.hasEnded, content.count <= honest,
      !exceedsRatio(contentCount: content.count, packedCount: outcome.consumedCount)
    else { throw .bomb(at: offset) }

    let trailer = header.contentOffset + outcome.consumedCount
    guard bytes.count - trailer >= trailerCount else { throw .truncated(at: offset) }
    guard bytes.littleEndian(at: trailer, bytesWide: 4) == checksum(content.span) else {
      throw .contentChecksum(at: offset)
    }
    guard bytes.littleEndian(at: trailer + 4, bytesWide: 4) == UInt32(content.count) else {
      throw .contentLength(at: offset)
    }
    let length = trailer + trailerCount - offset
    return GzipContent(content: content, extra: header.extra, length: length)
  }

  private static func inflate(
    _ packed: Span<UInt8>, _ ceiling: Int, at offset: Int
  ) throws(GzipError) -> Inflater.Outcome {
    var inflater = Inflater()
    return try inflater.inflate(packed, ceiling: ceiling, at: offset)
  }

  private static func exceedsRatio(contentCount: Int, packedCount: Int) -> Bool {
    contentCount > ratioFreeCount && contentCount > packedCount.saturatingProduct(ratioLimit)
  }
}

extension Int {
  /// Returns the product, or the largest number if it overflows.
  fileprivate func saturatingProduct(_ factor: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}
