internal import Bytes
internal import CZlib

/// Owns a zlib stream that decompresses the content of one member, up to a maximum length.
///
/// zlib keeps the address of its stream, so the stream is on the heap and never moves.
@safe struct Inflater: ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>
  private var content: [UInt8] = []
  private var filled = 0

  init() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // Negative window bits make zlib expect no header, because daybook reads the gzip header.
    let code = unsafe inflateInit2_(
      stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(code == Z_OK, "zlib inflates, given memory")
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// The decompressed content, and the number of input bytes used.
  ///
  /// The content is at most one byte longer than the ceiling. The extra byte shows that there is more content.
  struct Outcome {
    var content: [UInt8]
    var consumedCount: Int
    var hasEnded: Bool
  }

  /// Reads data that consists of a single stored block, without a stream; nil for any other data.
  ///
  /// Small frames consist of one stored block, and creating a stream takes longer than copying their content.
  static func stored(_ compressed: Span<UInt8>, ceiling: Int) -> Outcome? {
    let headCount = 5
    // One bit marks the last block, and two bits mark a stored block. daybook's writer pads these bits to a byte with
    // zeros.
    guard compressed.count >= headCount, compressed[0] == 1 else { return nil }
    let count = compressed.littleEndian(at: 1, bytesWide: 2)
    let end = headCount + Int(count)
    guard compressed.littleEndian(at: 3, bytesWide: 2) == ~count & 0xffff,
      Int(count) <= ceiling, end <= compressed.count
    else { return nil }
    return Outcome(content: compressed.copy(headCount..<end), consumedCount: end, hasEnded: true)
  }

  /// Decompresses from the start of `compressed` until the data ends or the content exceeds the ceiling.
  mutating func inflate(
    _ compressed: Span<UInt8>, ceiling: Int, at offset: Int
  ) throws(GzipError) -> Outcome {
    let available = UInt32(clamping: compressed.count)
    let hasEnded = try unsafe compressed.withUnsafeBufferPointer {
      (input) throws(GzipError) -> Bool in
      unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      unsafe stream.pointee.avail_in = available
      while filled <= ceiling {
        makeRoom(for: Int(available), ceiling: ceiling)
        switch try progress(step(), at: offset) {
        case .going: continue
        case .ended: return true
        case .starved: throw .truncated(at: offset)
        }
      }
      return false
    }
    content.removeLast(content.count - filled)
    let consumedCount = unsafe Int(available - stream.pointee.avail_in)
    return Outcome(content: content, consumedCount: consumedCount, hasEnded: hasEnded)
  }

  /// Doubles the output buffer when it is full, so that its size follows the actual output.
  private mutating func makeRoom(for inputCount: Int, ceiling: Int) {
    guard filled == content.count else { return }
    let first = min(max(256, inputCount.multipliedReportingOverflow(by: 4).partialValue), 1 << 16)
    let target = min(ceiling + 1, max(first, content.count * 2))
    content += [UInt8](repeating: 0, count: target - content.count)
  }

  private mutating func step() -> Int32 {
    let stream = unsafe stream
    let start = filled
    let (code, end) = unsafe content.withUnsafeMutableBufferPointer { output in
      unsafe stream.pointee.next_out = output.baseAddress.map { unsafe $0 + start }
      unsafe stream.pointee.avail_out = UInt32(output.count - start)
      let code = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
      return unsafe (code, output.count - Int(stream.pointee.avail_out))
    }
    filled = end
    return code
  }
}
