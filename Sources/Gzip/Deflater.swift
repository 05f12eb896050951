internal import Bytes
internal import CZlib

/// Owns a zlib stream that compresses the content of one member.
///
/// zlib keeps the address of its stream, so the stream is on the heap and never moves.
@safe struct Deflater: ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>

  /// Begins a compression.
  ///
  /// - Parameter level: The level, from 0 to 9, or -1 for zlib's default.
  init(level: Int) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // Negative window bits make zlib omit its own header, because daybook writes the gzip header.
    let code = unsafe deflateInit2_(
      stream, Int32(level), Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY,
      ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(code == Z_OK, "zlib compresses at this level, given memory")
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Compresses the whole content in one step.
  consuming func compress(_ content: Span<UInt8>) -> [UInt8] {
    let room = Int(unsafe deflateBound(stream, UInt(content.count)))
    var output = [UInt8](repeating: 0, count: room)
    let count = unsafe content.withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(input.count)
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = UInt32(output.count)
        let code = unsafe deflate(stream, Z_FINISH)
        precondition(code == Z_STREAM_END, "the output fits into the bound")
        return unsafe output.count - Int(stream.pointee.avail_out)
      }
    }
    output.removeLast(output.count - count)
    return output
  }

  /// Returns the length of content of `count` bytes in stored (uncompressed) blocks.
  static func storedCount(_ count: Int) -> Int {
    count + 5 * max(1, (count + longestBlock - 1) / longestBlock)
  }

  /// Returns the content in stored blocks.
  static func stored(_ content: Span<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(storedCount(content.count))
    var start = 0
    repeat {
      let end = min(start + longestBlock, content.count)
      let count = UInt32(end - start)
      output.append(end == content.count ? 1 : 0)
      output.append(littleEndian: count, bytesWide: 2)
      output.append(littleEndian: ~count, bytesWide: 2)
      output.append(contentsOf: content.copy(start..<end))
      start = end
    } while start < content.count
    return output
  }

  private static let longestBlock = 65_535
}
